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

void expect_same(double a, double b) { EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << a << ", " << b; }

void expect_same_averages(const io::Averages& a, const io::Averages& b) {
  EXPECT_EQ(a.from, b.from);
  EXPECT_EQ(a.rows, b.rows);
  ASSERT_EQ(a.observables.size(), b.observables.size());
  for (std::size_t i = 0; i < a.observables.size(); ++i) {
    EXPECT_EQ(a.observables[i].name, b.observables[i].name);
    EXPECT_EQ(a.observables[i].mean, b.observables[i].mean);
    expect_same(a.observables[i].error, b.observables[i].error);
    EXPECT_EQ(a.observables[i].values, b.observables[i].values);
  }
  ASSERT_EQ(a.stationarity.size(), b.stationarity.size());
  for (std::size_t i = 0; i < a.stationarity.size(); ++i) {
    EXPECT_EQ(a.stationarity[i].first, b.stationarity[i].first);
    expect_same(a.stationarity[i].second.error, b.stationarity[i].second.error);
    expect_same(a.stationarity[i].second.autocorrelation_time, b.stationarity[i].second.autocorrelation_time);
    expect_same(a.stationarity[i].second.longer, b.stationarity[i].second.longer);
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
  // 48 measurements of 3 replicas are too few.
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
  for (const auto& [replicas, from] :
       {std::pair{1, program::AverageFrom(1)}, std::pair{2, program::AverageFrom(0, true)}}) {
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
  for (const auto& [name, judged] : averages.stationarity) all[name] = judged.result;
  return all;
}

// A quarter of the run is left out, or half of it if that drifts.
TEST(Averager, ChoosesAQuarterOrHalf) {
  const auto steady = averages_of([](int) { return 0; }, {0, true});
  EXPECT_EQ(steady.from, 100);
  EXPECT_EQ(steady.rows, 300u);
  const auto settles = averages_of([](int i) { return 5 * std::exp(-i / 40.0); }, {0, true});
  EXPECT_EQ(settles.from, 200);
  EXPECT_EQ(results_of(settles)["coverage"], TestResult::stationary);
  auto drifts = averages_of([](int i) { return 0.01 * i; }, {0, true});
  EXPECT_EQ(drifts.from, 200);
  EXPECT_EQ(results_of(drifts)["coverage"], TestResult::drifting);
  EXPECT_EQ(results_of(drifts)["noise"], TestResult::too_short);  // beside a slow coverage
}

TEST(Averager, GivesAChosenWindowTheResultsOfTheSameGivenWindow) {
  const auto settles = [](int i) { return 5 * std::exp(-i / 8.0); };
  const auto chosen = averages_of(settles, {0, true}), by_hand = averages_of(settles, chosen.from);
  EXPECT_EQ(results_of(chosen), results_of(by_hand));
  ASSERT_EQ(chosen.observables.size(), by_hand.observables.size());
  for (std::size_t i = 0; i < chosen.observables.size(); ++i) {
    EXPECT_NEAR(chosen.observables[i].mean, by_hand.observables[i].mean, 1e-12);
    EXPECT_NEAR(chosen.observables[i].error, by_hand.observables[i].error, 1e-12);
    EXPECT_NEAR(chosen.observables[i].tau, by_hand.observables[i].tau, 1e-9);
  }
}

/// Averages of 400 rows of noise, and of a slow observable of this name.
io::Averages averages_beside(const std::string& slow_one,
                             const std::vector<SimulationInterface::SlowMode>& modes = {}) {
  std::mt19937 random(2);
  const auto noise = [&] { return static_cast<double>(random() >> 8) * 0x1p-24 - 0.5; };
  AveragedQuantities quantities;
  quantities.is_steady = [](const std::string& name) { return !name.starts_with("mode"); };
  quantities.modes = modes;
  program::Averager averager(0, quantities);
  double slow = 0;
  for (int i = 1; i <= 400; ++i) {
    slow = 0.97 * slow + noise();
    averager.add(Observable{slow_one, "", {slow}}, {1.0 * i});
    averager.add(Observable{"noise", "", {noise()}}, {1.0 * i});
  }
  return averager.averages();
}

// Slow modes speak for all averages, other observables for themselves.
TEST(Averager, CallsAWindowTooShortForTheSlowestMode) {
  auto found = results_of(averages_beside("energy"));
  EXPECT_EQ(found["energy"], TestResult::too_short);
  EXPECT_EQ(found["noise"], TestResult::stationary);
  for (const char* name : {"roughness", "magnetisation", "order", "coverage_CO"}) {
    const auto averages = averages_beside(name);
    EXPECT_EQ(results_of(averages)["noise"], TestResult::too_short) << name;
    EXPECT_EQ(averages.stationarity.at(0).second.slow, name);
    EXPECT_GT(averages.stationarity.at(0).second.longer, 1);
    for (const auto& one : averages.observables) EXPECT_TRUE(std::isnan(one.error)) << name;
  }
  EXPECT_THAT(averages_beside("mode_re").observables, SizeIs(1));
  EXPECT_FALSE(std::isnan(averages_beside("mode_re").observables.at(0).error));
  for (const std::string mode : {"mode_re", "coverage_kx_re"}) {
    const auto averages = averages_beside(mode, {{"S(k_min)", {mode}, 1}});
    ASSERT_THAT(averages.observables, SizeIs(1));
    EXPECT_TRUE(std::isnan(averages.observables[0].error));
    EXPECT_EQ(averages.stationarity.at(0).second.slow, "S(k_min)");
  }
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
  for (int i = 0; i < 50; ++i) {
    at_once.add(table, 2);
    at_once.add(History{"others", {"replica"}, {""}, {{0}}}, 2);
    for (std::size_t row = 0; row < 6; ++row) {
      History one = table;
      for (auto& column : one.columns) column = {column[row]};
      in_parts.add(one, 2);
    }
  }
  const auto found = at_once.averages();
  EXPECT_EQ(found.rows, 100u);  // after sweep 5
  ASSERT_THAT(found.observables, SizeIs(1));
  EXPECT_EQ(found.observables[0].name + found.observables[0].unit, "pressurekT");
  EXPECT_DOUBLE_EQ(found.observables[0].mean, 4.5);
  ASSERT_THAT(found.stationarity, SizeIs(2));
  EXPECT_EQ(found.stationarity[0].first, "sum");
  EXPECT_EQ(found.stationarity[0].second.rows, 100u);
  EXPECT_NEAR(found.stationarity[0].second.first, 5, 0.1);
  expect_same_averages(at_once.averages(), in_parts.averages());
}

}  // namespace
}  // namespace tessera::testing
