# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
#
# Read by ctest for each executable of tessera_add_test(): adds one test for each suite of `program`, named by `prefix`,
# with `properties`. The suites are those that the program lists.
execute_process(COMMAND "${program}" --gtest_list_tests TIMEOUT 60 OUTPUT_VARIABLE lines RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  add_test("${prefix}NotListed" "${program}" --gtest_list_tests)  # which fails again
  return()
endif()
string(REGEX MATCHALL "(^|\n)[A-Za-z0-9_/]+\\." suites "${lines}")
foreach(suite IN LISTS suites)
  string(REGEX REPLACE "[\n.]" "" suite "${suite}")
  add_test("${prefix}${suite}" "${program}" "--gtest_filter=${suite}.*")
  # Skipped is a suite of which no test ran and none failed.
  set_tests_properties(
    "${prefix}${suite}" PROPERTIES SKIP_REGULAR_EXPRESSION "PASSED  \\] 0 tests\\.\n(\\[  SKIPPED \\][^\n]*\n)+$" ${properties}
  )
endforeach()
