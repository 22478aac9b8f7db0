// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tests/program/error_bars.hpp"

#include <gtest/gtest.h>

#include "machine/backend.hpp"
#include "tests/processes/models.hpp"
#include "tests/program/process.hpp"

namespace tessera::testing {
namespace {

/// 64 averages of one lattice and 16 of four, over times in (from, to], have the errors that the scatter of those of
/// one shows, which is known to 9 %.
void expect_to_hold(const Rows& rows, const AveragedQuantities& quantities, double from, double to) {
  double within = 0, all = 0;
  for (const std::size_t replicas : {1, 4}) {
    const auto bars = bars_of(rows, quantities, from, to, replicas, 64);
    EXPECT_EQ(bars.size(), rows.values.size() + quantities.functions_of_means.size());
    for (const auto& [name, one] : bars) {
      EXPECT_GT(one.passed(), 0.6) << name;
      for (const ErrorBars* part : {&one.all, &one.passing}) {
        EXPECT_GT(part->ratio(), 0.75) << name << ", " << replicas;
        EXPECT_LT(part->ratio(), 1.4) << name << ", " << replicas;
        within += part->within;
        all += part->known;
      }
    }
  }
  EXPECT_GT(within / all, 0.9);
}

void expect_to_hold(const Rows& rows, const std::vector<analysis::FunctionOfMeans>& functions, double from, double to) {
  AveragedQuantities quantities;
  quantities.functions_of_means = functions;
  expect_to_hold(rows, quantities, from, to);
}

// 100 autocorrelation times of the magnetisation. The seed is fixed.
TEST(ErrorBars, OfTheIsingModelHoldIfStationary) {
  const TemporaryFolder folder;
  complete_run(
      folder,
      "kmc --model ising --size 16 --coupling 0.3 --replicas 64 --until-time 440 --measure-every 1 --quiet"_words +
          on_host);
  expect_to_hold(rows_of(io::InputFile(folder / "kmc.h5"), names_of_ising), functions_of_ising(0.3, 256), 40, 440);
}

// 120 autocorrelation times of the energy. The seed is fixed.
TEST(ErrorBars, OfTheEnergyOfClustersHoldIfStationary) {
  const TemporaryFolder folder;
  const std::string without_barrier = "energy = max(0, dE)\n";
  folder.write("m.ini", clusters_in_squares() + process("on", "1", "empty@a", "CO@a", without_barrier) +
                            process("off", "1", "CO@a", "empty@a", without_barrier));
  complete_run(folder, "kmc --processes m.ini --size 8 --replicas 64 --until-time 410 --measure-every 1 --quiet"_words +
                           on_host);
  expect_to_hold(rows_of(io::InputFile(folder / "kmc.h5"), {"energy", "coverage_CO"}), AveragedQuantities(), 10, 410);
}

/// Rates of growth of the sums that --track adds, and functions of these.
struct Diffusion : AveragedQuantities {
  Diffusion() {
    is_steady = [](const std::string&) { return false; };
    const auto name = [](const std::string& sum) { return sum + "_A_rate"; };
    functions_of_means = {
        {"diffusion_A", "", {name("squared_displacement")}, [](std::span<const double> mean) { return mean[0] / 6; }},
        {"correlation_factor_A",
         "",
         {name("squared_displacement"), name("squared_hops")},
         [](std::span<const double> mean) { return mean[0] / mean[1]; }}};
  }
  RateOfCounter rate_of_counter(const std::string&) const override { return {1, ""}; }
};

// One vacancy in 64 sites: 200 intervals, in each of which an atom hops twice. The seed is fixed.
TEST(ErrorBars, OfDiffusionCoefficientsHold) {
  const TemporaryFolder folder;
  folder.write("m.ini",
               "[Meta]\nmodel_dimension = 3\ntime_unit = 1/k_0\n[SpeciesList]\ndefault_species = A\n[Species A]\n"
               "[Species V]\n[Lattice]\ncell_size = 1 1 1\n[Layer l]\nsite s = (0, 0, 0)\n[Initial]\nV@s = number 1\n"
               "[Process jump]\nrate_constant = 1\norientations = 24\nconditions = V@s + A@s.(1, 0, 0)\n"
               "actions = A@s + V@s.(1, 0, 0)\n");
  complete_run(folder,
               "kmc --processes m.ini --size 4,4,4 --replicas 64 --until-time 4000 --measure-every 20 --track A "
               "--method bkl --quiet"_words +
                   on_host);
  const Diffusion quantities;
  expect_to_hold(rows_of(io::InputFile(folder / "kmc.h5"),
                         {"squared_displacement_A", "successive_displacements_A", "squared_hops_A"}),
                 quantities, 0, 4000);
}

}  // namespace
}  // namespace tessera::testing
