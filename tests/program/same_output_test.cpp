// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <signal.h>

#include <map>
#include <tessera/io/input_file.hpp>

#include "tests/matchers.hpp"
#include "tests/program/process.hpp"

namespace tessera::testing {
namespace {

/// Of each method, and in three dimensions, a run that checkpoints often, but for its stopping time, and a stopping time
/// that takes a moment and one that is later.
struct Example {
  std::string method;
  Words words, stopping_time, later_stopping_time, no_stopping_time;
  std::string observable;
  std::size_t rows, later_rows;
};

const std::map<std::string, Example> examples{
    {"kmc",
     {"kmc",
      "--size 32 --measure-every 1"_words,
      {"--until-time", "30"},
      {"--until-time", "60"},
      {"--until-time", "1e9"},
      "roughness",
      31,
      61}},
    {"space",
     {"kmc",
      "--model ising --coupling 0.1 --size 12,12,12 --measure-every 1"_words,
      {"--until-time", "30"},
      {"--until-time", "60"},
      {"--until-time", "1e9"},
      "energy",
      31,
      61}},
    {"kpz",
     {"kpz",
      "--size 64 --domain 32 --measure-every 10 --fields never"_words,
      {"--steps", "300"},
      {"--steps", "600"},
      {"--steps", "1e9"},
      "roughness",
      31,
      61}},
};

class SameOutput : public ::testing::TestWithParam<std::string> {
 protected:
  Words call(const Words& more) const {
    return Words{run.method, "--quiet", "--backend", host_backend, "--checkpoint-every", "0.01"} + more;
  }
  Words fresh(const Words& more) const { return call(run.words + "--output run.h5"_words + more); }
  Words restart(const Words& more) const { return call("--restart run.h5"_words + more); }

  std::size_t rows() const {
    return InputFile(folder / "run.h5").shape("/observables/" + run.observable + "/value").at(0);
  }

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

  const Example& run = examples.at(GetParam());
  const TemporaryFolder folder;
};

INSTANTIATE_TEST_SUITE_P(Methods, SameOutput, ::testing::Values("kmc", "kpz", "space"));

TEST_P(SameOutput, BelongsToTheRunThatStartedFirst) {
  Process process(folder, fresh(run.no_stopping_time));
  ASSERT_TRUE(process.runs_until_there_is(folder / "run.h5"));
  for (const auto& words : {fresh(run.stopping_time + Words{"--overwrite"}), restart(run.stopping_time)}) {
    const auto refused = run_tessera(folder, words);
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.err, HasSubstr("another run"));
    EXPECT_EQ(line_count(refused.err), 1u) << refused.err;
  }
  process.signal(SIGTERM);
  EXPECT_EQ(process.wait().status, 143);
  EXPECT_THAT(folder.names(), ::testing::Not(::testing::Contains(".run.h5.lock")));
}

TEST_P(SameOutput, OfTwoConcurrentRunsHoldsTheRowsOfOne) {
  start_both(fresh(run.stopping_time + "--seed 1"_words), fresh(run.stopping_time + "--seed 2"_words));
  EXPECT_EQ(rows(), run.rows);
}

TEST_P(SameOutput, OfTwoConcurrentRestartsHoldsTheRowsOfOne) {
  complete_run(folder, fresh(run.stopping_time));
  start_both(restart(run.later_stopping_time), restart(run.later_stopping_time));
  EXPECT_EQ(rows(), run.later_rows);
}

}  // namespace
}  // namespace tessera::testing
