// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tests/program/error_bars.hpp"

#include <gtest/gtest.h>

#include "machine/backend.hpp"
#include "tests/program/process.hpp"

namespace tessera::testing {
namespace {

// 64 lattices, 100 autocorrelation times of the magnetisation: of 64 averages a ratio is known to 9 %, of 16 to 18 %.
// The seed is fixed.
TEST(ErrorBars, OfTheIsingModelHoldIfStationary) {
  const TemporaryFolder folder;
  complete_run(
      folder,
      "kmc --model ising --size 16 --coupling 0.3 --replicas 64 --until-time 440 --measure-every 1 --quiet"_words +
          on_host);
  const std::vector<std::string> names{"energy",          "magnetisation",   "magnetisation_abs",
                                       "magnetisation_2", "magnetisation_4", "energy_2"};
  double beyond = 0, all = 0;
  for (const std::size_t replicas : {1, 4}) {
    const auto bars =
        bars_of(rows_of(io::InputFile(folder / "kmc.h5"), names), functions_of_ising(0.3, 256), 40, 440, replicas, 64);
    EXPECT_EQ(bars.size(), 9u);
    for (const auto& [name, by] : bars) {
      const ErrorBars& stationary = by.at(true);
      EXPECT_GT(stationary.count, 40 / static_cast<double>(replicas)) << name;
      EXPECT_GT(stationary.ratio(), replicas == 1 ? 0.75 : 0.6) << name << ", " << replicas;
      EXPECT_LT(stationary.ratio(), replicas == 1 ? 1.4 : 1.7) << name << ", " << replicas;
      beyond += stationary.beyond;
      all += stationary.count;
    }
  }
  EXPECT_LT(beyond / all, 0.1);
}

}  // namespace
}  // namespace tessera::testing
