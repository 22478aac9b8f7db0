// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <tessera/core/kokkos_ext/lanes.hpp>
#include <tessera/core/streams.hpp>

#include "tests/execution_spaces.hpp"

namespace tessera {
namespace {

/// What every lane of every team got.
struct Results {
  std::uint32_t total;
  std::uint32_t seen;  ///< what its right neighbour had written to scratch
};

/// Values that share the high word, the low word, both, or neither; the largest and the smallest ones among them.
KOKKOS_INLINE_FUNCTION std::uint64_t value_of(int team, int lane) {
  const std::uint64_t random = hash(static_cast<std::uint64_t>(team), static_cast<std::uint64_t>(lane));
  switch (team % 6) {
    case 0:
      return random;
    case 1:
      return (random % 3) << 32 | (random >> 60);
    case 2:
      return 0x7ff0000000000000ULL;
    case 3:
      return random % 4 == 0 ? random : ~std::uint64_t{0};
    case 4:
      return (random >> 62) << 32 | 0xffffffffULL;
    default:
      return static_cast<std::uint64_t>(lane == team % 32);
  }
}

template <class Space>
struct Exercise {
  using Policy = Kokkos::TeamPolicy<Space>;
  using Team = typename Policy::member_type;
  Kokkos::View<Results**, Kokkos::LayoutRight, typename Space::memory_space> results;

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const int t = team.league_rank(), lane = team.team_rank(), size = team.team_size();
    const auto word = static_cast<std::uint32_t>(value_of(t, lane) >> 16);
    auto* scratch = static_cast<std::uint32_t*>(team.team_scratch(0).get_shmem_aligned(sizeof(word) * 64, 16));
    Results r;
    r.total = sum_over_lanes(team, word);
    scratch[lane] = word;
    sync_lanes(team);
    r.seen = scratch[(lane + 1) % size];
    results(t, lane) = r;
  }
};

template <class Space>
void expect_sound(int team_size) {
  SCOPED_TRACE("teams of " + std::to_string(team_size));
  constexpr int teams = 600;
  const Exercise<Space> exercise{
      decltype(Exercise<Space>::results)("results", std::size_t{teams}, static_cast<std::size_t>(team_size))};
  typename Exercise<Space>::Policy policy(Space(), teams, team_size);
  Kokkos::parallel_for("tessera::test::lanes", policy.set_scratch_size(0, Kokkos::PerTeam(512)), exercise);
  const auto results = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), exercise.results);
  for (int t = 0; t < teams; ++t) {
    std::uint32_t total = 0;
    for (int lane = 0; lane < team_size; ++lane) total += static_cast<std::uint32_t>(value_of(t, lane) >> 16);
    for (int lane = 0; lane < team_size; ++lane) {
      const Results& r = results(t, lane);
      ASSERT_EQ(r.total, total) << t << ", " << lane;
      ASSERT_EQ(r.seen, static_cast<std::uint32_t>(value_of(t, (lane + 1) % team_size) >> 16)) << t << ", " << lane;
    }
  }
}

template <class Space>
class LanesOn : public ::testing::Test {};
TYPED_TEST_SUITE(LanesOn, testing::ExecutionSpaces, testing::ExecutionSpaceNames);

TYPED_TEST(LanesOn, AgreeWithThePortableTeamOperations) { expect_sound<TypeParam>(lanes_per_tile<TypeParam>); }

// The bodies that a host uses also hold for teams of several threads, where the host has them.
TYPED_TEST(LanesOn, PortableBodiesHoldForTeamsOfSeveralThreads) {
  if (lanes_per_tile < TypeParam >> 1) GTEST_SKIP() << "the lanes of this space are those of a warp";
  typename Exercise<TypeParam>::Policy policy(TypeParam(), 1, 1);
  const int most = policy.team_size_max(Exercise<TypeParam>(), Kokkos::ParallelForTag());
  if (most == 1) GTEST_SKIP() << "this space has teams of one thread only";
  for (int size = 2; size <= std::min(most, 32); ++size) expect_sound<TypeParam>(size);
}

}  // namespace
}  // namespace tessera
