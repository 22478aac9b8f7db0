// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <string>
#include <tessera/core/error.hpp>
#include <tessera/parallel/rank_groups.hpp>
#include <tessera/parallel/rank_zero.hpp>

#include "rank_tests.hpp"

namespace tessera::parallel {
namespace {

TEST(AFailure, IsReportedByTheFirstRankThatFails) {
  agreed(ranks(), "", [] {});
  const std::string name = "rank " + std::to_string(ranks().rank()) + ": ";
  for (int first = 0; first < ranks().size(); ++first) {
    const auto fail = [&] {
      if (ranks().rank() == first) throw InputError("no such thing");
      if (ranks().rank() > first) throw RunError("later");
    };
    try {
      agreed(ranks(), name, fail);
      ADD_FAILURE();
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(), "rank " + std::to_string(first) + ": no such thing");
    }
  }
  EXPECT_THROW(agreed(ranks(), name, [] { throw RunError("disk full"); }), RunError);
}

TEST(AMeeting, EndsWhenAllHaveArrived) {
  if (ranks().size() == 1) return;
  Meeting meeting(ranks());
  int steps = 0;
  while (steps < 1000 * ranks().rank() && meeting.continues(false)) ++steps;
  meeting.wait([] { return false; });
  EXPECT_EQ(steps, 1000 * ranks().rank());
}

TEST(AMeeting, EndsWhenOneRequestsAStop) {
  if (ranks().size() == 1) return;
  for (int rank = 0; rank < ranks().size(); ++rank) {
    Meeting meeting(ranks());
    int steps = 0;
    while (meeting.continues(ranks().rank() == rank && steps >= 10)) ++steps;
    meeting.wait([] { return false; });
    EXPECT_GE(steps, ranks().rank() == rank ? 10 : 0);
  }
}

}  // namespace
}  // namespace tessera::parallel
