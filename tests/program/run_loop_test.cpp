// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/run_loop.hpp"

#include <functional>
#include <sstream>
#include <tessera/core/error.hpp>
#include <tessera/io/input_file.hpp>

#include "tests/matchers.hpp"
#include "tests/program/counter_run.hpp"
#include "tests/program/temporary_folder.hpp"

namespace tessera::testing {
namespace {

using io::InputFile;
using io::OutputFile;
using program::Ending;
using program::Progress;
using program::ProgressStyle;
using program::RunLoop;
using program::Schedule;
using program::WallClock;

void expect_same_records(const std::filesystem::path& a, const std::filesystem::path& b) {
  for (const std::string dataset : {"/observables/count/value", "/observables/count/time", "/fields/cells/value",
                                    "/fields/cells/time", "/history/events/time"}) {
    EXPECT_EQ(numbers(a, dataset), numbers(b, dataset)) << dataset;
  }
  for (const std::string dataset : {"/observables/count/step", "/fields/cells/step"}) {
    EXPECT_EQ(InputFile(a).read<std::int64_t>(dataset), InputFile(b).read<std::int64_t>(dataset)) << dataset;
  }
}

TEST(RunLoop, MeasuresAtExactMultiplesOfTheInterval) {
  TemporaryFolder folder;
  CounterRun run;
  run.schedule.measure_every = 0.1;
  EXPECT_EQ(run.start(folder / "a.h5"), Ending::stopping_time);
  const auto times = numbers(folder / "a.h5", "/observables/count/time");
  ASSERT_THAT(times, SizeIs(101));
  for (std::size_t k = 0; k < times.size(); ++k) EXPECT_EQ(times[k], static_cast<double>(k) * 0.1);
}

TEST(RunLoop, MeasuresOnceAtAnEndNextToAMultiple) {
  ASSERT_LT(3 * 0.7, 2.1);
  TemporaryFolder folder;
  CounterRun run;
  run.schedule.measure_every = 0.7;
  run.stopping_time.time = 2.1;
  run.start(folder / "a.h5");
  EXPECT_THAT(numbers(folder / "a.h5", "/observables/count/time"), ElementsAre(0, 0.7, 1.4, 2.1));
}

TEST(RunLoop, MeasuresAtTheEndIfItIsNoMultiple) {
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

TEST(RunLoop, RecordsFieldsAtTheirOwnInterval) {
  TemporaryFolder folder;
  CounterRun run;
  run.schedule = {2.5, 4};
  run.start(folder / "a.h5");
  EXPECT_THAT(numbers(folder / "a.h5", "/observables/count/time"), ElementsAre(0, 2.5, 5, 7.5, 10));
  EXPECT_THAT(numbers(folder / "a.h5", "/fields/cells/time"), ElementsAre(0, 4, 8, 10));
}

TEST(RunLoop, EndsAfterTheLastRequestedEvent) {
  TemporaryFolder folder;
  CounterRun run;
  run.stopping_time = {std::numeric_limits<double>::infinity(), 5};
  run.schedule.measure_every = 0;
  EXPECT_EQ(run.start(folder / "a.h5"), Ending::stopping_time);
  EXPECT_EQ(InputFile(folder / "a.h5").read<std::int64_t>("/observables/count/step"),
            (std::vector<std::int64_t>{0, 5}));
  EXPECT_EQ(numbers(folder / "a.h5", "/observables/count/time").back(),
            numbers(folder / "a.h5", "/history/events/time").back());
}

TEST(RunLoop, RecordsReplicasThatEndAtDifferentTimes) {
  TemporaryFolder folder;
  CounterRun run;
  run.replicas = 3;
  run.stopping_time = {20, 12};
  EXPECT_EQ(run.start(folder / "a.h5"), Ending::stopping_time);
  const auto times = numbers(folder / "a.h5", "/observables/count/time");
  const auto counts = numbers(folder / "a.h5", "/observables/count/value");
  ASSERT_EQ(times.size(), counts.size());
  for (std::size_t r = times.size() - 3; r < times.size(); ++r) EXPECT_EQ(counts[r], 12);
  const std::size_t rows = times.size() / 3;
  EXPECT_GT(times[0 + 3 * (rows - 1)] + times[1 + 3 * (rows - 1)] + times[2 + 3 * (rows - 1)], 0);
}

// Mean waiting times of the counter are 0.5.
TEST(RunLoop, MeasuresAtMultiplesOfTheTimeOfTheRequestedEvents) {
  TemporaryFolder folder;
  for (const double work : {9., 33.}) {
    CounterRun fine, run;
    fine.schedule.measure_every = 0.001;
    fine.replicas = run.replicas = 2;
    fine.stopping_time.time = run.stopping_time.time = 60;
    fine.start(folder / "fine.h5");
    const auto steps = InputFile(folder / "fine.h5").read<std::int64_t>("/observables/count/step");
    const auto rate = [&](double from, double to) {
      const auto work_until = [&](double time) { return steps.at(static_cast<std::size_t>(std::lround(1000 * time))); };
      return static_cast<double>(work_until(to) - work_until(from)) / (to - from);
    };
    double interval = 0, last = 0;
    for (const double time : {0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1., 2., 5., 10., 20.}) {
      if (interval == 0 && rate(last, time) * time >= work) interval = time;
      last = time;
    }
    run.schedule.measure_every = 0;
    run.schedule.measure_work = work;
    EXPECT_EQ(run.start(folder / "run.h5"), Ending::stopping_time);
    const auto times = numbers(folder / "run.h5", "/observables/count/time");
    ASSERT_THAT(times, SizeIs(1 + std::lround(60 / interval)));
    for (std::size_t k = 0; k < times.size(); ++k) EXPECT_EQ(times[k], static_cast<double>(k) * interval) << work;
  }
}

/// 100 events until about 0.05, and about 4 per unit of time later.
void let_become_slow(CounterRun& run) {
  run.replicas = 2;
  run.stopping_time = {200, std::numeric_limits<std::int64_t>::max(), 50};
  Schedule by_work;
  by_work.measure_work = 10;
  by_work.average_from = {0, false};
  run.schedule = by_work;
}

TEST(RunLoop, LengthensIntervalsIfEventsBecomeRare) {
  TemporaryFolder folder;
  CounterRun run;
  let_become_slow(run);
  EXPECT_EQ(run.start(folder / "a.h5"), Ending::stopping_time);
  const auto times = numbers(folder / "a.h5", "/observables/count/time");
  const auto first = std::ranges::find_if(times, [](double time) { return time > 0.2; });
  ASSERT_NE(first, times.end());
  EXPECT_THAT(std::vector(times.begin(), first), SizeIs(::testing::Gt(5))) << "of the frequent events";
  EXPECT_THAT(*first, ::testing::AnyOf(2, 5)) << "for 10 events at 4 per unit of time";
  for (auto time = first; time != times.end(); ++time) EXPECT_EQ(*time, static_cast<double>(time - first + 1) * *first);
  EXPECT_EQ(run.averages.from, *first);
  EXPECT_EQ(run.averages.rows, times.end() - first - 1);
}

TEST(RunLoop, MeasuresAtStartAndEndIfEventsAreTooFew) {
  TemporaryFolder folder;
  CounterRun run;
  run.schedule = {};
  run.schedule.measure_work = 1e6;
  EXPECT_EQ(run.start(folder / "a.h5"), Ending::stopping_time);
  EXPECT_THAT(numbers(folder / "a.h5", "/observables/count/time"), ElementsAre(0, 10));
}

void expect_the_same_if_interrupted_anywhere_and_restarted(const std::vector<int>& signals,
                                                           const std::function<void(CounterRun&)>& set) {
  TemporaryFolder folder;
  CounterRun whole;
  set(whole);
  ASSERT_EQ(whole.start(folder / "whole.h5"), Ending::stopping_time);

  for (const int looks : signals) {
    CounterRun run;
    set(run);
    run.signal_after_looks = looks;
    int parts = 1;
    Ending ending = run.start(folder / "parts.h5");
    EXPECT_EQ(ending, Ending::stop_signal);
    for (; ending == Ending::stop_signal && parts < 1000; ++parts) {
      run.looks_for_signal = 0;
      run.signal_after_looks = looks + parts % 3 + 2;
      ending = run.restart(folder / "parts.h5");
    }
    EXPECT_EQ(ending, Ending::stopping_time);
    EXPECT_GT(parts, 2);
    expect_same_records(folder / "whole.h5", folder / "parts.h5");
  }
}

TEST(RunLoop, InterruptedAnywhereAndRestartedRecordsTheSame) {
  expect_the_same_if_interrupted_anywhere_and_restarted({0, 2, 20}, [](CounterRun& run) {
    run.schedule = {0.3, 2};
    run.replicas = 2;
  });
}

TEST(RunLoop, InterruptedDuringAChangeOfIntervalRecordsTheSame) {
  expect_the_same_if_interrupted_anywhere_and_restarted({20, 33}, [](CounterRun& run) {
    let_become_slow(run);
    run.stopping_time.time = 10;
    run.schedule.field_every = 2;
  });
}

TEST(RunLoop, AfterAnErrorARestartGivesTheSameRun) {
  TemporaryFolder folder;
  CounterRun whole;
  whole.schedule = {0.3, 2};
  ASSERT_EQ(whole.start(folder / "whole.h5"), Ending::stopping_time);
  for (const bool measuring : {false, true}) {
    CounterRun run;
    run.schedule = whole.schedule;
    run.fails_at_event = measuring ? -1 : 8;
    if (measuring) run.immeasurable_from = 5;
    EXPECT_EQ(run.start(folder / "parts.h5"), Ending::error);
    EXPECT_EQ(run.error, measuring ? "cannot be measured" : "no event after this");
    EXPECT_GT(numbers(folder / "parts.h5", "/observables/count/value").size(), 3);
    EXPECT_EQ(run.restart(folder / "parts.h5"), Ending::error);
    CounterRun rest;
    rest.schedule = whole.schedule;
    EXPECT_EQ(rest.restart(folder / "parts.h5"), Ending::stopping_time);
    expect_same_records(folder / "whole.h5", folder / "parts.h5");
  }
}

TEST(RunLoop, StoppedBeforeItComputesWritesQuickly) {
  TemporaryFolder folder;
  for (const std::size_t size : {std::size_t{1000}, std::size_t{1} << 40}) {
    CounterRun run;
    run.size = size;
    run.signal_after_looks = 0;
    EXPECT_EQ(run.start(folder / "a.h5"), Ending::stop_signal);
    EXPECT_EQ(run.publishes, size > 1000 ? 0 : 1);
  }
  CounterRun later;
  later.size = std::size_t{1} << 40;
  later.signal_after_looks = 5;
  EXPECT_EQ(later.start(folder / "b.h5"), Ending::stop_signal);
  EXPECT_EQ(later.publishes, 1) << "it has computed";
  later.signal_after_looks = later.looks_for_signal = 0;
  EXPECT_EQ(later.restart(folder / "b.h5"), Ending::stop_signal);
  EXPECT_EQ(later.publishes, 2);
}

TEST(RunLoop, CheckpointsAndProgressDoNotChangeTheRun) {
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

TEST(RunLoop, ReachesItsEndIfACheckpointIsAlwaysDue) {
  TemporaryFolder folder;
  CounterRun run;
  run.checkpoint_every = 1e-9;
  run.signal_after_looks = 2000;  // else a failure would be a test without end
  EXPECT_EQ(run.start(folder / "a.h5"), Ending::stopping_time);
  EXPECT_GT(run.publishes, 1);
  EXPECT_LT(run.publishes_seconds, 0.2 * run.now);
}

TEST(RunLoop, RateExcludesTheTimeOfWriting) {
  TemporaryFolder folder;
  CounterRun fast_disk, slow_disk;
  slow_disk.seconds_of_writing = 100;
  fast_disk.start(folder / "fast.h5");
  slow_disk.start(folder / "slow.h5");
  EXPECT_GT(fast_disk.rate, 0);
  EXPECT_NEAR(slow_disk.rate, fast_disk.rate, 1e-6 * fast_disk.rate);
}

TEST(RunLoop, ReportsIfRecordsTakeTooLong) {
  TemporaryFolder folder;
  CounterRun run;
  run.stopping_time = {std::numeric_limits<double>::infinity(), 5};
  run.schedule = {1e-12, 0};
  run.signal_after_looks = 300000;
  EXPECT_EQ(run.start(folder / "a.h5"), Ending::error) << "went on after " << run.looks_for_signal << " looks";
  EXPECT_THAT(run.error, ::testing::HasSubstr("--measure-every 1e-12: after 100000 rows only the fraction 0 of"));
  EXPECT_THAT(numbers(folder / "a.h5", "/observables/count/value"), SizeIs(100000)) << "the rows up to there";
}

TEST(RunLoop, StopsBeforeTheWallLimitAndContinues) {
  TemporaryFolder folder;
  CounterRun whole;
  whole.stopping_time.time = 100;
  whole.start(folder / "whole.h5");
  CounterRun run;
  run.stopping_time.time = 100;
  run.wall_limit = 0.1;
  ASSERT_EQ(run.start(folder / "a.h5"), Ending::wall_limit);
  EXPECT_LT(run.now, run.wall_limit);
  EXPECT_EQ(run.publishes, 1);
  run.wall_limit = std::numeric_limits<double>::infinity();
  EXPECT_EQ(run.restart(folder / "a.h5"), Ending::stopping_time);
  expect_same_records(folder / "whole.h5", folder / "a.h5");
}

TEST(RunLoop, LaterStoppingTimeContinuesAFinishedRun) {
  TemporaryFolder folder;
  CounterRun whole;
  whole.start(folder / "whole.h5");
  CounterRun run;
  run.stopping_time.time = 4;
  run.start(folder / "a.h5");
  run.stopping_time.time = 10;
  EXPECT_EQ(run.restart(folder / "a.h5"), Ending::stopping_time);
  EXPECT_EQ(numbers(folder / "whole.h5", "/observables/count/time"),
            numbers(folder / "a.h5", "/observables/count/time"));
  EXPECT_EQ(numbers(folder / "whole.h5", "/observables/count/value"),
            numbers(folder / "a.h5", "/observables/count/value"));
}

TEST(RunLoop, LaterStoppingTimeKeepsTheNextMeasurement) {
  TemporaryFolder folder;
  CounterRun run;
  run.schedule = {4, 4};
  run.stopping_time = {10, 2};
  run.start(folder / "a.h5");
  const double end = numbers(folder / "a.h5", "/observables/count/time").back();
  ASSERT_LT(end, 4);
  run.stopping_time = {10};
  EXPECT_EQ(run.restart(folder / "a.h5"), Ending::stopping_time);
  EXPECT_THAT(numbers(folder / "a.h5", "/observables/count/time"), ElementsAre(0, end, 4, 8, 10));
  EXPECT_THAT(numbers(folder / "a.h5", "/fields/cells/time"), ElementsAre(0, end, 4, 8, 10));
}

TEST(RunLoop, FailedWriteKeepsTheFile) {
  TemporaryFolder folder;
  CounterRun run;
  run.stopping_time.time = 2;
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
  RunLoop loop(counter, {}, {&output, progress, clock, [] { return 0; }, [&] { output.provenance({}); }, "input"});
  EXPECT_THROW(loop.run(), tessera::RunError);
  EXPECT_EQ(tessera::testing::read_file(folder / "a.h5"), before);
  EXPECT_THAT(folder.names(), ElementsAre(".a.h5.lock", "a.h5"));
}

}  // namespace
}  // namespace tessera::testing
