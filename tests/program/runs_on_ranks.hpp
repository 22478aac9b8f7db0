// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <tessera/io/input_file.hpp>
#include <vector>

#include "tests/program/file_content.hpp"
#include "tests/program/started_ranks.hpp"

/// Runs that are those of one process, stopped and continued on other ranks.
namespace tessera::testing {

/// A run of several replicas, and where it is stopped on the way by a stopping time of its own.
struct Example {
  Words words, stopping_times[3];
};
using Examples = std::map<std::string, Example>;

inline std::vector<std::string> names_of(const Examples& examples) {
  std::vector<std::string> names;
  for (const auto& [name, example] : examples) names.push_back(name);
  return names;
}

/// How to get to a stopping time: words for the program, and what starts it.
struct Leg {
  Words words;
  Process::Options options;
};

/// Runs to the first stopping times of an example, one after the other.
inline void run_to_stopping_times(const TemporaryFolder& folder, const Example& example, const std::string& file,
                                  const std::vector<Leg>& legs) {
  Words words = example.words + Words{"--output", file};
  for (std::size_t i = 0; i < legs.size(); ++i) {
    complete_run(folder, words + example.stopping_times[i] + legs[i].words, legs[i].options);
    words = {example.words[0], "--restart", file};
  }
}

/// A run that goes on until it is stopped, and one with a stopping time.
struct Method {
  Words words, endless, stopping_time;
  std::string time;  ///< dataset

  /// The endless one; should stopping it fail, to its wall-time limit.
  Words call(const Words& more) const {
    return words + endless + "--quiet --wall-limit 60 --output run.h5"_words + on_host + more;
  }
};

/// A run that a signal to this rank has stopped anywhere, and that went on on two ranks, ends as one that was not.
template <class Time>
void expect_no_change(const Method& method, Time more, int ranks, int rank, const Words& with = {}) {
  const TemporaryFolder folder;
  Process process(folder, method.call("--checkpoint-every 0.2"_words + with), on_ranks(ranks));
  ASSERT_TRUE(process.runs_until_there_is(folder / "run.h5")) << process.wait().err;
  ASSERT_TRUE(signal_rank(rank, folder, SIGTERM));
  const auto stopped = process.wait();
  ASSERT_EQ(stopped.status, 143) << "rank " << rank << ": " << stopped.err;
  EXPECT_EQ(own_lines(stopped.err).size(), 0u) << stopped.err;
  EXPECT_THAT(folder.names(), ::testing::ElementsAre("run.h5"));
  EXPECT_TRUE(none_is_left(folder));
  const auto times = [&] {
    const io::InputFile file(folder / "run.h5");
    file.read_through();
    return file.read<Time>(method.time);
  }();
  const Words rest = method.stopping_time + Words{std::to_string(*std::max_element(times.begin(), times.end()) + more),
                                                  "--backend", host_backend, "--quiet"};
  complete_run(folder, Words{method.words[0], "--restart", "run.h5"} + rest, on_ranks(2));
  complete_run(folder, method.words + rest + "--output alone.h5"_words, alone());
  expect_same_content(folder / "run.h5", folder / "alone.h5");
}

/// A run of a large system on so many ranks ends with one message if its disk is full, and leaves nothing.
inline void expect_one_message_of_a_full_disk(const Words& run, int ranks) {
  const TemporaryFolder folder;
  auto options = on_ranks(ranks);
  options.largest_file = 24 << 20;  // MPI has files of its own, which are smaller
  const auto result = run_tessera(folder, run, options);
  EXPECT_EQ(result.status, 1) << result.err;
  const auto lines = own_lines(result.err);
  ASSERT_EQ(lines.size(), 1u) << result.err;
  EXPECT_THAT(lines[0], ::testing::HasSubstr(run[0] + ".h5"));
  EXPECT_TRUE(folder.names().empty()) << "nothing is left of a file that could not be written";
  EXPECT_TRUE(none_is_left(folder));
}

}  // namespace tessera::testing
