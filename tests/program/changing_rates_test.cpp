// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <tessera/io/input_file.hpp>

#include "tests/matchers.hpp"
#include "tests/processes/models.hpp"
#include "tests/program/dataset_bytes.hpp"
#include "tests/program/file_content.hpp"
#include "tests/program/process.hpp"

namespace tessera::testing {
namespace {

/// CO on all sites that desorbs at a rate k, which may depend on a temperature T.
std::string desorption(const std::string& more = "") {
  return square_lattice() + "[Parameter T]\nvalue = 300 + 5*time\nadjustable = True\n[Initial]\nCO@a = 1\n" +
         process("off", "1e13*exp(-1.2*beta*eV)", "CO@a", "empty@a", "tof_count = {'CO': 1}\n" + more) +
         process("on", "0", "empty@a", "CO@a");
}
std::string with_repulsion() {
  return desorption("otf_rate = base_rate*exp(500/T*nr_CO_n)\nbystanders = ['CO']@a.(1,0,0)|n + ['CO']@a.(-1,0,0)|n\n");
}

const Words changing_run = "kmc --processes m.ini --size 128 --quiet"_words;

class ChangingRates : public InFolder {};

/// Expects the same observables, parameters and states in two files.
void expect_the_same(const InputFile& one, const InputFile& other) {
  for (const std::string name :
       {"/observables/coverage_CO/", "/observables/events/", "/observables/turnover_CO/", "/parameters/T/"})
    for (const char* what : {"value", "time", "step"})
      EXPECT_EQ(dataset_bytes(one, name + what), dataset_bytes(other, name + what)) << name << what;
  EXPECT_EQ(dataset_bytes(one, "/fields/state/value"), dataset_bytes(other, "/fields/state/value"));
}

// Sites are independent: the part that is occupied is exp(-integral of the rate).
TEST_F(ChangingRates, GiveTheExactDesorption) {
  folder.write("m.ini", desorption());
  for (const std::string method : {"tile", "bkl"}) {
    complete_run(folder, changing_run + "--until-time 45 --measure-every 2.5 --output a.h5 --overwrite --method"_words +
                             Words{method});
    const InputFile file(folder / "a.h5");
    const auto coverage = file.read<double>("/observables/coverage_CO/value");
    const auto time = file.read<double>("/observables/coverage_CO/time");
    const auto temperature = file.read<double>("/parameters/T/value");
    ASSERT_EQ(coverage.size(), 19u);
    double integral = 0, worst = 0;
    for (std::size_t row = 1; row < coverage.size(); ++row) {
      constexpr int steps = 1000;
      for (int i = 0; i < steps; ++i) {
        const double at = time[row - 1] + (i + 0.5) * (time[row] - time[row - 1]) / steps;
        integral += 1e13 * std::exp(-1.2 * 1.602176565e-19 / (1.3806488e-23 * (300 + 5 * at))) *
                    (time[row] - time[row - 1]) / steps;
      }
      const double expected = std::exp(-integral);
      EXPECT_NEAR(coverage[row], expected, 6 * std::sqrt(expected * (1 - expected) / 16384) + 1e-6) << time[row];
      EXPECT_EQ(temperature[row], 300 + 5 * time[row]);
      worst = std::max(worst, std::min(expected, 1 - expected));
    }
    EXPECT_GT(worst, 0.2) << "most of the molecules desorb between the first and the last row";
  }
}

using Rate = std::function<double(double)>;

/// The coverages of independent sites, from 0, with rates on(t) and off(t): the largest and the mean square deviation
/// in standard errors.
void expect_coverages(const InputFile& file, const Rate& on, const Rate& off, double sites) {
  const auto coverage = file.read<double>("/observables/coverage_CO/value");
  const auto time = file.read<double>("/observables/coverage_CO/time");
  double expected = 0, squares = 0;
  for (std::size_t row = 1; row < time.size(); ++row) {
    constexpr int steps = 20'000;
    const double h = (time[row] - time[row - 1]) / steps;
    for (int i = 0; i < steps; ++i) {  // exact for constant rates
      const double at = time[row - 1] + (i + 0.5) * h, sum = on(at) + off(at);
      if (sum > 0) expected = on(at) / sum + (expected - on(at) / sum) * std::exp(-sum * h);
    }
    const double deviation = (coverage[row] - expected) / std::sqrt(std::max(expected * (1 - expected), 1e-9) / sites);
    EXPECT_LT(std::abs(deviation), 6) << time[row];
    squares += deviation * deviation / static_cast<double>(time.size() - 1);
  }
  EXPECT_LT(squares, 2.2);
}

/// Sites that become occupied at the rate `on`, and empty at the rate `off`.
std::string exchange() {
  return square_lattice() + "[Parameter on]\nvalue = 1\nadjustable = True\n[Parameter off]\nvalue = 1\n" +
         "adjustable = True\n" + process("on", "on", "empty@a", "CO@a") + process("off", "off", "CO@a", "empty@a");
}

TEST_F(ChangingRates, GiveTheExactCoverages) {
  folder.write("m.ini", exchange());
  const auto check = [&](const std::string& on, const Rate& its_on, const std::string& off, const Rate& its_off,
                         const std::string& until) {
    for (const std::string method : {"tile", "waiting-time", "bkl"}) {
      SCOPED_TRACE(on + ", " + off + ", " + method);
      complete_run(folder, Words{"kmc", "--processes", "m.ini", "--set", "on=" + on, "--set", "off=" + off, "--size",
                                 "64", "--until-time", until, "--measure-every", "0.25", "--quiet", "--overwrite",
                                 "--method", method, "--output", "a.h5"});
      expect_coverages(InputFile(folder / "a.h5"), its_on, its_off, 64 * 64);
    }
  };
  check(
      "5*(1 + sin(2*time))", [](double t) { return 5 * (1 + std::sin(2 * t)); }, "5", [](double) { return 5; }, "10");
  check(
      "100", [](double) { return 100; }, "100*exp(0.05*time)", [](double t) { return 100 * std::exp(0.05 * t); }, "5");
  check(
      "1", [](double) { return 1; }, "table(2: 0, 3: 5, 5: 5, 6: 0)",
      [](double t) { return t < 3 ? std::max(0.0, 5 * (t - 2)) : std::clamp(5 * (6 - t), 0.0, 5.0); }, "10");
  check(
      "40*exp(-((time - 3.1)/0.01)**2)", [](double t) { return 40 * std::exp(-std::pow((t - 3.1) / 0.01, 2)); }, "0",
      [](double) { return 0; }, "4");
}

// A factor of the rates is one of their bounds, too: the accepted part of the events is the same.
TEST_F(ChangingRates, GiveTheExactCoveragesIfProcessesAreScaled) {
  folder.write("m.ini", exchange() + process("other", "1e-9", "CO@a", "O@a"));
  for (const std::string method : {"tile", "waiting-time", "bkl"}) {
    SCOPED_TRACE(method);
    complete_run(folder, Words{"kmc",
                               "--processes",
                               "m.ini",
                               "--set",
                               "on=50*(1 + sin(2*time))",
                               "--set",
                               "off=50",
                               "--scale-processes",
                               "on=0.1,other=7",
                               "--size",
                               "64",
                               "--until-time",
                               "10",
                               "--measure-every",
                               "0.25",
                               "--quiet",
                               "--overwrite",
                               "--method",
                               method,
                               "--output",
                               "a.h5"});
    expect_coverages(
        InputFile(folder / "a.h5"), [](double t) { return 5 * (1 + std::sin(2 * t)); }, [](double) { return 5; },
        64 * 64);
  }
}

// As CO on the cus sites of RuO2: the exchange takes 2e-7 s, and the ratio of its rates changes by 5 % in a second.
TEST_F(ChangingRates, GiveTheEquilibriumOfProcessesThatAreFarFaster) {
  folder.write("m.ini", exchange());
  for (const std::string method : {"tile", "waiting-time", "bkl"}) {
    complete_run(folder, Words{"kmc", "--processes", "m.ini", "--set", "on=5e6", "--set", "off=5e6*exp(0.05*time)",
                               "--size", "16", "--until-time", "2e-3", "--measure-every", "2e-6", "--quiet",
                               "--overwrite", "--method", method, "--output", "a.h5"});
    const auto coverage = InputFile(folder / "a.h5").read<double>("/observables/coverage_CO/value");
    ASSERT_EQ(coverage.size(), 1001u);
    const double mean = std::accumulate(coverage.begin() + 1, coverage.end(), 0.0) / 1000;
    EXPECT_NEAR(mean, 0.5, 6 * 0.5 / std::sqrt(256 * 1000)) << method;
  }
}

// Rows follow the rate of the events as it rises and falls, and are the same after restarts.
TEST_F(ChangingRates, AreMeasuredAtIntervalsByEvents) {
  folder.write("m.ini", desorption());
  const Words run = changing_run + "--measure-every-events 0.02"_words;
  complete_run(folder, run + "--until-time 40 --output whole.h5"_words);
  const InputFile whole(folder / "whole.h5");
  const auto events = whole.read<double>("/observables/events/value"),
             times = whole.read<double>("/observables/events/time");
  constexpr double enough = 0.02 * 128 * 128;
  EXPECT_GT(times.size(), 20u);
  EXPECT_LT(times.size(), 55u);
  for (std::size_t row = 1; row < times.size(); ++row) {
    EXPECT_LT(events[row] - events[row - 1], 8 * enough) << times[row];
    if (row > 1 && times[row] < 30) {
      EXPECT_GT(events[row] - events[row - 1], enough / 4) << times[row];
    }
  }
  complete_run(folder, run + "--until-time 19.3 --output part.h5"_words);
  for (const char* until : {"22.71", "40"})
    complete_run(folder, "kmc --restart part.h5 --quiet --until-time"_words + Words{until});
  const auto in_parts = InputFile(folder / "part.h5").read<double>("/observables/events/time");
  for (const double time : times) EXPECT_THAT(in_parts, ::testing::Contains(time));
  EXPECT_EQ(in_parts.size(), times.size() + 2) << "the ends of the parts";
}

// The rates of a restart with --change need not exist before it.
TEST_F(ChangingRates, OfARestartBeginWithIt) {
  folder.write("m.ini", exchange());
  const Words to_2 =
      Words{"kmc", "--processes", "m.ini", "--size", "64", "--quiet", "--measure-every", "0.25", "--until-time", "2"};
  const Words change{"kmc",   "--restart",  "a.h5",         "--change", "--set",  "on=0",
                     "--set", "off=time-2", "--until-time", "3",        "--quiet"};
  for (const std::string method : {"tile", "waiting-time", "bkl"}) {
    SCOPED_TRACE(method);
    complete_run(folder, to_2 + Words{"--overwrite", "--method", method, "--output", "a.h5"});
    complete_run(folder, change);
    complete_run(folder, "kmc --restart a.h5 --until-time 4 --quiet"_words);
    expect_coverages(
        InputFile(folder / "a.h5"), [](double t) { return t < 2 ? 1 : 0; }, [](double t) { return t < 2 ? 1 : t - 2; },
        64 * 64);
  }
  complete_run(folder, to_2 + "--overwrite --output a.h5"_words);
  EXPECT_THAT(
      run_tessera(folder, {"kmc", "--restart", "a.h5", "--change", "--set", "on=time-2.5", "--until-time", "4"}).err,
      ::testing::ContainsRegex("rate_constant of on: is -0.5 at time = 2; it must be finite and not negative"));
}

TEST_F(ChangingRates, GiveTheSameTrajectoryInAllMethodsAndRestarts) {
  folder.write("m.ini", with_repulsion());
  const Words to_36 = changing_run + "--measure-every 4 --until-time 36"_words;
  complete_run(folder, to_36 + "--output whole.h5"_words);
  complete_run(folder, to_36 + "--method waiting-time --output sequential.h5"_words);
  complete_run(folder, changing_run + "--measure-every 4 --until-time 20 --output part.h5"_words);
  for (const char* until : {"28", "36"})
    complete_run(folder, "kmc --restart part.h5 --quiet --until-time"_words + Words{until});
  const InputFile whole(folder / "whole.h5");
  EXPECT_GT(whole.read<double>("/observables/coverage_CO/value")[5], 0.1);
  EXPECT_LT(whole.read<double>("/observables/coverage_CO/value").back(), 0.1);
  expect_the_same(whole, InputFile(folder / "sequential.h5"));
  for (const char* what : {"value", "time"})
    EXPECT_EQ(dataset_bytes(whole, std::string("/parameters/T/") + what),
              dataset_bytes(InputFile(folder / "part.h5"), std::string("/parameters/T/") + what));
  EXPECT_EQ(dataset_bytes(whole, "/observables/events/value"),
            dataset_bytes(InputFile(folder / "part.h5"), "/observables/events/value"));
  // Other windows are another trajectory, and a restart keeps them.
  complete_run(folder, to_36 + "--rate-window 0.05 --output fine.h5"_words);
  EXPECT_NE(dataset_bytes(whole, "/observables/events/value"),
            dataset_bytes(InputFile(folder / "fine.h5"), "/observables/events/value"));
  EXPECT_THAT(run_tessera(folder, "kmc --restart part.h5 --rate-window 0.05"_words).err,
              HasSubstr("--rate-window 0.05: the run in part.h5 has rate-window = 0.1, which a restart cannot change"));
  EXPECT_THAT(run_tessera(folder, {"kmc", "--restart", "part.h5", "--set", "T=300 + 6*time"}).err,
              HasSubstr("--set T=300 + 6*time: the run in part.h5 has no set, which a restart changes only with"));
}

TEST_F(ChangingRates, ContinueWithinAPulse) {
  folder.write("m.ini", square_lattice() + process("on", "40*exp(-((time - 3.1)/0.01)**2)", "empty@a", "CO@a") +
                            process("off", "1 + sin(3*time)", "CO@a", "empty@a"));
  const Words run = changing_run + "--measure-every 0.001 --replicas 2"_words;
  complete_run(folder, run + "--until-time 3.2 --output whole.h5"_words);
  complete_run(folder, run + "--until-time 3.103 --output part.h5"_words);
  complete_run(folder, "kmc --restart part.h5 --until-time 3.109 --quiet"_words);
  complete_run(folder, "kmc --restart part.h5 --until-time 3.2 --quiet"_words);
  // The fields of each part end with its last states, so that only those of the checkpoints are equal.
  for (const char* name : {"/observables/events/value", "/observables/coverage_CO/value", "/checkpoint/state",
                           "/checkpoint/waiting_time", "/checkpoint/stream"})
    EXPECT_EQ(dataset_bytes(InputFile(folder / "whole.h5"), name), dataset_bytes(InputFile(folder / "part.h5"), name))
        << name;
}

TEST_F(ChangingRates, HaveRowsOfAParameterThatIsConstantAgain) {
  folder.write("m.ini", desorption());
  complete_run(folder, changing_run + "--until-time 4 --measure-every 1 --output a.h5"_words);
  complete_run(folder, {"kmc", "--restart", "a.h5", "--change", "--set", "T=320", "--until-time", "8", "--quiet"});
  complete_run(folder, "kmc --restart a.h5 --until-time 10 --quiet"_words);
  const InputFile file(folder / "a.h5");
  const auto rows = file.read<double>("/parameters/T/value");
  EXPECT_EQ(rows.size(), file.read<double>("/observables/events/value").size());
  EXPECT_EQ(rows[3], 315);
  EXPECT_EQ(rows.back(), 320);
}

TEST_F(ChangingRates, MayBeTablesInFiles) {
  folder.write("m.ini", desorption());
  folder.write("ramp.csv", "# measured\ntime (min), T (degC)\n0, 26.85\n0.5, 176.85 # end\n");
  const auto dry = [&](const std::string& value) {
    return run_tessera(folder, changing_run + on_host + Words{"--until-time", "9", "--dry-run", "--set", "T=" + value});
  };
  EXPECT_THAT(dry("table(ramp.csv)").out, HasSubstr("\nset = T=table(0: 300, 30: 450)\n"));
  EXPECT_THAT(dry("10 + table(none)").err, HasSubstr("table(none): "));
  const auto refused = [&](const std::string& content) {
    folder.write("bad.txt", content);
    return dry("table(bad.txt)").err;
  };
  EXPECT_THAT(refused("0 300\n1 x\n"), HasSubstr("table(bad.txt) line 2: 'x': must be a number"));
  EXPECT_THAT(refused("0 300\n\n1\n"), HasSubstr("table(bad.txt) line 3: must have two columns, time and value"));
  EXPECT_THAT(refused("3 300\n2 4\n"), HasSubstr("table(bad.txt) line 2: the times must not decrease"));
  EXPECT_THAT(refused("t (fortnight) T (K)\n"), HasSubstr("line 1: the unit of the times is (fortnight); must be s"));
  EXPECT_THAT(refused("# nothing\n"), HasSubstr("table(bad.txt): has no rows"));
  // In a model file, with many points, which take a time in proportion to their number.
  std::string points;
  for (int i = 0; i < 20'000; ++i) points += std::to_string(i) + " " + std::to_string(300 + i % 100) + "\n";
  folder.write("long.txt", points);
  std::string model = desorption();
  model.replace(model.find("300 + 5*time"), 12, "table(long.txt)");
  folder.write("m.ini", model);
  complete_run(folder, changing_run + "--until-time 50 --output long.h5 --measure-every 50"_words);
  EXPECT_THAT(InputFile(folder / "long.h5").read<double>("/parameters/T/value"), ::testing::ElementsAre(300, 350));
}

TEST_F(ChangingRates, AreReportedByTheDryRun) {
  folder.write("m.ini", with_repulsion());
  const auto dry = complete_run(
      folder, changing_run + on_host + Words{"--set", "T=table(0: 300, 30: 450)"} + "--until-time 40 --dry-run"_words);
  EXPECT_THAT(dry.out, HasSubstr("\nset = T=table(0: 300, 30: 450)\n"));
  EXPECT_THAT(dry.out, HasSubstr("\n# parameter T = 300 at time 0, table(0: 300, 30: 450), adjustable\n"));
  EXPECT_THAT(dry.out, ::testing::ContainsRegex("\n# rates change with time: [0-9]+ windows to time 40\n"));
}

}  // namespace
}  // namespace tessera::testing
