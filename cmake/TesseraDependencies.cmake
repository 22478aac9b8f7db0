# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
#
# What Tessera is built on. Afterwards TESSERA_ENABLE_SERIAL, TESSERA_ENABLE_OPENMP, TESSERA_ENABLE_CUDA and
# TESSERA_ENABLE_HIP say which execution spaces the Kokkos at hand has.

set(TESSERA_KOKKOS_MINIMUM 4.6)

find_package(Kokkos ${TESSERA_KOKKOS_MINIMUM} CONFIG QUIET)
if(NOT Kokkos_FOUND)
  if(Kokkos_CONSIDERED_VERSIONS)
    list(JOIN Kokkos_CONSIDERED_VERSIONS ", " tessera_versions)
    list(JOIN Kokkos_CONSIDERED_CONFIGS ", " tessera_configs)
    message(FATAL_ERROR "Tessera needs Kokkos ${TESSERA_KOKKOS_MINIMUM} or newer; found ${tessera_versions} (${tessera_configs}). "
                        "Set Kokkos_ROOT to the prefix of a newer one; docs/installing.md names the ways to get it."
    )
  endif()
  message(FATAL_ERROR "Tessera needs Kokkos ${TESSERA_KOKKOS_MINIMUM} or newer, and none was found. Set Kokkos_ROOT to its prefix; "
                      "docs/installing.md names the ways to get it."
  )
endif()

foreach(space IN ITEMS SERIAL OPENMP CUDA HIP)
  if(space IN_LIST Kokkos_DEVICES)
    set(TESSERA_ENABLE_${space} ON)
  else()
    set(TESSERA_ENABLE_${space} OFF)
  endif()
endforeach()
list(JOIN Kokkos_DEVICES ", " tessera_devices)
foreach(space IN LISTS Kokkos_DEVICES)
  if(space MATCHES "^(SYCL|OPENMPTARGET|OPENACC)$")
    message(FATAL_ERROR "The Kokkos in ${Kokkos_DIR} was built with ${space}, on which Tessera does not run. Use a Kokkos built "
                        "without Kokkos_ENABLE_${space}; Tessera runs on Serial, OpenMP, CUDA and HIP."
    )
  endif()
endforeach()
if(TESSERA_ENABLE_HIP AND NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "The Kokkos in ${Kokkos_DIR} was built with HIP, whose compiler is hipcc or clang++: set CMAKE_CXX_COMPILER.")
endif()
message(STATUS "Kokkos ${Kokkos_VERSION} with ${tessera_devices} (${Kokkos_DIR})")

set(TESSERA_REQUIRE_BACKENDS "" CACHE STRING "Execution spaces that the Kokkos at hand must have: SERIAL, OPENMP, CUDA, HIP")
foreach(space IN LISTS TESSERA_REQUIRE_BACKENDS)
  if(NOT TESSERA_ENABLE_${space})
    message(FATAL_ERROR "The Kokkos in ${Kokkos_DIR} was built without Kokkos_ENABLE_${space}; it has ${tessera_devices}.")
  endif()
endforeach()

if(TESSERA_ENABLE_CUDA AND Kokkos_OPTIONS AND Kokkos_VERSION VERSION_LESS 5 AND NOT Kokkos_ENABLE_CUDA_LAMBDA)
  message(FATAL_ERROR "Tessera's kernels need a Kokkos with Kokkos_ENABLE_CUDA_LAMBDA; the one in ${Kokkos_DIR} was built without.")
endif()

# With a version, CMake 4.3 refuses an HDF5 of a later major version.
find_package(HDF5 REQUIRED COMPONENTS C)
if(HDF5_VERSION AND HDF5_VERSION VERSION_LESS 1.10.3)
  message(FATAL_ERROR "Tessera needs HDF5 1.10.3 or newer; the one found is ${HDF5_VERSION}.")
endif()
find_package(ZLIB REQUIRED)  # on which HDF5 is built

if(TESSERA_ENABLE_MPI)
  find_package(MPI 3.1 REQUIRED COMPONENTS C)
endif()
if(TESSERA_ENABLE_NCCL)
  if(NOT TESSERA_ENABLE_MPI OR NOT TESSERA_ENABLE_CUDA)
    message(FATAL_ERROR "TESSERA_ENABLE_NCCL needs TESSERA_ENABLE_MPI, and a Kokkos with CUDA.")
  endif()
  find_package(NCCL REQUIRED)
endif()

if(TESSERA_ENABLE_CUDA)
  find_package(KokkosKernels CONFIG QUIET)
endif()
option(TESSERA_ENABLE_KOKKOS_KERNELS "S(q) of hard disks on GPUs by the cuBLAS of Kokkos Kernels" ${KokkosKernels_FOUND})
if(TESSERA_ENABLE_KOKKOS_KERNELS)
  find_package(KokkosKernels CONFIG REQUIRED)
  message(STATUS "Kokkos Kernels ${KokkosKernels_VERSION} (${KokkosKernels_DIR})")
endif()

find_package(nlohmann_json 3.11 REQUIRED)
if(TESSERA_ENABLE_PROGRAM)
  find_package(Boost 1.74 REQUIRED COMPONENTS program_options)
endif()
if(TESSERA_ENABLE_TESTS)
  find_package(GTest 1.12 REQUIRED)
endif()
