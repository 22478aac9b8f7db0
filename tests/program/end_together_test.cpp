// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "machine/end_together.hpp"

#include <string>
#include <vector>

#include "tests/matchers.hpp"
#include "tests/parallel/rank_tests.hpp"

namespace tessera::testing {
namespace {

using program::End;
using program::LastActions;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

/// What a rank has done at its end.
struct Done {
  std::vector<std::string> complaints;
  std::vector<int> aborts;
};

LastActions actions(Done& done) {
  return {[&](const std::string& text) { done.complaints.push_back(text); },
          [&](int status) { done.aborts.push_back(status); }};
}

constexpr milliseconds an_hour(3'600'000);

TEST(TheEndOfAllRanks, HasTheLargestStatusAndTheFirstMessage) {
  const int rank = ranks().rank();
  Done done;
  const End mine = rank == 0 ? End{3} : End{1, "failure of rank " + std::to_string(rank)};
  EXPECT_EQ(program::end_together(ranks().split(0), mine, an_hour, actions(done)), 3);
  EXPECT_THAT(done.aborts, IsEmpty());
  if (rank == 1) {
    EXPECT_THAT(done.complaints, ElementsAre("failure of rank 1"));
  } else {
    EXPECT_THAT(done.complaints, IsEmpty());
  }
}

/// The last rank fails, while the others wait for it in vain. How long it waits for them.
Clock::duration time_until_abort(End failure, milliseconds patience) {
  const int last = ranks().size() - 1;
  const auto at_the_end = ranks().split(0);
  Done done;
  auto last_actions = actions(done);
  if (ranks().rank() != last) {
    ranks().receive(last);
    EXPECT_EQ(program::end_together(at_the_end, {}, patience, last_actions), failure.status);
    EXPECT_THAT(done.complaints, IsEmpty());
    EXPECT_THAT(done.aborts, IsEmpty());
    return patience;
  }
  const auto begin = Clock::now();
  Clock::duration waited{};
  last_actions.abort = [&](int status) {
    EXPECT_EQ(status, failure.status);
    if (waited != Clock::duration()) return;
    waited = Clock::now() - begin;
    for (int rank = 0; rank < last; ++rank) ranks().send(rank, {});
  };
  EXPECT_EQ(program::end_together(at_the_end, failure, patience, last_actions), failure.status);
  EXPECT_EQ(done.complaints.at(0), "rank " + std::to_string(last) + ": " + failure.failure);
  return waited;
}

TEST(ARankThatFails, EndsTheOthersAfterAWait) {
  EXPECT_GE(time_until_abort({1, "disk full"}, milliseconds(50)), milliseconds(50));
}

TEST(ARankThatFails, EndsTheOthersAtOnceIfTheyCannotFailLikewise) {
  EXPECT_LE(time_until_abort({2, "no memory", false}, an_hour), an_hour);
}

}  // namespace
}  // namespace tessera::testing
