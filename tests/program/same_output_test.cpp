// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <signal.h>

#include <tessera/io/input_file.hpp>

#include "tests/matchers.hpp"
#include "tests/program/process.hpp"

namespace tessera::testing {
namespace {

/// Runs that checkpoint often.
class SameOutput : public ::testing::Test {
 protected:
  Words call(const Words& more) const {
    return Words{"kmc", "--quiet", "--backend", host_backend, "--checkpoint-every", "0.01"} + more;
  }
  Words fresh(const Words& more) const {
    return call("--size 32 --measure-every 1 --output run.h5 --until-time"_words + more);
  }
  Words restart(const Words& more) const { return call("--restart run.h5 --until-time"_words + more); }

  std::size_t rows() const { return InputFile(folder / "run.h5").shape("/observables/roughness/value").at(0); }

  /// Starts two at once. Each does all that it was asked to, or nothing.
  void start_both(const Words& first, const Words& second) {
    Process one(folder, first), other(folder.path(), second);
    const ProcessResult results[] = {one.wait(), other.wait()};
    for (const auto& result : results) {
      EXPECT_THAT(result.status, AnyOf(0, 2)) << result.err;
      if (result.status == 2) {
        EXPECT_EQ(line_count(result.err), 1u) << result.err;
      }
    }
    EXPECT_THAT(results, ::testing::Contains(::testing::Field(&ProcessResult::status, 0)));
  }

  const TemporaryFolder folder;
};

TEST_F(SameOutput, BelongsToTheRunThatStartedFirst) {
  Process process(folder, fresh({"1e9"}));
  ASSERT_TRUE(process.runs_until_there_is(folder / "run.h5"));
  for (const auto& words : {fresh({"30", "--overwrite"}), restart({"30"})}) {
    const auto refused = run_tessera(folder, words);
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.err, HasSubstr("another run"));
    EXPECT_EQ(line_count(refused.err), 1u) << refused.err;
  }
  process.signal(SIGTERM);
  EXPECT_EQ(process.wait().status, 143);
  EXPECT_THAT(folder.names(), ::testing::Not(::testing::Contains(".run.h5.lock")));
}

TEST_F(SameOutput, OfTwoConcurrentRunsHoldsTheRowsOfOne) {
  start_both(fresh({"30", "--seed", "1"}), fresh({"30", "--seed", "2"}));
  EXPECT_EQ(rows(), 31u);
}

TEST_F(SameOutput, OfTwoConcurrentRestartsHoldsTheRowsOfOne) {
  complete_run(folder, fresh({"30"}));
  start_both(restart({"60"}), restart({"60"}));
  EXPECT_EQ(rows(), 61u);
}

}  // namespace
}  // namespace tessera::testing
