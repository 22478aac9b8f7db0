// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <filesystem>
#include <limits>
#include <sstream>
#include <string>
#include <tessera/io/input_file.hpp>
#include <vector>

#include "run/run_loop.hpp"
#include "tests/program/counter_process.hpp"

namespace tessera::testing {

using program::Ending;
using program::ProgressStyle;
using program::Schedule;

/// A run of the counter process under a clock that moves by a millisecond whenever somebody looks at it.
class CounterRun {
 public:
  Schedule schedule{1.0, 0};
  CounterProcess::StoppingTime stopping_time{10.0};
  int replicas = 1;
  double checkpoint_every = 0;
  double wall_limit = std::numeric_limits<double>::infinity();
  int signal_after_looks = std::numeric_limits<int>::max();
  ProgressStyle progress_style = ProgressStyle::silent;
  std::int64_t fails_at_event = -1;
  double immeasurable_from = std::numeric_limits<double>::infinity();
  std::size_t size = 1000;

  int publishes = 0;
  double publishes_seconds = 0;
  double seconds_of_writing = 0;  ///< that the clock moves on in a publish, and where fields are written
  double now = 0;
  int looks_for_signal = 0;
  std::ostringstream terminal;
  int calls_of_advance = 0;
  io::Averages averages;
  double rate = 0;
  std::string error;

  Ending start(const std::filesystem::path& path) { return go(io::OutputFile::create(path, "kmc", true), false); }
  Ending restart(const std::filesystem::path& path) { return go(io::OutputFile::append(path, "kmc"), true); }

 private:
  Ending go(io::OutputFile output, bool load) {
    CounterProcess counter(7, replicas, stopping_time);
    counter.on_fields = [this] { now += seconds_of_writing; };
    counter.fails_at_event = fails_at_event;
    counter.immeasurable_from = immeasurable_from;
    program::Progress progress(progress_style, terminal, counter.rate_unit());
    program::WallClock clock;
    clock.elapsed = [this] { return now += 0.001; };
    clock.checkpoint_every = checkpoint_every;
    clock.limit = wall_limit;
    const auto stop = [this] { return ++looks_for_signal > signal_after_looks ? 15 : 0; };
    const auto before_publish = [&] {
      ++publishes;
      publishes_seconds += 0.001;  // by the second look at the clock that the loop has
      now += seconds_of_writing;
      output.provenance({});
    };
    program::RunTools tools{&output, progress, clock, stop, before_publish, "input"};
    tools.bytes = static_cast<double>(size);
    program::RunLoop loop(counter, schedule, tools);
    if (load) loop.load();
    const Ending ending = loop.run();
    calls_of_advance = counter.calls_of_advance;
    averages = loop.averages();
    rate = loop.rate();
    error = loop.error();
    return ending;
  }
};

inline std::vector<double> numbers(const std::filesystem::path& path, const std::string& dataset) {
  return io::InputFile(path).read<double>(dataset);
}

}  // namespace tessera::testing
