// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <signal.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tessera/io/input_file.hpp>

#include "machine/backend.hpp"
#include "tests/kmc/ising_exact.hpp"
#include "tests/kmc/potts_exact.hpp"
#include "tests/matchers.hpp"
#include "tests/program/dataset_bytes.hpp"
#include "tests/program/file_content.hpp"
#include "tests/program/parsed_json.hpp"
#include "tests/program/process.hpp"

/// Means over the measurements after a time, in the summary and in the file.
namespace tessera::testing {
namespace {

using Numbers = std::vector<double>;

/// The rows of an observable after `from`, [rows][replicas].
std::vector<Numbers> rows_after(const InputFile& file, const std::string& name, double from, std::size_t replicas) {
  const auto times = file.read<double>("/observables/" + name + "/time");
  const auto values = file.read<double>("/observables/" + name + "/value");
  std::vector<Numbers> rows;
  for (std::size_t i = 0; i < times.size(); ++i)
    if (times[i] > from) rows.emplace_back(&values[i * replicas], &values[i * replicas] + replicas);
  return rows;
}

double mean(const Numbers& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// Means of the replicas.
Numbers means_of(const std::vector<Numbers>& rows) {
  Numbers means(rows[0].size());
  for (const auto& row : rows)
    for (std::size_t r = 0; r < row.size(); ++r) means[r] += row[r] / static_cast<double>(rows.size());
  return means;
}

/// A run of `rows` measurements after time 20, its stopping time not included.
struct Case {
  Words words, stopping_time;
  std::string method;
  std::size_t replicas;
  Words averaged;
  Words trapped = {};  ///< of these, those whose replicas differ
};

void PrintTo(const Case& c, std::ostream* out) {
  for (const auto& word : c.words) *out << word << ' ';
}

const Words of_kpz = "roughness moment_3 moment_4 skewness kurtosis velocity acceptance"_words;
const Words of_sos = "roughness moment_3 moment_4 skewness kurtosis step_fraction"_words;
const Words of_ising =
    "energy magnetisation magnetisation_abs magnetisation_2 magnetisation_4 energy_2 binder_cumulant susceptibility "
    "specific_heat"_words;

const Words every = "--measure-every 1 --average-from 20 --seed 7"_words + on_host;

class AveragesOf : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(
    Methods, AveragesOf,
    ::testing::Values(
        Case{"kpz --size 32 --replicas 5"_words, {"--steps", "160"}, "kpz", 5, of_kpz},
        Case{"kpz --size 16 --method sequential --replicas 33"_words, {"--steps", "40"}, "kpz", 33, of_kpz},
        Case{"kmc --size 16 --phi 0.5"_words, {"--until-time", "160"}, "kmc", 1, of_sos},
        // Each lattice keeps its domains.
        Case{"kmc --model ising --size 16 --coupling 1 --magnetisation 0 --replicas 6"_words,
             {"--until-time", "160"},
             "kmc",
             6,
             of_ising,
             {"energy", "energy_2", "specific_heat"}}));

TEST_P(AveragesOf, EqualTheMeansOfTheRowsInTheFile) {
  const TemporaryFolder folder;
  const Case& c = GetParam();
  const auto run = complete_run(folder, c.words + every + c.stopping_time + "--json --output run.h5"_words);
  const auto averages = parsed(run.out).get_child("averages");
  const auto stationarity = parsed(run.out).get_child("stationarity");
  const InputFile file(folder / "run.h5");
  EXPECT_EQ(averages.get<double>("from"), 20);
  EXPECT_THAT(file.read<double>("/averages/from"), ElementsAre(20));
  Words names = c.averaged;
  std::sort(names.begin(), names.end());
  EXPECT_EQ(file.names("/averages/observables"), names);
  const auto averaged = averages.get_child("observables");
  EXPECT_EQ(averaged.size(), 4 * names.size());
  const auto differs = [&](const std::string& name) { return std::ranges::count(c.trapped, name) > 0; };
  for (const auto& name : c.averaged) {
    const std::string result = stationarity.get<std::string>(name + ".result"), group = "/averages/observables/" + name;
    EXPECT_TRUE(result == "replicas differ" || !differs(name)) << name;
    EXPECT_THAT(file.read<double>(group + "/mean"), ElementsAre(averaged.get<double>(name)));
    const double error = file.read<double>(group + "/error").at(0);
    const auto in_json = averaged.get<std::string>(name + "_error");
    if (std::isnan(error)) {
      EXPECT_EQ(in_json, "null") << name;
      EXPECT_LE(c.replicas, 8u) << name;
      continue;
    }
    EXPECT_GT(error, 0) << name;
    EXPECT_EQ(averaged.get<double>(name + "_error"), error) << name;
    EXPECT_TRUE(c.replicas > 8 || result != "too short") << name;
    EXPECT_EQ(averaged.get<double>(name + "_tau"), file.read<double>(group + "/autocorrelation_time").at(0));
    EXPECT_EQ(averaged.get<double>(name + "_tau_error"),
              file.read<double>(group + "/autocorrelation_time_error").at(0));
  }
  for (const auto& name : c.averaged) {
    if (!file.has("/observables/" + name) || name == "skewness" || name == "kurtosis") continue;
    const auto rows = rows_after(file, name, 20, c.replicas);
    EXPECT_EQ(averages.get<std::size_t>("rows"), rows.size());
    EXPECT_NEAR(averaged.get<double>(name), mean(means_of(rows)),
                1e-11 * std::max(1.0, std::abs(mean(means_of(rows)))));
    const std::string values = "/averages/observables/" + name + "/value";
    ASSERT_EQ(file.has(values), c.replicas > 1) << name;
    for (std::size_t r = 0; c.replicas > 1 && r < c.replicas; ++r) {
      Numbers of_one;
      for (const auto& row : rows) of_one.push_back(row[r]);
      EXPECT_NEAR(file.read<double>(values)[r], mean(of_one), 1e-11 * std::max(1.0, std::abs(mean(of_one)))) << name;
    }
  }
}

/// Binder cumulant, susceptibility and specific heat of 16 sites with these averages.
std::map<std::string, double> functions_of(const OrderAverages& mean, double k) {
  return {{"binder_cumulant", 1 - mean.m_4 / (3 * mean.m_2 * mean.m_2)},
          {"susceptibility", 16 * k * (mean.m_2 - mean.m * mean.m)},
          {"specific_heat", 16 * k * k * (mean.e_2 - mean.e * mean.e)}};
}

/// 64 lattices of 4 x 4 sites from equilibrium on, within 6 standard errors of exact values: of 64 replicas an error
/// is within 9 % of the right one, so that this fails by chance less than once in a million times. Errors of 2 % to 5 %
/// in the quantities are seen.
void expect_exact(const Words& model, const std::map<std::string, double>& exact) {
  const TemporaryFolder folder;
  const Words run =
      "--size 4 --method bkl --replicas 64 --until-time 600 --measure-every 2 --average-from 40 --json"_words;
  const auto done = complete_run(folder, "kmc --model"_words + model + run);
  const auto averages = parsed(done.out).get_child("averages.observables");
  for (const auto& [name, value] : exact) {
    const auto error = averages.get<double>(name + "_error");
    EXPECT_NEAR(averages.get<double>(name), value, 6 * error) << name;
    EXPECT_LT(error, 0.02 * value) << name;
  }
}

class AveragesOfRuns : public InFolder {};

TEST_F(AveragesOfRuns, OfTheIsingModelEqualExactSumsOverSixteenSpins) {
  constexpr double k = 0.35;
  OrderAverages sums;
  double z = 0;
  for (std::uint32_t s = 0; s < FourByFour::states; ++s) {
    const double m = std::abs(FourByFour::up(s) / 8.0 - 1), e = FourByFour::energy(s) / 16.0, p = std::exp(-16 * k * e);
    z += p;
    sums = {sums.m + p * m, sums.m_2 + p * m * m, sums.m_4 + p * m * m * m * m, sums.e + p * e, sums.e_2 + p * e * e};
  }
  expect_exact("ising --coupling 0.35"_words,
               functions_of({sums.m / z, sums.m_2 / z, sums.m_4 / z, sums.e / z, sums.e_2 / z}, k));
}

TEST_F(AveragesOfRuns, OfThePottsModelEqualExactSumsOverSixteenSites) {
  const OrderAverages exact = potts_averages(0.8);
  EXPECT_NEAR(exact.e, potts_energy(4, 0.8), 1e-12);
  expect_exact("potts --coupling 0.8"_words, functions_of(exact, 0.8));
}

/// The averages as the summary has them, and those of the file.
void expect_same_averages(const std::string& first_summary, const InputFile& first, const std::string& second_summary,
                          const InputFile& second) {
  EXPECT_TRUE(parsed(first_summary).get_child("averages") == parsed(second_summary).get_child("averages"))
      << first_summary << second_summary;
  const std::string room = "/averages/observables";
  ASSERT_EQ(first.names(room), second.names(room));
  for (const auto& name : first.names(room))
    for (const auto& part : first.names(room + "/" + name)) {
      const std::string dataset = room + "/" + name + "/" + part;
      EXPECT_EQ(dataset_bytes(first, dataset), dataset_bytes(second, dataset)) << dataset;
    }
}

TEST_P(AveragesOf, AreTheSameAfterRestarts) {
  const TemporaryFolder folder;
  const Case& c = GetParam();
  const auto whole = complete_run(folder, c.words + every + c.stopping_time + "--json --output whole.h5"_words);
  // Stopping times on the way, before and after the time that averages begin at.
  const Words no_averages = "--average-from inf --quiet --output parts.h5"_words;
  Words start = c.words + every;
  start.erase(std::find(start.begin(), start.end(), "--average-from"),
              std::find(start.begin(), start.end(), "--average-from") + 2);
  complete_run(folder, start + Words{c.stopping_time[0], "10"} + no_averages);
  const Words restart{c.method, "--restart", "parts.h5", "--backend", host_backend};
  complete_run(folder, restart + Words{c.stopping_time[0], "33", "--quiet"});
  const auto last = complete_run(folder, restart + "--average-from 20 --json"_words + c.stopping_time);
  expect_same_averages(whole.out, InputFile(folder / "whole.h5"), last.out, InputFile(folder / "parts.h5"));
  // One that has reached its stopping time tells the same once more, and of another time.
  const auto again = run_tessera(folder, restart + Words{"--json"});
  EXPECT_TRUE(parsed(again.out).get_child("averages") == parsed(whole.out).get_child("averages"));
  const auto later = run_tessera(folder, restart + "--json --average-from 5"_words);
  EXPECT_EQ(parsed(later.out).get<int>("averages.rows"), parsed(whole.out).get<int>("averages.rows") + 15);
}

TEST_F(AveragesOfRuns, AreTheSameAfterASignal) {
  const Words run = "kpz --size 64 --replicas 3 --seed 5 --measure-every 2 --average-from 10"_words + on_host;
  {
    Process process(folder, run + "--steps 1e8 --quiet --output parts.h5 --checkpoint-every 0.05"_words);
    ASSERT_TRUE(process.runs_until_there_is(folder / "parts.h5"));
    process.signal(SIGTERM);
    ASSERT_EQ(process.wait().status, 128 + SIGTERM);
  }
  const auto done = InputFile(folder / "parts.h5").read<std::uint64_t>("/checkpoint/intervals")[0];
  const Words stopping_time{"--steps", std::to_string(done + 60), "--json"};
  const auto whole = run_tessera(folder, run + stopping_time + "--output whole.h5"_words);
  const auto parts = run_tessera(folder, "kpz --restart parts.h5"_words + on_host + stopping_time);
  ASSERT_EQ(whole.status, 0) << whole.err;
  ASSERT_EQ(parts.status, 0) << parts.err;
  expect_same_averages(whole.out, InputFile(folder / "whole.h5"), parts.out, InputFile(folder / "parts.h5"));
}

// A surface that begins flat.
const Words rising = "kmc --size 32 --phi 1 --replicas 8 --measure-every 0.5"_words + on_host;

TEST_F(AveragesOfRuns, BeginAtTheChosenTime) {
  const Words automatic = "--average-from auto"_words, stopping_time{"--until-time", "120"};
  const auto whole = complete_run(folder, rising + automatic + stopping_time + "--json --output whole.h5"_words);
  const auto averages = parsed(whole.out).get_child("averages");
  const auto from = averages.get<double>("from");
  EXPECT_TRUE(from == 30 || from == 60) << from;
  EXPECT_EQ(averages.get<std::string>("from_chosen_by"), "auto");
  const InputFile file(folder / "whole.h5");
  EXPECT_EQ(file.text_attribute("/averages", "from_chosen_by"), "auto");
  const auto rows = rows_after(file, "roughness", from, 8);
  EXPECT_EQ(averages.get<std::size_t>("rows"), rows.size());
  EXPECT_NEAR(averages.get<double>("observables.roughness"), mean(means_of(rows)), 1e-12);
  // The same if the run is made in two parts.
  complete_run(folder, rising + automatic + "--until-time 50 --quiet --output parts.h5"_words);
  const auto parts = complete_run(folder, "kmc --restart parts.h5 --json"_words + on_host + stopping_time);
  expect_same_averages(whole.out, file, parts.out, InputFile(folder / "parts.h5"));
  const auto text = run_tessera(folder, "kmc --restart parts.h5"_words);
  EXPECT_THAT(text.out, ::testing::HasSubstr(", chosen automatically\n  roughness "));
}

TEST_F(AveragesOfRuns, ReportWhetherTheyAreStationary) {
  const auto stationarity_of = [&](const Words& words) {
    const auto run = complete_run(folder, words + "--json --overwrite --output run.h5"_words);
    return parsed(run.out).get_child("stationarity");
  };
  const Words climbing = "--average-from 1 --until-time 100"_words;
  const auto drift = stationarity_of(rising + climbing);
  EXPECT_EQ(drift.get<std::string>("roughness.result"), "drifting");
  EXPECT_EQ(drift.get<int>("roughness.rows"), 198);
  const auto rows = rows_after(InputFile(folder / "run.h5"), "roughness", 1, 8);
  EXPECT_NEAR(drift.get<double>("roughness.first"), mean(means_of({rows.begin(), rows.begin() + 49})), 1e-12);
  EXPECT_NEAR(drift.get<double>("roughness.second"), mean(means_of({rows.begin() + 99, rows.end()})), 1e-12);
  EXPECT_EQ(InputFile(folder / "run.h5").text_attribute("/stationarity/roughness", "result"), "drifting");
  const auto text = run_tessera(folder, rising + climbing + Words{"--overwrite"});
  EXPECT_THAT(text.out,
              ::testing::ContainsRegex("warning: not stationary, [^\n]*: .*roughness \\([0-9.]+ and [0-9.]+\\)"));
  const auto settled = stationarity_of(rising + "--average-from 100 --until-time 1200"_words);
  EXPECT_EQ(settled.get<std::string>("step_fraction.result"), "stationary");
  const auto few = stationarity_of(rising + "--average-from 100 --until-time 102.5"_words);
  EXPECT_EQ(few.get<std::string>("roughness.result"), "too short");
  const auto short_text = run_tessera(folder, rising + "--average-from 100 --until-time 106 --overwrite"_words);
  EXPECT_THAT(short_text.out, ::testing::ContainsRegex(
                                  "\n  roughness [0-9.]+ layers\\^2\n(.*\n)*warning: too short for errors, at least "
                                  "6.7 times as many measurements or more than 8 replicas: [^\n]*roughness"));
  const auto slow = run_tessera(folder, rising + "--average-from 100 --until-time 150 --overwrite"_words);
  EXPECT_THAT(slow.out,
              ::testing::ContainsRegex("warning: too short for errors, S\\(k_min\\) of height: at least [0-9.]+ times "
                                       "longer or more than 8 replicas: "));
}

// Below the critical temperature each lattice keeps the sign of its magnetisation.
TEST_F(AveragesOfRuns, ReportWhetherReplicasDiffer) {
  const Words trapped =
      "kmc --model ising --size 16 --coupling 0.6 --seed 1 --magnetisation 0 --replicas 6 --until-time 600 "
      "--measure-every 1 --average-from 200 --output run.h5"_words +
      on_host;
  const auto run = complete_run(folder, trapped + Words{"--json"});
  const InputFile file(folder / "run.h5");
  const auto found = parsed(run.out).get_child("stationarity.magnetisation");
  EXPECT_EQ(found.get<std::string>("result"), "replicas differ");
  EXPECT_EQ(file.text_attribute("/stationarity/magnetisation", "result"), "replicas differ");
  const auto means = file.read<double>("/averages/observables/magnetisation/value");
  EXPECT_LT(*std::ranges::min_element(means), -0.9);
  EXPECT_GT(*std::ranges::max_element(means), 0.9);
  EXPECT_GT(found.get<double>("replica_ratio"), 1e4);
  EXPECT_NE(parsed(run.out).get<std::string>("stationarity.magnetisation_abs.result"), "replicas differ");
  const auto text = run_tessera(folder, trapped + Words{"--overwrite"});
  EXPECT_THAT(text.out,
              ::testing::ContainsRegex("warning: the replicas differ, [^\n]*: .*magnetisation \\([0-9.]+ times\\)"));
}

TEST_F(AveragesOfRuns, OfDisksReportWhetherSamplesAreStationary) {
  const Words disks =
      "disks --particles 64 --packing-fraction 0.3 --sample-every 10 --replicas 2 --average-from 0"_words + on_host;
  const auto run = complete_run(folder, disks + "--sweeps 2000 --json --output whole.h5"_words);
  const auto stationarity = parsed(run.out).get_child("stationarity");
  EXPECT_EQ(stationarity.get<std::string>("pressure.result"), "stationary");
  EXPECT_EQ(stationarity.get<int>("pressure.rows"), 200);
  complete_run(folder, disks + "--sweeps 700 --quiet --output parts.h5"_words);
  const auto parts = run_tessera(folder, "disks --restart parts.h5 --sweeps 2000 --json"_words);
  EXPECT_TRUE(parsed(parts.out).get_child("stationarity") == stationarity) << parts.out;
}

TEST_F(AveragesOfRuns, ArePrintedInTheSummary) {
  const auto run =
      complete_run(folder, "kpz --size 16 --steps 3000 --measure-every 1 --average-from 1000"_words + on_host);
  const auto at = run.out.find("means over 2000 measurements after time 1000 MCS\n  roughness ");
  ASSERT_NE(at, std::string::npos) << run.out;
  EXPECT_THAT(run.out.substr(at),
              ::testing::ContainsRegex("kurtosis -?[0-9.]+\\([0-9]+\\)[0-9e-]*, tau [0-9.]+\\([0-9]+\\)[0-9e]*\n"));
}

// The interval is in the input of the file: a restart to a later end keeps it.
TEST_F(AveragesOfRuns, MeasureSomeThousandTimesIfNoIntervalIsGiven) {
  const auto rows_of = [&](const Words& words) {
    complete_run(folder, words + "--average-from auto --quiet --overwrite --output run.h5"_words + on_host);
    return InputFile(folder / "run.h5").read<double>("/observables/roughness/time");
  };
  const auto by_time = rows_of("kmc --size 16 --until-time 30"_words);
  EXPECT_EQ(by_time.size(), 1501u);
  EXPECT_DOUBLE_EQ(by_time[1], 0.02);
  complete_run(folder, "kmc --restart run.h5 --until-time 60 --quiet"_words);
  EXPECT_EQ(InputFile(folder / "run.h5").read<double>("/observables/roughness/time").size(), 3001u);
  const auto by_events = rows_of("kmc --size 16 --until-events-per-site 40"_words);
  EXPECT_GT(by_events.size(), 300u);
  EXPECT_LT(by_events.size(), 10000u);
  EXPECT_EQ(rows_of("kpz --size 16 --steps 3000"_words).size(), 1501u);
  EXPECT_EQ(rows_of("kpz --size 16 --steps 200"_words).size(), 201u);
}

// A stopping time in events leaves the number of measurements open.
TEST_F(AveragesOfRuns, NeedAtLeast32Measurements) {
  for (const std::string from : {"0", "auto"}) {
    const auto run = complete_run(folder, {"kmc", "--size", "16", "--until-events-per-site", "2", "--measure-every",
                                           "1", "--average-from", from, "--overwrite"});
    EXPECT_THAT(run.out, ::testing::ContainsRegex(
                             "\nwarning: no averages: only [0-9]+ measurements after time "
                             "[0-9.]+/k_2(, chosen automatically)?; all replicas together need at least 32"));
    EXPECT_FALSE(InputFile(folder / "kmc.h5").has("/averages"));
  }
}

// Before the time has come there is nothing to tell.
TEST_F(AveragesOfRuns, AreAbsentWithoutMeasurements) {
  const auto run =
      complete_run(folder, "kmc --size 16 --until-events-per-site 1 --json --measure-every 1 --average-from 1e6"_words);
  EXPECT_EQ(parsed(run.out).count("averages"), 0u);
  EXPECT_FALSE(InputFile(folder / "kmc.h5").has("/averages"));
}

// A lattice melts in the first sweeps, of which averages have none: they are those of a run that has melted before its
// first sample. They are the same where the window is given.
TEST(DisksAverages, OmitTheMelting) {
  const TemporaryFolder folder;
  const Words run =
      "disks --particles 100 --packing-fraction 0.6 --replicas 16 --sweeps --sample-every 10 --json"_words + on_host;
  const auto with = [&](Words words, const std::string& sweeps, const Words& more) {
    words.insert(words.begin() + 8, sweeps);
    const auto result = complete_run(folder, words + more + Words{"--overwrite"});
    return parsed(result.out);
  };
  const auto usual = with(run, "2000", {});
  const double from = usual.get<double>("averages.from");
  EXPECT_GE(from, 500);
  EXPECT_EQ(usual.get<std::string>("averages.from_chosen_by"), "auto");
  const auto samples = InputFile(folder / "disks.h5");
  const auto re = samples.read<double>("/history/samples/psi6_re"),
             im = samples.read<double>("/history/samples/psi6_im");
  const auto sweeps = samples.read<double>("/history/samples/sweep");
  double left_out = 0, count = 0;
  for (std::size_t i = 0; sweeps[i] <= 100; ++i, ++count) left_out += std::hypot(re[i], im[i]);
  const double psi6 = usual.get<double>("averages.observables.psi6");
  EXPECT_GT(left_out / count, psi6 + 10 * usual.get<double>("averages.observables.psi6_error"));
  const auto given = with(run, "2000", {"--average-from", std::to_string(from)});
  for (const auto& [name, value] : usual.get_child("averages.observables"))
    EXPECT_EQ(given.get<std::string>("averages.observables." + name).substr(0, 6), value.data().substr(0, 6)) << name;
  for (const auto& [name, judged] : usual.get_child("stationarity"))
    EXPECT_EQ(given.get<std::string>("stationarity." + name + ".result"), judged.get<std::string>("result")) << name;
  const auto melted = with(run, "4000", "--equilibrate 2000 --seed 101"_words);
  for (const std::string name : {"pressure", "psi6", "psi6_2", "disk_variance_4", "susceptibility"}) {
    const auto of = [&](const auto& tree, const std::string& what) {
      return tree.template get<double>("averages.observables." + name + what);
    };
    const double error = std::hypot(of(usual, "_error"), of(melted, "_error"));
    EXPECT_LT(std::abs(of(usual, "") - of(melted, "")), 4 * error) << name;
  }
  // Without correlations psi6 is normal, and its Binder cumulant 1/3.
  EXPECT_NEAR(melted.get<double>("averages.observables.binder_cumulant"), 1.0 / 3, 0.05);
  EXPECT_EQ(with(run, "400", {"--average-from", "inf"}).count("averages"), 0u);
}

TEST(DisksAverages, NeedEnoughSamples) {
  const TemporaryFolder folder;
  const Words run = "disks --particles 64 --sample-every 10"_words + on_host;
  const auto few = complete_run(folder, run + "--sweeps 300"_words);
  EXPECT_THAT(few.out, ::testing::HasSubstr("warning: no averages: only"));
  const auto enough = run_tessera(folder, run + "--sweeps 2000 --output enough.h5"_words);
  EXPECT_THAT(enough.out, ::testing::HasSubstr("chosen automatically\n  pressure "));
  EXPECT_THAT(enough.out, ::testing::Not(::testing::HasSubstr("nan")));
  const auto refused = run_tessera(folder, run + "--sweeps 300 --average-from 100 --output refused.h5"_words);
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err,
              ::testing::HasSubstr("--average-from 100: leaves 20 measurements of 1 replica, but an average needs"));
}

}  // namespace
}  // namespace tessera::testing
