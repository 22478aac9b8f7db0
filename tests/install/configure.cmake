# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
#
# Configures SOURCE with shared libraries and a shared Kokkos in a prefix of its own, which need not work, and looks at what
# CMake makes of it.
cmake_minimum_required(VERSION 3.22)

# Kokkos as CMake finds it, with these devices.
function(write_kokkos)
  list(JOIN ARGN " " devices)
  file(WRITE "${WORK}/kokkos/KokkosConfig.cmake" "
    set(Kokkos_DEVICES ${devices})
    add_library(Kokkos::kokkos SHARED IMPORTED)
    set_target_properties(Kokkos::kokkos PROPERTIES IMPORTED_LOCATION /own/prefix/lib/libkokkos.so)
  ")
  file(WRITE "${WORK}/kokkos/KokkosConfigVersion.cmake" "
    set(PACKAGE_VERSION 5.0.0)
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
  ")
endfunction()

function(configure)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${SOURCE}" -B "${WORK}/build" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}"
            "-DCMAKE_PREFIX_PATH=${PREFIX_PATH}" "-DHDF5_ROOT=${HDF5}" "-DKokkos_DIR=${WORK}/kokkos" -DTESSERA_ENABLE_TESTS=OFF
            -DCMAKE_DISABLE_FIND_PACKAGE_KokkosKernels=ON -DBUILD_SHARED_LIBS=ON -DCMAKE_UNITY_BUILD=ON ${ARGN}
    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output
  )
  string(REGEX REPLACE "[ \n]+" " " output "${output}")  # CMake breaks lines
  set(status "${status}" PARENT_SCOPE)
  set(output "${output}" PARENT_SCOPE)
endfunction()

# Where the installed program looks for libraries.
function(installed_paths result)
  file(READ "${WORK}/build/src/cmake_install.cmake" script)
  string(REGEX MATCH "NEW_RPATH \"([^\"]*)\"" found "${script}")
  string(REPLACE "\\" "" paths "${CMAKE_MATCH_1}")
  set(${result} "${paths}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${WORK}")
write_kokkos(SERIAL OPENMP)
configure()
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${output}")
endif()
installed_paths(paths)
if(NOT paths MATCHES "^.ORIGIN/[^:]+:/own/prefix/lib(:.+)?$")
  message(FATAL_ERROR "the installed program would not find its libraries: ${paths}")
endif()
file(GLOB_RECURSE unity "${WORK}/build/unity_*.cxx")
list(FILTER unity EXCLUDE REGEX "/(tessera|tessera_program_parts|tessera_program_methods)\\.dir/")
if(unity)
  message(FATAL_ERROR "files would be compiled together: ${unity}")
endif()
configure(-DCMAKE_INSTALL_RPATH=/of/the/user -DCMAKE_INSTALL_RPATH_USE_LINK_PATH=OFF -DTESSERA_INSTALL_PYTHONDIR=lib/of/python)
installed_paths(paths)
if(NOT paths STREQUAL "/of/the/user")
  message(FATAL_ERROR "the installed program has not the paths that the user wants: ${paths}")
endif()

foreach(file IN ITEMS modulefile src/cmake_install.cmake)
  file(READ "${WORK}/build/${file}" text)
  if(NOT text MATCHES "lib/of/python" OR text MATCHES "tessera/python")
    message(FATAL_ERROR "the Python package is not where the user wants it:\n${text}")
  endif()
endforeach()

foreach(refused IN ITEMS "SYCL, on which Tessera does not run" "HIP, whose compiler is hipcc")
  string(REGEX MATCH "^[A-Z]+" device "${refused}")
  write_kokkos(SERIAL ${device})
  configure()
  string(FIND "${output}" "was built with ${refused}" named)
  if(status EQUAL 0 OR named EQUAL -1)
    message(FATAL_ERROR "a Kokkos with ${device} is not refused:\n${output}")
  endif()
endforeach()
