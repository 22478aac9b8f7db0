# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors

# tessera_add_test(<name> [LONG] [WITHOUT_KOKKOS] <sources>... [LIBRARIES <targets>...])
#
# One test executable, tessera_test_<name>, each test of it a ctest test <name>.<Suite>.<Test>. LONG puts them under the
# label "long". Tests are listed when ctest runs, so that an executable that cannot run here can be built here.
function(tessera_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 test "LONG;WITHOUT_KOKKOS" "" "LIBRARIES")
  set(target tessera_test_${name})
  add_executable(${target} ${test_UNPARSED_ARGUMENTS})
  if(test_WITHOUT_KOKKOS)
    target_link_libraries(${target} PRIVATE tessera::tessera GTest::gmock_main)
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
  else()
    target_link_libraries(${target} PRIVATE tessera_test_main)
  endif()
  target_link_libraries(${target} PRIVATE ${test_LIBRARIES})
  tessera_warnings(${target})
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
    PROPERTIES LABELS ${label} TIMEOUT ${timeout} ENVIRONMENT OMP_NUM_THREADS=2
  )
endfunction()
