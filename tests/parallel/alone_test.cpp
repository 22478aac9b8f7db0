// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <tessera/parallel/exchange.hpp>
#include <tessera/parallel/world.hpp>

namespace tessera::parallel {
namespace {

TEST(ACommunicatorFromNothing, IsThisProcessAlone) {
  const Communicator alone;
  EXPECT_EQ(alone.rank(), 0);
  EXPECT_EQ(alone.size(), 1);
  EXPECT_EQ(alone.sum(std::int64_t{3}), 3);
  EXPECT_EQ(alone.max(2.5), 2.5);
  EXPECT_TRUE(alone.all(true));
  EXPECT_FALSE(alone.any(false));
  EXPECT_EQ(alone.broadcast(7), 7);
  const std::array<std::byte, 2> mine{std::byte{1}, std::byte{2}};
  const auto all = alone.gather(mine);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0], std::vector<std::byte>(mine.begin(), mine.end()));
  EXPECT_EQ(alone.split(3).size(), 1);
  EXPECT_THROW(alone.send(0, mine), std::invalid_argument);
  EXPECT_EQ(alone.transport(), Transport::staged);
}

TEST(AProcessThatNoLauncherStarted, IsAloneInItsWorld) {
  if (launched()) GTEST_SKIP() << "this test was started by a launcher of MPI";
  const World world;
  EXPECT_EQ(world.communicator().size(), 1);
  EXPECT_EQ(world.rank_in_node(), 0);
  EXPECT_EQ(world.ranks_in_node(), 1);
}

using Space = Kokkos::DefaultExecutionSpace;

TEST(AMessage, IsContiguous) {
  Exchange<Space> exchange{Space(), Communicator()};
  const Kokkos::View<int**, Kokkos::LayoutRight, Space> field("field", 4, 4);
  EXPECT_THROW(exchange.send(0, 1, Kokkos::subview(field, Kokkos::ALL, 1)), std::invalid_argument);
}

}  // namespace
}  // namespace tessera::parallel
