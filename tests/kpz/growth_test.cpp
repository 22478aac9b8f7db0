// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include "tests/kpz/any_simulation.hpp"
#include "tests/kpz/growth.hpp"

// Growth of surfaces from flat, p = 1, q = 0. False alarms: once in 1e6 runs at most.
namespace tessera::testing {
namespace {

TEST(Growth, SequentialRoughnessIsTheKnownOne) {
  const auto roughness = roughness_at(growing(8, 101), {1, 3, 10, 30}, true);
  for (const auto& [time, known] : known_roughness)
    if (roughness.contains(time)) {
      EXPECT_LT(std::abs(z_score(roughness.at(time), known)), largest_deviate) << time;
    }
}

TEST(Growth, RoughnessOfDTrDBandDTrDTWithTC22IsWithinTwoPercentOfTheSequentialOne) {
  for (const auto block : {kpz::BlockLayer::dead_border, kpz::BlockLayer::double_tiling}) {
    kpz::Parameters p = growing(8, 111);
    p.block_layer = block;
    p.thread_cell_x = p.thread_cell_y = 2;
    SCOPED_TRACE(kpz::scheme_name(p));
    for (const auto& [time, found] : roughness_at(p, {1, 3, 10, 30}, false)) {
      const auto known = known_roughness.at(time);
      EXPECT_LT(std::abs(found.value / known.value - 1), 0.02 + 6 * std::hypot(found.error, known.error) / known.value);
      EXPECT_LT(std::hypot(found.error, known.error) / known.value, 0.004) << time;
    }
  }
}

}  // namespace
}  // namespace tessera::testing
