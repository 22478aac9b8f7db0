# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
#
# Configures PROJECT with CXX_COMPILER, and builds it; what has not changed since the last time is not read again.
cmake_minimum_required(VERSION 3.22)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${CXX_COMPILER}: exit status ${status}\n${output}")
  endif()
endfunction()

run("${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${PROJECT}" -B "${WORK}" "-DSOURCE=${SOURCE}"
    "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-O0 -DNDEBUG"
    "-DCMAKE_PREFIX_PATH=${PREFIX_PATH}" "-DKokkos_DIR=${KOKKOS}" "-DKokkosKernels_DIR=${KOKKOS_KERNELS}"
    "-DHDF5_ROOT=${HDF5}" "-DHDF5_USE_STATIC_LIBRARIES=${HDF5_STATIC}" "-DTESSERA_ENABLE_MPI=${MPI}"
)
set(all_failures -k)
if(GENERATOR MATCHES "Ninja")
  set(all_failures -k 0)
endif()
run("${CMAKE_COMMAND}" --build "${WORK}" --parallel 2 -- ${all_failures})
