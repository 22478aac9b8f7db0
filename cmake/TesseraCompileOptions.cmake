# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors

# CMake takes nvcc_wrapper for g++; the compiler of Kokkos itself is decisive.
if(TESSERA_ENABLE_CUDA AND Kokkos_CXX_COMPILER_ID STREQUAL "NVIDIA")
  set(TESSERA_COMPILER_IS_NVCC ON)
else()
  set(TESSERA_COMPILER_IS_NVCC OFF)
endif()

# The same trajectory on every backend: no compiler may fuse a multiplication and an addition.
set(TESSERA_ARITHMETIC_OPTIONS -ffp-contract=off)
if(TESSERA_COMPILER_IS_NVCC)
  list(APPEND TESSERA_ARITHMETIC_OPTIONS --fmad=false)
endif()

# Whatever a sanitizer finds ends the program.
if(TESSERA_SANITIZE)
  add_compile_options(-fsanitize=${TESSERA_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TESSERA_SANITIZE})
endif()

# tessera_warnings(<target>): the warnings that Tessera's own code is held to.
function(tessera_warnings target)
  set(flags -Wall -Wextra -Wshadow)
  if(TESSERA_COMPILER_IS_NVCC)
    # Lambdas of host code are constexpr functions; code of the host instantiates templates for both sides with them.
    list(APPEND flags --expt-relaxed-constexpr)
  else()
    # nvcc's generated line directives are no ISO C++.
    list(APPEND flags -Wpedantic)
  endif()
  if(CMAKE_CXX_FLAGS_RELEASE MATCHES "-O[01]")  # with so little optimization GCC takes arrays for uninitialized that are not
    list(APPEND flags $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  endif()
  if(TESSERA_WARNINGS_AS_ERRORS)
    list(APPEND flags -Werror)
    if(TESSERA_COMPILER_IS_NVCC)
      list(APPEND flags -Werror=all-warnings)
    endif()
  endif()
  target_compile_options(${target} PRIVATE ${flags})
endfunction()

# tessera_compile_together(<target>): its files are compiled a dozen at a time, which takes less than half as long, since they
# share most headers and templates. Names that are local to a file must be unique among them.
function(tessera_compile_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
endfunction()
