// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <tessera/core/error.hpp>
#include <tessera/parallel/shared_checkpoint.hpp>
#include <vector>

#include "rank_tests.hpp"
#include "tests/io/memory_archive.hpp"

namespace tessera::parallel {
namespace {

bool first() { return ranks().rank() == 0; }

TEST(RankZero, AloneDoesTheWork) {
  int calls = 0;
  at_rank_zero(ranks(), [&] { ++calls; });
  EXPECT_EQ(calls, first() ? 1 : 0);
}

TEST(RankZero, CallsAllRanksForWhatItNeeds) {
  std::vector<std::size_t> served;
  at_rank_zero(
      ranks(),
      [&](const auto& call_all) {
        for (std::size_t i = 1; i < 4; ++i) call_all(i, 10 * i);
      },
      [&](std::size_t begin, std::size_t count) {
        served.insert(served.end(), {begin, count});
      });
  EXPECT_THAT(served, testing::ElementsAre(1, 10, 2, 20, 3, 30));
}

TEST(RankZero, ThrowsItsErrorsOnAllRanks) {
  EXPECT_THROW(at_rank_zero(ranks(), [] { throw InputError("no such file"); }), InputError);
  EXPECT_THROW(at_rank_zero(ranks(), [] { throw RunError("disk full"); }), RunError);
  // Of another kind, as io::Failure is, which is turned into one of the two later: at rank 0 as it was.
  try {
    at_rank_zero(ranks(), [] { throw std::length_error("reason"); });
    FAIL();
  } catch (const std::length_error& error) {
    EXPECT_TRUE(first());
    EXPECT_STREQ(error.what(), "reason");
  } catch (const RunError& error) {
    EXPECT_FALSE(first());
    EXPECT_STREQ(error.what(), "reason");
  }
}

TEST(RankZero, HoldsTheArchiveOfAllRanks) {
  io::MemoryArchive archive;
  const std::vector<double> written{1, 2.5, -3};
  SharedWriter(archive, ranks()).array("values", written, {3}, "");
  EXPECT_EQ(archive.has("values"), first());
  std::vector<double> read(3);
  SharedReader(archive, ranks()).array("values", read, {3});
  EXPECT_EQ(read, written);
  EXPECT_ANY_THROW(SharedReader(archive, ranks()).array("others", read, {3}));
}

TEST(RankZero, TransfersArraysLargerThanAMessage) {
  std::vector<std::uint64_t> values((std::size_t{64} << 20) / 8 + 3);
  if (first()) std::iota(values.begin(), values.end(), 0);
  ranks().broadcast(std::as_writable_bytes(std::span(values)));
  std::vector<std::uint64_t> all(values.size());
  std::iota(all.begin(), all.end(), 0);
  EXPECT_TRUE(values == all);
}

}  // namespace
}  // namespace tessera::parallel
