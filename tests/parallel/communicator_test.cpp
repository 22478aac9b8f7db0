// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>
#include <tessera/parallel/communicator.hpp>
#include <vector>

#include "rank_tests.hpp"

namespace tessera::parallel {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }
std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(Ranks, AgreeOnNumbers) {
  const std::int64_t r = ranks().rank(), n = ranks().size();
  EXPECT_EQ(ranks().sum(r + 1), n * (n + 1) / 2);
  EXPECT_EQ(ranks().min(r + 5), 5);
  EXPECT_EQ(ranks().max(r), n - 1);
  EXPECT_EQ(ranks().min(0.5 * static_cast<double>(r)), 0);
  EXPECT_EQ(ranks().max(0.5 * static_cast<double>(r)), 0.5 * static_cast<double>(n - 1));
  const std::uint64_t big = std::numeric_limits<std::uint64_t>::max() / 4;
  EXPECT_EQ(ranks().sum(big), big * static_cast<std::uint64_t>(n));
  std::array<std::uint64_t, 3> several{1, 2, static_cast<std::uint64_t>(r)};
  ranks().sum(several);
  EXPECT_EQ(several[0], static_cast<std::uint64_t>(n));
  EXPECT_EQ(several[2], static_cast<std::uint64_t>(n * (n - 1) / 2));
  std::array<double, 2> times{1.5 + static_cast<double>(r), -1.5 * static_cast<double>(r)};
  ranks().min(times);
  EXPECT_EQ(times[0], 1.5);
  EXPECT_EQ(times[1], -1.5 * static_cast<double>(n - 1));
  EXPECT_EQ(ranks().all(r != 0), false);
  EXPECT_EQ(ranks().any(r == 0), true);
  EXPECT_TRUE(ranks().all(true));
  EXPECT_FALSE(ranks().any(false));
}

TEST(Ranks, ReceiveBroadcastsOfRankZero) {
  EXPECT_EQ(ranks().broadcast(40 + ranks().rank()), 40);
  std::vector<std::byte> bytes(100'000, std::byte(ranks().rank() + 1));
  ranks().broadcast(bytes);
  EXPECT_EQ(bytes, std::vector<std::byte>(100'000, std::byte{1}));
}

TEST(RankZero, GathersBytesInTheOrderOfRanks) {
  const auto all = ranks().gather(bytes_of(std::string(static_cast<std::size_t>(ranks().rank()), 'x')));
  if (ranks().rank() != 0) {
    EXPECT_TRUE(all.empty());
    return;
  }
  ASSERT_EQ(all.size(), static_cast<std::size_t>(ranks().size()));
  for (std::size_t r = 0; r < all.size(); ++r) EXPECT_EQ(text_of(all[r]), std::string(r, 'x'));
}

TEST(Bytes, TravelFromOneRankToAnother) {
  const int n = ranks().size(), next = (ranks().rank() + 1) % n, before = (ranks().rank() + n - 1) % n;
  if (n == 1) return;
  if (ranks().rank() == 0) {
    ranks().send(next, bytes_of("once"));
    ranks().send(next, bytes_of("again"));
  }
  EXPECT_EQ(text_of(ranks().receive(before)), "once");
  std::string again(5, ' ');
  ranks().receive(before, std::as_writable_bytes(std::span(again)));
  EXPECT_EQ(again, "again");
  if (ranks().rank() != 0) {
    ranks().send(next, bytes_of("once"));
    ranks().send(next, bytes_of("again"));
  }
}

TEST(RanksOfOneColour, FormACommunicator) {
  const int colour = ranks().rank() % 2;
  const Communicator part = ranks().split(colour);
  EXPECT_EQ(part.size(), (ranks().size() + 1 - colour) / 2);
  EXPECT_EQ(part.rank(), ranks().rank() / 2);
  EXPECT_EQ(part.broadcast(ranks().rank()), colour);
}

TEST(World, NumbersTheRanksOfANode) {
  EXPECT_EQ(world().ranks_in_node(), ranks().size()) << "all ranks of this test are on one machine";
  EXPECT_EQ(ranks().sum(std::int64_t{world().rank_in_node()}), std::int64_t{ranks().size()} * (ranks().size() - 1) / 2);
  EXPECT_NE(mpi_version(), "");
}

}  // namespace
}  // namespace tessera::parallel
