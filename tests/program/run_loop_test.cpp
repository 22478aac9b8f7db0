// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run_loop.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <sstream>
#include <tessera/core/error.hpp>
#include <tessera/io/input_file.hpp>

#include "tests/program/counter_process.hpp"
#include "tests/program/temporary_folder.hpp"

namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

using tessera::io::InputFile;
using tessera::io::OutputFile;
using tessera::program::Ending;
using tessera::program::Progress;
using tessera::program::ProgressStyle;
using tessera::program::RunLoop;
using tessera::program::Schedule;
using tessera::program::WallClock;
using tessera::testing::CounterProcess;
using tessera::testing::TemporaryFolder;

/// A run of the counter process under a clock that moves by a millisecond whenever somebody looks at it.
class CounterRun {
 public:
  Schedule schedule{1.0, 0};
  CounterProcess::Goal goal{10.0};
  int replicas = 1;
  double checkpoint_every = 0;
  double wall_limit = std::numeric_limits<double>::infinity();
  int signal_after_looks = std::numeric_limits<int>::max();
  ProgressStyle progress_style = ProgressStyle::silent;

  int publishes = 0;
  double publishes_seconds = 0;
  double now = 0;
  int looks_for_signal = 0;
  std::ostringstream terminal;
  int calls_of_advance = 0;
  tessera::io::Averages averages;

  Ending start(const std::filesystem::path& path) { return go(OutputFile::create(path, "kmc", true), false); }
  Ending restart(const std::filesystem::path& path) { return go(OutputFile::append(path, "kmc"), true); }

 private:
  Ending go(OutputFile output, bool load) {
    CounterProcess counter(7, replicas, goal);
    Progress progress(progress_style, terminal, counter.rate_unit());
    WallClock clock;
    clock.elapsed = [this] { return now += 0.001; };
    clock.checkpoint_every = checkpoint_every;
    clock.limit = wall_limit;
    const auto stop = [this] { return ++looks_for_signal > signal_after_looks ? 15 : 0; };
    const auto before_publish = [&] {
      ++publishes;
      publishes_seconds += 0.001;  // by the second look at the clock that the loop has
      output.provenance({});
    };
    RunLoop loop(counter, output, progress, schedule, clock, stop, before_publish, "input");
    if (load) loop.load();
    const Ending ending = loop.run();
    calls_of_advance = counter.calls_of_advance;
    averages = loop.averages();
    return ending;
  }
};

std::vector<double> numbers(const std::filesystem::path& path, const std::string& dataset) {
  return InputFile(path).read<double>(dataset);
}

void expect_same_records(const std::filesystem::path& a, const std::filesystem::path& b) {
  for (const std::string dataset : {"/observables/count/value", "/observables/count/time", "/fields/cells/value",
                                    "/fields/cells/time", "/history/events/time"}) {
    EXPECT_EQ(numbers(a, dataset), numbers(b, dataset)) << dataset;
  }
  for (const std::string dataset : {"/observables/count/step", "/fields/cells/step"}) {
    EXPECT_EQ(InputFile(a).read<std::int64_t>(dataset), InputFile(b).read<std::int64_t>(dataset)) << dataset;
  }
}

TEST(RunLoop, MeasuresAtMultiplesOfTheIntervalWithoutAddingUp) {
  TemporaryFolder folder;
  CounterRun run;
  run.schedule.measure_every = 0.1;
  EXPECT_EQ(run.start(folder / "a.h5"), Ending::goal_reached);
  const auto times = numbers(folder / "a.h5", "/observables/count/time");
  ASSERT_THAT(times, SizeIs(101));
  for (std::size_t k = 0; k < times.size(); ++k) EXPECT_EQ(times[k], static_cast<double>(k) * 0.1);
}

TEST(RunLoop, MeasuresOnceAtAnEndThatRoundingSeparatesFromAMultiple) {
  ASSERT_LT(3 * 0.7, 2.1);
  TemporaryFolder folder;
  CounterRun run;
  run.schedule.measure_every = 0.7;
  run.goal.time = 2.1;
  run.start(folder / "a.h5");
  EXPECT_THAT(numbers(folder / "a.h5", "/observables/count/time"), ElementsAre(0, 0.7, 1.4, 2.1));
}

TEST(RunLoop, MeasuresAtTheEndThoughItIsNoMultiple) {
  TemporaryFolder folder;
  CounterRun run;
  run.schedule.measure_every = 4;
  run.start(folder / "a.h5");
  EXPECT_THAT(numbers(folder / "a.h5", "/observables/count/time"), ElementsAre(0, 4, 8, 10));
}

TEST(RunLoop, MeasuresAtStartAndEndWithoutAnInterval) {
  TemporaryFolder folder;
  CounterRun run;
  run.schedule.measure_every = 0;
  run.start(folder / "a.h5");
  EXPECT_THAT(numbers(folder / "a.h5", "/observables/count/time"), ElementsAre(0, 10));
  EXPECT_THAT(numbers(folder / "a.h5", "/fields/cells/time"), ElementsAre(10));
}

TEST(RunLoop, TakesFieldsAtTheirOwnInterval) {
  TemporaryFolder folder;
  CounterRun run;
  run.schedule = {2.5, 4};
  run.start(folder / "a.h5");
  EXPECT_THAT(numbers(folder / "a.h5", "/observables/count/time"), ElementsAre(0, 2.5, 5, 7.5, 10));
  EXPECT_THAT(numbers(folder / "a.h5", "/fields/cells/time"), ElementsAre(0, 4, 8, 10));
}

TEST(RunLoop, EndsAtAGoalInWorkRightAfterTheLastEvent) {
  TemporaryFolder folder;
  CounterRun run;
  run.goal = {std::numeric_limits<double>::infinity(), 5};
  run.schedule.measure_every = 0;
  EXPECT_EQ(run.start(folder / "a.h5"), Ending::goal_reached);
  EXPECT_EQ(InputFile(folder / "a.h5").read<std::int64_t>("/observables/count/step"),
            (std::vector<std::int64_t>{0, 5}));
  EXPECT_EQ(numbers(folder / "a.h5", "/observables/count/time").back(),
            numbers(folder / "a.h5", "/history/events/time").back());
}

TEST(RunLoop, RecordsReplicasThatReachTheirGoalAtDifferentTimes) {
  TemporaryFolder folder;
  CounterRun run;
  run.replicas = 3;
  run.goal = {20, 12};
  EXPECT_EQ(run.start(folder / "a.h5"), Ending::goal_reached);
  const auto times = numbers(folder / "a.h5", "/observables/count/time");
  const auto counts = numbers(folder / "a.h5", "/observables/count/value");
  ASSERT_EQ(times.size(), counts.size());
  for (std::size_t r = times.size() - 3; r < times.size(); ++r) EXPECT_EQ(counts[r], 12);
  const std::size_t rows = times.size() / 3;
  EXPECT_GT(times[0 + 3 * (rows - 1)] + times[1 + 3 * (rows - 1)] + times[2 + 3 * (rows - 1)], 0);
}

TEST(RunLoop, InterruptedAnywhereAndRestartedRecordsTheSame) {
  TemporaryFolder folder;
  CounterRun whole;
  whole.schedule = {0.3, 2};
  whole.replicas = 2;
  ASSERT_EQ(whole.start(folder / "whole.h5"), Ending::goal_reached);

  for (const int looks : {0, 1, 2, 7, 20, 33}) {
    CounterRun run;
    run.schedule = whole.schedule;
    run.replicas = 2;
    run.signal_after_looks = looks;
    int parts = 1;
    Ending ending = run.start(folder / "parts.h5");
    EXPECT_EQ(ending, Ending::stop_signal);
    for (; ending == Ending::stop_signal && parts < 1000; ++parts) {
      run.looks_for_signal = 0;
      run.signal_after_looks = looks + parts % 3 + 2;
      ending = run.restart(folder / "parts.h5");
    }
    EXPECT_EQ(ending, Ending::goal_reached);
    EXPECT_GT(parts, 2);
    expect_same_records(folder / "whole.h5", folder / "parts.h5");
  }
}

void expect_same_averages(const tessera::io::Averages& a, const tessera::io::Averages& b) {
  EXPECT_EQ(a.from, b.from);
  EXPECT_EQ(a.rows, b.rows);
  ASSERT_EQ(a.observables.size(), b.observables.size());
  for (std::size_t i = 0; i < a.observables.size(); ++i) {
    EXPECT_EQ(a.observables[i].name, b.observables[i].name);
    EXPECT_EQ(a.observables[i].mean, b.observables[i].mean);
    EXPECT_EQ(a.observables[i].error, b.observables[i].error);
    EXPECT_EQ(a.observables[i].values, b.observables[i].values);
  }
}

TEST(RunLoop, AveragesTheMeasurementsAfterATime) {
  TemporaryFolder folder;
  CounterRun run;
  run.schedule = {0.125, 0};
  run.schedule.average_from = 4;
  run.replicas = 3;
  run.start(folder / "a.h5");
  const auto counts = numbers(folder / "a.h5", "/observables/count/value");
  ASSERT_THAT(counts, SizeIs(81 * 3));
  ASSERT_THAT(run.averages.observables, SizeIs(1));
  const auto& average = run.averages.observables[0];
  EXPECT_EQ(average.name, "count");
  EXPECT_EQ(run.averages.rows, 48u);
  double all = 0;
  for (std::size_t r = 0; r < 3; ++r) {
    double sum = 0;
    for (std::size_t row = 33; row < 81; ++row) sum += counts[3 * row + r];  // from 4.125 on
    EXPECT_DOUBLE_EQ(average.values.at(r), sum / 48);
    all += sum;
  }
  EXPECT_DOUBLE_EQ(average.mean, all / 144);
  EXPECT_EQ(numbers(folder / "a.h5", "/averages/observables/count/mean"), (std::vector<double>{average.mean}));
  EXPECT_EQ(numbers(folder / "a.h5", "/averages/observables/count/error"), (std::vector<double>{average.error}));
  EXPECT_EQ(numbers(folder / "a.h5", "/averages/observables/count/value"), average.values);
  // Blocks of four: the largest power of two of which there are 32 in all.
  std::vector<double> samples;
  for (std::size_t row = 33; row < 81; row += 4)
    for (std::size_t r = 0; r < 3; ++r)
      samples.push_back(
          (counts[3 * row + r] + counts[3 * row + 3 + r] + counts[3 * row + 6 + r] + counts[3 * row + 9 + r]) / 4);
  double squares = 0;
  for (const double sample : samples) squares += std::pow(sample - average.mean, 2);
  EXPECT_NEAR(average.error, std::sqrt(squares / 35 / 36), 1e-12);
}

// A replica that has had its events stays as it is, and would count again and again.
TEST(RunLoop, AveragesNoMeasurementsOfReplicasAtDifferentTimes) {
  TemporaryFolder folder;
  CounterRun run;
  run.schedule = {0.25, 0};
  run.schedule.average_from = 0;
  run.replicas = 3;
  run.goal = {1000, 12};
  run.start(folder / "a.h5");
  const auto times = numbers(folder / "a.h5", "/observables/count/time");
  const auto counts = numbers(folder / "a.h5", "/observables/count/value");
  double sum = 0, rows = 0;
  for (std::size_t i = 3; i < times.size(); i += 3) {
    if (times[i] != times[i + 1] || times[i] != times[i + 2]) continue;
    ++rows;
    sum += counts[i] + counts[i + 1] + counts[i + 2];
  }
  ASSERT_LT(rows, static_cast<double>(times.size()) / 3 - 1);
  EXPECT_EQ(static_cast<double>(run.averages.rows), rows);
  EXPECT_DOUBLE_EQ(run.averages.observables.at(0).mean, sum / rows / 3);
}

TEST(RunLoop, InterruptedAnywhereAndRestartedAveragesTheSame) {
  TemporaryFolder folder;
  for (const int replicas : {1, 2}) {
    CounterRun whole;
    whole.schedule = {0.07, 0};
    whole.schedule.average_from = 1;
    whole.replicas = replicas;
    ASSERT_EQ(whole.start(folder / "whole.h5"), Ending::goal_reached);
    CounterRun run;
    run.schedule = whole.schedule;
    run.replicas = replicas;
    run.signal_after_looks = 3;
    int parts = 1;
    for (Ending ending = run.start(folder / "parts.h5"); ending == Ending::stop_signal; ++parts) {
      ASSERT_LT(parts, 1000);
      run.looks_for_signal = 0;
      run.signal_after_looks = parts % 13 + 2;
      ending = run.restart(folder / "parts.h5");
    }
    EXPECT_GT(parts, 10);
    expect_same_averages(run.averages, whole.averages);
  }
}

TEST(RunLoop, RestartedWithAnotherTimeAveragesFromThereOn) {
  TemporaryFolder folder;
  CounterRun whole;
  whole.schedule = {0.1, 0};
  whole.schedule.average_from = 2;
  whole.start(folder / "whole.h5");
  CounterRun run;
  run.schedule = {0.1, 0};
  run.goal.time = 5;
  run.start(folder / "a.h5");
  EXPECT_THAT(run.averages.observables, SizeIs(0));
  EXPECT_FALSE(InputFile(folder / "a.h5").has("/averages"));
  run.schedule.average_from = 2;
  run.goal.time = 10;
  run.restart(folder / "a.h5");
  expect_same_averages(run.averages, whole.averages);
}

TEST(RunLoop, CheckpointsAndProgressOnTheWayChangeNothing) {
  TemporaryFolder folder;
  CounterRun whole;
  whole.start(folder / "whole.h5");
  EXPECT_EQ(whole.publishes, 1);
  CounterRun watched;
  watched.checkpoint_every = 0.01;
  watched.progress_style = ProgressStyle::line;
  watched.start(folder / "watched.h5");
  EXPECT_GT(watched.publishes, 3);
  EXPECT_GT(watched.calls_of_advance, whole.calls_of_advance);
  expect_same_records(folder / "whole.h5", folder / "watched.h5");
}

TEST(RunLoop, GetsToItsEndThoughACheckpointIsAlwaysDue) {
  TemporaryFolder folder;
  CounterRun run;
  run.checkpoint_every = 1e-9;
  run.signal_after_looks = 2000;  // else a failure would be a test without end
  EXPECT_EQ(run.start(folder / "a.h5"), Ending::goal_reached);
  EXPECT_GT(run.publishes, 1);
  EXPECT_LT(run.publishes_seconds, 0.2 * run.now);
}

TEST(RunLoop, SaysSoIfItsRecordsLeaveNoHopeOfAnEnd) {
  TemporaryFolder folder;
  CounterRun run;
  run.goal = {std::numeric_limits<double>::infinity(), 5};
  run.schedule = {1e-12, 0};
  run.signal_after_looks = 300000;
  try {
    run.start(folder / "a.h5");
    ADD_FAILURE() << "went on after " << run.looks_for_signal << " looks";
  } catch (const tessera::RunError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("--measure-every 1e-12: after 100000 of these times only 0 of"));
  }
  EXPECT_THAT(folder.names(), ::testing::IsEmpty());
}

TEST(RunLoop, StopsBeforeTheWallLimitAndGoesOn) {
  TemporaryFolder folder;
  CounterRun whole;
  whole.goal.time = 100;
  whole.start(folder / "whole.h5");
  CounterRun run;
  run.goal.time = 100;
  run.wall_limit = 0.1;
  ASSERT_EQ(run.start(folder / "a.h5"), Ending::wall_limit);
  EXPECT_LT(run.now, run.wall_limit);
  EXPECT_EQ(run.publishes, 1);
  run.wall_limit = std::numeric_limits<double>::infinity();
  EXPECT_EQ(run.restart(folder / "a.h5"), Ending::goal_reached);
  expect_same_records(folder / "whole.h5", folder / "a.h5");
}

TEST(RunLoop, LaterGoalContinuesAFinishedRun) {
  TemporaryFolder folder;
  CounterRun whole;
  whole.start(folder / "whole.h5");
  CounterRun run;
  run.goal.time = 4;
  run.start(folder / "a.h5");
  run.goal.time = 10;
  EXPECT_EQ(run.restart(folder / "a.h5"), Ending::goal_reached);
  EXPECT_EQ(numbers(folder / "whole.h5", "/observables/count/time"),
            numbers(folder / "a.h5", "/observables/count/time"));
  EXPECT_EQ(numbers(folder / "whole.h5", "/observables/count/value"),
            numbers(folder / "a.h5", "/observables/count/value"));
}

TEST(RunLoop, LaterGoalDoesNotSkipTheStopThatAGoalInWorkCameBefore) {
  TemporaryFolder folder;
  CounterRun run;
  run.schedule = {4, 4};
  run.goal = {10, 2};
  run.start(folder / "a.h5");
  const double end = numbers(folder / "a.h5", "/observables/count/time").back();
  ASSERT_LT(end, 4);
  run.goal = {10};
  EXPECT_EQ(run.restart(folder / "a.h5"), Ending::goal_reached);
  EXPECT_THAT(numbers(folder / "a.h5", "/observables/count/time"), ElementsAre(0, end, 4, 8, 10));
  EXPECT_THAT(numbers(folder / "a.h5", "/fields/cells/time"), ElementsAre(0, end, 4, 8, 10));
}

TEST(RunLoop, FailedWriteLeavesTheFileAsItWas) {
  TemporaryFolder folder;
  CounterRun run;
  run.goal.time = 2;
  run.start(folder / "a.h5");
  const auto before = tessera::testing::read_file(folder / "a.h5");
  class Unsaveable : public CounterProcess {
   public:
    using CounterProcess::CounterProcess;
    void save(tessera::io::CheckpointWriter&) const override { throw tessera::RunError("lost device"); }
  };
  Unsaveable counter(7, 1, {5});
  auto output = OutputFile::append(folder / "a.h5", "kmc");
  std::ostringstream terminal;
  Progress progress(ProgressStyle::silent, terminal, "counts/s");
  WallClock clock;
  clock.elapsed = [] { return 0.0; };
  RunLoop loop(counter, output, progress, {}, clock, [] { return 0; }, [&] { output.provenance({}); }, "input");
  EXPECT_THROW(loop.run(), tessera::RunError);
  EXPECT_EQ(tessera::testing::read_file(folder / "a.h5"), before);
  EXPECT_THAT(folder.names(), ElementsAre(".a.h5.lock", "a.h5"));
}

}  // namespace
