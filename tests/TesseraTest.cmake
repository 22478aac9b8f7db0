# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors

# tessera_add_test(<name> [LONG] [SINGLY] [OPTIMIZED] [WITHOUT_KOKKOS] <sources>... [LIBRARIES <targets>...] [PROPERTIES <of ctest>...])
#
# One test executable, tessera_test_<name>, each suite of it a ctest test <name>.<Suite>: to start a process takes longer
# than most tests. SINGLY is for tests that take long: each is a ctest test <name>.<Suite>.<Test>. LONG does the same, and
# puts them under the label "long". OPTIMIZED is for what runs longer than it takes to optimize. Tests are listed when
# ctest runs, so that an executable that cannot run here can be built here.
function(tessera_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 test "LONG;SINGLY;OPTIMIZED;WITHOUT_KOKKOS" "" "LIBRARIES;PROPERTIES")
  if(test_LONG AND NOT TESSERA_ENABLE_LONG_TESTS)
    return()
  endif()
  set(target tessera_test_${name})
  add_executable(${target} ${test_UNPARSED_ARGUMENTS})
  if(test_WITHOUT_KOKKOS)
    target_link_libraries(${target} PRIVATE tessera::tessera GTest::gmock_main)
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
  else()
    target_link_libraries(${target} PRIVATE tessera_test_main)
  endif()
  target_link_libraries(${target} PRIVATE ${test_LIBRARIES})
  tessera_compile_test(${target} "${test_OPTIMIZED}")
  if(TESSERA_SANITIZE)
    target_compile_definitions(${target} PRIVATE TESSERA_SANITIZED)
  endif()
  if(test_LONG)
    tessera_discover_tests(${target} ${name} LONG ${test_PROPERTIES})
  elseif(test_SINGLY)
    tessera_discover_tests(${target} ${name} ${test_PROPERTIES})
  else()
    tessera_discover_suites(${target} ${name} ${test_PROPERTIES})
  endif()
endfunction()

# tessera_compile_test(<target> <whether it is optimized>)
function(tessera_compile_test target optimized)
  if(optimized)
    tessera_compile_fast(${target})
    target_precompile_headers(${target} REUSE_FROM tessera_test_fast)
  else()
    target_precompile_headers(${target} REUSE_FROM tessera_test_main)
  endif()
  if(NOT TESSERA_COMPILER_IS_NVCC)  # which would take all of them on one core
    tessera_compile_together(${target})
  endif()
  tessera_warnings(${target})
endfunction()

# tessera_discover_suites(<target> <name> [properties])
#
# A ctest test for each suite of an executable.
function(tessera_discover_suites target name)
  set(script "${CMAKE_CURRENT_BINARY_DIR}/${target}_suites")
  list(JOIN ARGN " " properties)
  file(GENERATE OUTPUT "${script}$<CONFIG>.cmake" CONTENT
"set(program \"$<TARGET_FILE:${target}>\")
set(prefix ${name}.)
set(properties LABELS standard TIMEOUT 1500 ENVIRONMENT OMP_NUM_THREADS=2 ${properties})
include(\"${PROJECT_SOURCE_DIR}/tests/discover_suites.cmake\")
")
  set(configuration ${CMAKE_BUILD_TYPE})
  if(CMAKE_CONFIGURATION_TYPES)
    set(configuration "\${CTEST_CONFIGURATION_TYPE}")
  endif()
  file(WRITE "${script}.cmake" "include(\"${script}${configuration}.cmake\")\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${script}.cmake")
endfunction()

# tessera_discover_tests(<target> <name> [LONG] [properties])
#
# The ctest tests of an executable; one that has two names runs under both.
function(tessera_discover_tests target name)
  cmake_parse_arguments(PARSE_ARGV 2 test "LONG" "" "")
  set(label standard)
  set(timeout 1500)
  if(test_LONG)
    set(label long)
    set(timeout 7200)
  endif()
  gtest_discover_tests(
    ${target}
    TEST_PREFIX "${name}."
    NO_PRETTY_TYPES
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60
    # One variable: versions of CMake differ in what they make of a list here.
    PROPERTIES LABELS ${label} TIMEOUT ${timeout} ENVIRONMENT OMP_NUM_THREADS=2 ${test_UNPARSED_ARGUMENTS}
  )
endfunction()

# tessera_fast_test_library(<name> STATIC|OBJECT <sources>...)
#
# What takes long to run in tests, -O1: a higher level takes longer than it saves.
function(tessera_fast_test_library name)
  add_library(${name} ${ARGN})
  target_link_libraries(${name} PUBLIC tessera_test_main)
  tessera_compile_fast(${name})
  target_precompile_headers(${name} REUSE_FROM tessera_test_fast)
  tessera_warnings(${name})
endfunction()

# tessera_compile_fast(<target>): for what takes long to run.
function(tessera_compile_fast target)
  if(NOT TESSERA_COMPILER_IS_NVCC)
    target_compile_options(${target} PRIVATE "$<$<CONFIG:Release>:-O1>")
  endif()
endfunction()

# What a command needs that starts ranks, so that they start anywhere: as root, and on fewer cores than ranks. Those of one
# machine need no network, and looking for one takes a second or two at each start. Ranks that wait for others let other
# tests have the core, as Open MPI does of its own accord where there are more ranks than cores. Variables, which other MPIs
# than Open MPI do not mind.
set(TESSERA_RANK_ENVIRONMENT
    OMP_NUM_THREADS=1
    OMPI_ALLOW_RUN_AS_ROOT=1
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_pml=ob1
    OMPI_MCA_btl=^tcp,ofi,openib,uct,usnic
    OMPI_MCA_mpi_yield_when_idle=1
    PRTE_ALLOW_RUN_AS_ROOT=1
    PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
    UCX_MEM_MMAP_HOOK_MODE=none
)
# Words that start ranks, before their number.
if(TESSERA_ENABLE_MPI)
  execute_process(COMMAND "${MPIEXEC_EXECUTABLE}" --version OUTPUT_VARIABLE version ERROR_QUIET)
  set(TESSERA_RANK_LAUNCHER "${MPIEXEC_EXECUTABLE}" ${MPIEXEC_NUMPROC_FLAG})
  if(version MATCHES "Open MPI|OpenRTE")
    set(TESSERA_RANK_LAUNCHER "${MPIEXEC_EXECUTABLE}" --oversubscribe ${MPIEXEC_NUMPROC_FLAG})
  endif()
endif()

# tessera_add_rank_test(<name> [OPTIMIZED] RANKS <numbers>... SOURCES <sources>... [LIBRARIES <targets>...])
#
# One test executable, tessera_test_<name>, and for each number of ranks a ctest test <name>.ranks_<number> that runs all
# its tests on so many ranks of mpirun; tests/parallel/rank_main.hpp says what they find there. Nothing in a build without
# MPI.
function(tessera_add_rank_test name)
  if(NOT TESSERA_ENABLE_MPI)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 test "OPTIMIZED" "" "RANKS;SOURCES;LIBRARIES")
  set(target tessera_test_${name})
  add_executable(${target} ${test_SOURCES})
  target_link_libraries(${target} PRIVATE tessera_rank_test_main ${test_LIBRARIES})
  tessera_compile_test(${target} "${test_OPTIMIZED}")
  foreach(ranks IN LISTS test_RANKS)
    add_test(NAME ${name}.ranks_${ranks} COMMAND "${CMAKE_COMMAND}" -E env ${TESSERA_RANK_ENVIRONMENT}
                                                 ${TESSERA_RANK_LAUNCHER} ${ranks} $<TARGET_FILE:${target}>
    )
    # Ranks that wait for each other keep their cores busy, and wait much longer if other tests have some of these. Each
    # takes the two places that quickstart has for a core.
    math(EXPR places "2 * ${ranks}")
    set_tests_properties(${name}.ranks_${ranks} PROPERTIES LABELS standard TIMEOUT 300 PROCESSORS ${places})
  endforeach()
endfunction()
