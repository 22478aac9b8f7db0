// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/averager.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <tessera/analysis/moments.hpp>
#include <tessera/io/input_file.hpp>
#include <utility>

#include "tests/matchers.hpp"
#include "tests/program/averaged_quantities.hpp"
#include "tests/program/counter_run.hpp"
#include "tests/program/temporary_folder.hpp"

namespace tessera::testing {
namespace {

void expect_same_averages(const io::Averages& a, const io::Averages& b) {
  EXPECT_EQ(a.from, b.from);
  EXPECT_EQ(a.rows, b.rows);
  ASSERT_EQ(a.observables.size(), b.observables.size());
  for (std::size_t i = 0; i < a.observables.size(); ++i) {
    EXPECT_EQ(a.observables[i].name, b.observables[i].name);
    EXPECT_EQ(a.observables[i].mean, b.observables[i].mean);
    EXPECT_EQ(a.observables[i].error, b.observables[i].error);
    EXPECT_EQ(a.observables[i].values, b.observables[i].values);
  }
  ASSERT_EQ(a.stationarity.size(), b.stationarity.size());
  for (std::size_t i = 0; i < a.stationarity.size(); ++i) {
    EXPECT_EQ(a.stationarity[i].first, b.stationarity[i].first);
    EXPECT_EQ(a.stationarity[i].second.error, b.stationarity[i].second.error);
    EXPECT_EQ(a.stationarity[i].second.autocorrelation_rows, b.stationarity[i].second.autocorrelation_rows);
  }
}

TEST(Averager, AveragesTheMeasurementsAfterATime) {
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
  // Counts grow: the window has less than five times of what is no autocorrelation time.
  EXPECT_TRUE(std::isnan(average.error));
  EXPECT_TRUE(std::isnan(numbers(folder / "a.h5", "/averages/observables/count/error").at(0)));
  EXPECT_EQ(numbers(folder / "a.h5", "/averages/observables/count/value"), average.values);
}

// A replica that has had its events stays as it is, and would count again and again.
TEST(Averager, AveragesNoMeasurementsOfReplicasAtDifferentTimes) {
  TemporaryFolder folder;
  CounterRun run;
  run.schedule = {0.25, 0};
  run.schedule.average_from = 0;
  run.replicas = 3;
  run.stopping_time = {1000, 12};
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

TEST(Averager, GivesTheSameAfterRestarts) {
  TemporaryFolder folder;
  for (const auto& [replicas, from] : {std::pair{1, program::AverageFrom(1)}, std::pair{2, program::AverageFrom(1)},
                                       std::pair{2, program::AverageFrom(0, true)}}) {
    CounterRun whole;
    whole.schedule = {0.07, 0};
    whole.schedule.average_from = from;
    whole.replicas = replicas;
    ASSERT_EQ(whole.start(folder / "whole.h5"), Ending::stopping_time);
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
    EXPECT_EQ(whole.averages.from > 1, from.is_chosen);  // counts grow
  }
}

TEST(Averager, AveragesFromTheTimeOfARestart) {
  TemporaryFolder folder;
  CounterRun whole;
  whole.schedule = {0.1, 0};
  whole.schedule.average_from = 2;
  whole.start(folder / "whole.h5");
  CounterRun run;
  run.schedule = {0.1, 0};
  run.stopping_time.time = 5;
  run.start(folder / "a.h5");
  EXPECT_THAT(run.averages.observables, SizeIs(0));
  EXPECT_FALSE(io::InputFile(folder / "a.h5").has("/averages"));
  run.schedule.average_from = 2;
  run.stopping_time.time = 10;
  run.restart(folder / "a.h5");
  expect_same_averages(run.averages, whole.averages);
}

// As where a file was begun by a version that did not measure all of them.
TEST(Averager, OmitsObservablesThatWereNotAlwaysMeasured) {
  AveragedQuantities quantities;
  quantities.functions_of_means = analysis::cumulants_of_averages();
  program::Averager averager(0, quantities);
  for (int i = 1; i <= 40; ++i) {
    averager.add({"roughness", "", {1.0 + i % 3}, {}}, {1.0 * i});
    averager.add({"moment_3", "", {1.0 * i}, {}}, {1.0 * i});
    if (i > 1) averager.add({"moment_4", "", {3.0 * i}, {}}, {1.0 * i});
  }
  const auto averages = averager.averages();
  EXPECT_EQ(averages.rows, 40u);
  ASSERT_THAT(averages.observables, SizeIs(2));
  EXPECT_EQ(averages.observables[0].name, "moment_3");
  EXPECT_EQ(averages.observables[1].name, "roughness");
}

// Of counters the growth between measurements, per site: the first one counts from the last measurement before the
// time.
TEST(Averager, AveragesTheRatesOfCounters) {
  AveragedQuantities quantities;
  quantities.is_steady = [](const std::string& name) { return name == "steady"; };
  quantities.counter = "counter";
  quantities.rate = {4, "1/s"};
  program::Averager averager(2, quantities);
  const double counts[][2] = {{0, 0}, {7, 1}, {10, 3}, {18, 5}, {22, 11}, {26, 15}};
  for (std::size_t i = 0; i < 19; ++i) {
    const double time = static_cast<double>(i);
    averager.add(Observable{"steady", "", {1, 1}}, {time});
    averager.add(
        Observable{"counter", "", {counts[std::min<std::size_t>(i, 5)][0], counts[std::min<std::size_t>(i, 5)][1]}},
        {time});
    averager.add(Observable{"other", "", {1, 1}}, {time});
  }
  const io::Averages averages = averager.averages();
  EXPECT_EQ(averages.rows, 16u);
  ASSERT_THAT(averages.observables, SizeIs(2));
  EXPECT_EQ(averages.observables[0].name, "counter_rate");
  EXPECT_EQ(averages.observables[0].unit, "1/s");
  EXPECT_DOUBLE_EQ(averages.observables[0].values.at(0), (26 - 10) / 64.0);
  EXPECT_DOUBLE_EQ(averages.observables[0].values.at(1), (15 - 3) / 64.0);
}

/// Averages of rows of two replicas at the times 1, 2, ...: of a steady noise, of what `drifts` makes of the time, and
/// of a counter of events with a steady rate.
io::Averages averages_of(const std::function<double(int)>& drifts, const program::AverageFrom& from = 0) {
  AveragedQuantities quantities;
  quantities.is_steady = [](const std::string& name) { return name != "events"; };
  quantities.counter = "events";
  quantities.rate = {1, "1/s"};
  program::Averager averager(from, quantities);
  std::mt19937 random(1);
  const auto noise = [&] { return static_cast<double>(random() >> 8) * 0x1p-24; };
  double a = 0, b = 0;
  averager.add(Observable{"events", "", {0, 0}}, {0});
  for (int i = 1; i <= 400; ++i) {
    averager.add(Observable{"noise", "", {noise(), noise()}}, {1.0 * i});
    averager.add(Observable{"coverage", "", {drifts(i) + noise(), drifts(i) + noise()}}, {1.0 * i});
    averager.add(Observable{"events", "", {a += noise(), b += noise()}}, {1.0 * i});
  }
  return averager.averages();
}

std::map<std::string, TestResult> results_of(const io::Averages& averages) {
  std::map<std::string, TestResult> all;
  for (const auto& [name, judged] : averages.stationarity) all[name] = judged.result();
  return all;
}

// A surface that fills up has no steady rate, even if the events of the window look so.
TEST(Averager, GivesARateTheWorstStationarityOfAllObservables) {
  auto found = results_of(averages_of([](int) { return 0; }));
  EXPECT_EQ(found["events_rate"], TestResult::stationary);
  EXPECT_EQ(found["coverage"], TestResult::stationary);
  found = results_of(averages_of([](int i) { return 0.01 * i; }));
  EXPECT_EQ(found["events_rate"], TestResult::drifting);
  EXPECT_EQ(found["coverage"], TestResult::drifting);
  EXPECT_EQ(found["noise"], TestResult::stationary);
}

TEST(Averager, ReportsNoStationaryPartIfTheChosenTimeIsAtTheBound) {
  auto found = results_of(averages_of([](int i) { return 0.01 * i; }, {0, true}));
  EXPECT_EQ(found["coverage"], TestResult::none_found);
  EXPECT_EQ(found["events_rate"], TestResult::none_found);
  EXPECT_EQ(found["noise"], TestResult::stationary);
  EXPECT_EQ(result_text(found["coverage"]), std::string("no stationary part found"));
}

TEST(Averager, GivesAChosenWindowTheResultsOfTheSameGivenWindow) {
  const auto settles = [](int i) { return 5 * std::exp(-i / 8.0); };
  const auto chosen = averages_of(settles, {0, true}), by_hand = averages_of(settles, chosen.from);
  EXPECT_GT(chosen.from, 20);
  EXPECT_EQ(results_of(chosen), results_of(by_hand));
  ASSERT_EQ(chosen.observables.size(), by_hand.observables.size());
  for (std::size_t i = 0; i < chosen.observables.size(); ++i) {
    EXPECT_NEAR(chosen.observables[i].mean, by_hand.observables[i].mean, 1e-12);
    EXPECT_NEAR(chosen.observables[i].error, by_hand.observables[i].error, 1e-12);
    EXPECT_NEAR(chosen.observables[i].tau, by_hand.observables[i].tau, 1e-9);
  }
}

// The powers of what changes its sign seldom, and what shares their fluctuations, have seen as little of it.
TEST(Averager, CallsAWindowTooShortForObservablesWithSlowFluctuations) {
  std::mt19937 random(2);
  const auto noise = [&] { return static_cast<double>(random() >> 8) * 0x1p-24 - 0.5; };
  const AveragedQuantities quantities;
  program::Averager averager(0, quantities);
  double slow = 0;
  for (int i = 1; i <= 400; ++i) {
    slow = 0.97 * slow + noise();
    averager.add(Observable{"m", "", {slow}}, {1.0 * i});
    averager.add(Observable{"m_2", "", {noise()}}, {1.0 * i});
    averager.add(Observable{"shares", "", {slow + 2 * noise()}}, {1.0 * i});
    averager.add(Observable{"noise", "", {noise()}}, {1.0 * i});
  }
  auto found = results_of(averager.averages());
  for (const char* name : {"m", "m_2", "shares"}) EXPECT_EQ(found[name], TestResult::too_short) << name;
  EXPECT_EQ(found["noise"], TestResult::stationary);
}

// One replica after the other at each time, in one call or in several, or from a file.
TEST(Averager, AveragesSamples) {
  const History table{"samples",
                      {"replica", "sweep", "pressure"},
                      {"", "", ""},
                      {{0, 1, 0, 1, 0, 1}, {5, 5, 10, 10, 15, 15}, {1, 2, 3, 4, 5, 6}}};
  AveragedQuantities quantities;
  quantities.is_steady = [](const std::string&) { return false; };
  quantities.table = {"samples",
                      {"replica", "sweep", "pressure"},
                      {{"pressure", "kT", [](std::span<const double> row) { return row[2]; }},
                       {"sum", "", [](std::span<const double> row) { return row[0] + row[2]; }, 0}}};
  const auto averager = [&] { return program::Averager(5, quantities); };
  auto at_once = averager(), in_parts = averager();
  for (int i = 0; i < 20; ++i) {
    at_once.add(table, 2);
    at_once.add(History{"others", {"replica"}, {""}, {{0}}}, 2);
    for (std::size_t row = 0; row < 6; ++row) {
      History one = table;
      for (auto& column : one.columns) column = {column[row]};
      in_parts.add(one, 2);
    }
  }
  const auto found = at_once.averages();
  EXPECT_EQ(found.rows, 40u);  // after sweep 5
  ASSERT_THAT(found.observables, SizeIs(1));
  EXPECT_EQ(found.observables[0].name + found.observables[0].unit, "pressurekT");
  EXPECT_DOUBLE_EQ(found.observables[0].mean, 4.5);
  ASSERT_THAT(found.stationarity, SizeIs(2));
  EXPECT_EQ(found.stationarity[0].first, "sum");
  EXPECT_EQ(found.stationarity[0].second.rows, 40u);
  EXPECT_DOUBLE_EQ(found.stationarity[0].second.first, 5);
  expect_same_averages(at_once.averages(), in_parts.averages());
}

}  // namespace
}  // namespace tessera::testing
