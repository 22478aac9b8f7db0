// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tests/execution_spaces.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace tessera::testing {
namespace {

template <class... Spaces>
std::vector<std::string> names(::testing::Types<Spaces...>) {
  return {Spaces::name()...};
}

TEST(ExecutionSpaces, ContainTheDefaultsOfKokkos) {
  EXPECT_THAT(names(ExecutionSpaces{}), ::testing::Contains(Kokkos::DefaultExecutionSpace::name()));
  EXPECT_THAT(names(ExecutionSpaces{}), ::testing::Contains(Kokkos::DefaultHostExecutionSpace::name()));
}

TEST(ExecutionSpaces, AreTheBackendsOfTheBuild) {
  std::vector<std::string> visited;
  for (const Backend backend : built_backends())
    visited.push_back(
        visit_backend(backend, []<class Space>(std::type_identity<Space>) -> std::string { return Space::name(); }));
  EXPECT_EQ(visited, names(ExecutionSpaces{}));
}

template <class Space>
class ExecutionSpace : public ::testing::Test {};
TYPED_TEST_SUITE(ExecutionSpace, ExecutionSpaces, ExecutionSpaceNames);

template <class Space>
void sum_up_to(const Space& space, int n, long& sum) {
  Kokkos::parallel_reduce(
      "tessera::test::sum", Kokkos::RangePolicy<Space>(space, 0, n + 1),
      KOKKOS_LAMBDA(int i, long& partial) { partial += i; }, sum);
}

TYPED_TEST(ExecutionSpace, RunsAKernel) {
  long sum = 0;
  sum_up_to(TypeParam(), 10000, sum);
  EXPECT_EQ(sum, 50005000);
}

}  // namespace
}  // namespace tessera::testing
