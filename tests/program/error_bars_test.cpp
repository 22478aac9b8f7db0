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
void expect_to_hold(const Rows& rows, const std::vector<analysis::FunctionOfMeans>& functions, double from, double to) {
  AveragedQuantities quantities;
  quantities.functions_of_means = functions;
  double within = 0, all = 0;
  for (const std::size_t replicas : {1, 4}) {
    const auto bars = bars_of(rows, quantities, from, to, replicas, 64);
    EXPECT_EQ(bars.size(), rows.values.size() + functions.size());
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

// 100 autocorrelation times of the magnetisation. The seed is fixed.
TEST(ErrorBars, OfTheIsingModelHoldIfStationary) {
  const TemporaryFolder folder;
  complete_run(
      folder,
      "kmc --model ising --size 16 --coupling 0.3 --replicas 64 --until-time 440 --measure-every 1 --quiet"_words +
          on_host);
  expect_to_hold(rows_of(io::InputFile(folder / "kmc.h5"), names_of_ising), functions_of_ising(0.3, 256), 40, 440);
}

// The same in three dimensions.
TEST(ErrorBars, OfTheIsingModelInABoxHoldIfStationary) {
  const TemporaryFolder folder;
  complete_run(folder, "kmc --model ising --size 6,6,6 --coupling 0.15 --magnetisation 0 --replicas 64 --until-time 270 "
                       "--measure-every 1 --quiet"_words +
                           on_host);
  expect_to_hold(rows_of(io::InputFile(folder / "kmc.h5"), names_of_ising), functions_of_ising(0.15, 216), 30, 270);
}

// 120 autocorrelation times of the energy. The seed is fixed.
TEST(ErrorBars, OfTheEnergyOfClustersHoldIfStationary) {
  const TemporaryFolder folder;
  const std::string without_barrier = "energy = max(0, dE)\n";
  folder.write("m.ini", clusters_in_squares() + process("on", "1", "empty@a", "CO@a", without_barrier) +
                            process("off", "1", "CO@a", "empty@a", without_barrier));
  complete_run(folder, "kmc --processes m.ini --size 8 --replicas 64 --until-time 410 --measure-every 1 --quiet"_words +
                           on_host);
  expect_to_hold(rows_of(io::InputFile(folder / "kmc.h5"), {"energy", "coverage_CO"}), {}, 10, 410);
}

}  // namespace
}  // namespace tessera::testing
