// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <tessera/disks/any_simulation.hpp>

#include "machine/backend.hpp"
#include "tests/processes/models.hpp"
#include "tests/program/error_bars.hpp"
#include "tests/program/process.hpp"

/// The table of docs/validation/error_bars.md: claimed errors over deviations from the mean of all replicas, averages
/// within two errors, and bias, of all averages that have errors and of those that pass the tests. The bars: ratios of
/// 0.85 to 1.25, 90 to 98 % within two errors, biases of at most 0.15 standard deviations, of both kinds.
namespace tessera::testing {
namespace {

constexpr std::size_t most = 256;  ///< averages of a kind; their ratio is known to 4 %, and a bias to 0.06

/// Windows in which at least `passing` of the averages pass, or none has an error in nine of ten if it is 0.
struct Windows {
  double from, to, passing;
};

void expect_to_hold(const Rows& rows, const AveragedQuantities& quantities, const std::vector<Windows>& windows) {
  double within = 0, known = 0;
  for (const auto& [from, to, passing] : windows)
    for (const std::size_t replicas : {1, 4, 32}) {
      std::printf("times %g to %g\n", from, to);
      for (const auto& [name, one] : bars_of(rows, quantities, from, to, replicas, most)) {
        if (one.all.variance < 1e-20) continue;  // does not fluctuate, such as disks in blocks with one at most
        SCOPED_TRACE(name + ", " + std::to_string(replicas) + " replicas, to " + std::to_string(to));
        if (passing == 0) {
          EXPECT_TRUE(replicas > 8 || one.with_errors() < 0.1);
          EXPECT_LT(one.passed(), 0.1);
          continue;
        }
        if (one.count < 4) continue;
        // Three standard deviations: of the variance of single runs, and of squared errors of 8 degrees of freedom.
        const double runs = static_cast<double>(rows.values.begin()->second.size() / rows.times.size());
        const double chance = 3 * std::sqrt(1 / (2 * runs) + 1 / (16 * one.count));
        EXPECT_GT(one.passed(), passing - 3 / std::sqrt(2 * one.count));
        for (const ErrorBars* part : {&one.all, &one.passing}) {
          EXPECT_GT(part->ratio(), 0.85 * (1 - chance));
          EXPECT_LT(part->ratio(), 1.25 * (1 + chance));
          EXPECT_LT(std::abs(part->bias()), 0.15 + 3 / std::sqrt(part->known));
          within += part->within;
          known += part->known;
        }
      }
    }
  EXPECT_GT(within / known, 0.9);
  EXPECT_LT(within / known, 0.985);
}

/// Of observables of a run, with the rates of this counter per site.
void expect_of_run(const std::string& words, const std::string& output, const std::vector<std::string>& names,
                   const std::vector<analysis::FunctionOfMeans>& functions, const std::vector<Windows>& windows,
                   const std::string& counter = "", double sites = 1, const std::string& model = "") {
  const TemporaryFolder folder;
  folder.write("model.ini", model);
  complete_run(folder, operator""_words(words.c_str(), words.size()) + Words{"--quiet", "--output", output} + on_host);
  AveragedQuantities quantities;
  quantities.functions_of_means = functions;
  quantities.is_steady = [&](const std::string& name) { return name != counter; };
  quantities.counter = counter;
  quantities.rate = {sites, ""};
  expect_to_hold(rows_of(io::InputFile(folder / output), names), quantities, windows);
}

// The magnetisation has 11.8 units of time: 6, 60 and 200 of these.
TEST(ErrorBarsOf, TheIsingModelHold) {
  expect_of_run("kmc --model ising --size 16 --coupling 0.35 --replicas 512 --until-time 2460 --measure-every 2",
                "run.h5", names_of_ising, functions_of_ising(0.35, 256),
                {{100, 170, 0}, {100, 810, 0.9}, {100, 2460, 0.9}});
}

// Conserved particles: their slowest density wave has 256 / (4 pi^2) / 2 units of time, and is not measured.
TEST(ErrorBarsOf, LatticeGasesHold) {
  expect_of_run("kmc --model hopping --size 16 --attraction 0.5 --replicas 128 --until-time 900 --measure-every 0.5",
                "run.h5", {"bonds"}, {}, {{100, 500, 0.8}, {100, 900, 0.9}});
}

// A model of groups of molecules.
TEST(ErrorBarsOf, ClustersHold) {
  const std::string energy = "energy = max(0, dE)\n";
  expect_of_run("kmc --processes model.ini --size 8 --replicas 256 --until-time 410 --measure-every 0.5", "run.h5",
                {"energy", "coverage_CO"}, {}, {{10, 210, 0.8}, {10, 410, 0.9}}, "", 1,
                clusters_in_squares() + process("on", "1", "empty@a", "CO@a", energy) +
                    process("off", "1", "CO@a", "empty@a", energy));
}

// Spins with heat-bath rates, which are cooled until time 20.
TEST(ErrorBarsOf, RampsHoldAfterTheirEnd) {
  const std::string around =
      "bystanders = ['CO']@a.(1,0,0)|n + ['CO']@a.(-1,0,0)|n + ['CO']@a.(0,1,0)|n + ['CO']@a.(0,-1,0)|n\n";
  expect_of_run(
      "kmc --processes model.ini --size 12 --replicas 256 --until-time 2450 --measure-every 2.5", "run.h5",
      {"coverage_CO", "configurations_wall"}, {}, {{50, 950, 0.9}, {50, 2450, 0.9}}, "", 1,
      square_lattice() + "[Parameter K]\nvalue = 1/table(0: 6, 20: 3.1)\n" +
          process("off", "1", "CO@a", "empty@a", "otf_rate = base_rate/(1 + exp(2*K*(2*nr_CO_n - 4)))\n" + around) +
          process("on", "1", "empty@a", "CO@a", "otf_rate = base_rate/(1 + exp(2*K*(4 - 2*nr_CO_n)))\n" + around) +
          configuration("wall", "CO@a + empty@a.(1, 0, 0)", 4));
}

// The net number of molecules that arrive, whose rate has no power at frequency zero.
TEST(ErrorBarsOf, NetRatesHold) {
  expect_of_run("kmc --processes model.ini --size 16 --replicas 128 --until-time 300 --measure-every 0.5", "run.h5",
                {"turnover_CO", "coverage_CO"}, {}, {{20, 300, 0.9}}, "turnover_CO", 256,
                square_lattice() + process("on", "1", "empty@a", "CO@a", "tof_count = {'CO': 1}\n") +
                    process("off", "1", "CO@a", "empty@a", "tof_count = {'CO': -1}\n"));
}

// W^2 has 48 MCS.
TEST(ErrorBarsOf, SteadySurfacesHold) {
  expect_of_run("kpz --size 32 --steps 10200 --measure-every 10 --replicas 256", "run.h5",
                {"roughness", "moment_3", "moment_4", "velocity"}, analysis::cumulants_of_averages(),
                {{500, 900, 0}, {500, 3400, 0.9}, {500, 10200, 0.9}});
}

// The lattice of the start has melted after 1000 sweeps.
TEST(ErrorBarsOf, DisksHold) {
  const TemporaryFolder folder;
  complete_run(folder,
               "disks --particles 64 --packing-fraction 0.6 --sweeps 11000 --equilibrate 1000 --sample-every 10 "
               "--replicas 256 --quiet --average-from inf"_words +
                   on_host);
  const io::InputFile file(folder / "disks.h5");
  disks::Parameters p;
  p.particles = 64;
  p.packing_fraction = 0.6;
  const auto simulation = disks::make_sequential(p, {});
  const auto table = simulation->sample_table();
  std::vector<std::vector<double>> columns;
  for (const std::string& name : table.columns) columns.push_back(file.read<double>("/history/samples/" + name));
  Rows rows;
  AveragedQuantities quantities;
  quantities.functions_of_means = simulation->functions_of_averages();
  quantities.is_steady = [](const std::string& name) { return name != "psi6_re" && name != "psi6_im"; };
  quantities.modes = {{"psi6", {"psi6_re", "psi6_im"}, 1}};
  std::vector<double> one(columns.size());
  for (std::size_t i = 0; i < columns[0].size(); ++i) {
    for (std::size_t c = 0; c < one.size(); ++c) one[c] = columns[c][i];
    if (one[0] == 0) rows.times.push_back(one[1]);
    for (const auto& quantity : table.quantities) rows.values[quantity.name].push_back(quantity.of_row(one));
  }
  expect_to_hold(rows, quantities, {{1000, 5000, 0.8}, {1000, 11000, 0.9}});
}

}  // namespace
}  // namespace tessera::testing
