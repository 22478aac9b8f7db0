// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include "tests/kpz/any_simulation.hpp"
#include "tests/kpz/growth.hpp"

// Growth of surfaces from flat to t = 1000, p = 1, q = 0: some minutes on two cores. False alarms: once in 1e6 runs at
// most.
namespace tessera::testing {
namespace {

TEST(GrowthAtLength, DTrDBandDTrDTAreWithinTwoPercentOfTheSequentialRoughness) {
  const std::vector<double> times{1, 10, 100, 1000};
  const auto sequential = roughness_at(growing(8, 201), times, true);
  EXPECT_LT(std::abs(z_score(sequential.at(100), known_roughness.at(100))), largest_deviate);
  for (const auto block : {kpz::BlockLayer::dead_border, kpz::BlockLayer::double_tiling}) {
    kpz::Parameters p = growing(8, 211);
    p.block_layer = block;
    p.thread_cell_x = p.thread_cell_y = 2;
    SCOPED_TRACE(kpz::scheme_name(p));
    for (const auto& [time, found] : roughness_at(p, times, false)) {
      const auto known = sequential.at(time);
      EXPECT_LT(std::abs(found.value / known.value - 1), 0.02 + 6 * std::hypot(found.error, known.error) / known.value)
          << time;
    }
  }
}

}  // namespace
}  // namespace tessera::testing
