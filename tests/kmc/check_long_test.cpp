// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <cstdio>
#include <string>

#include "tests/kmc/check_rate.hpp"

namespace tessera::kmc {
namespace {

/// How many of the accepted steps the published check wrongly lets through, on a relaxed surface: docs quote it.
void measure(int n, double phi, double relaxed, std::uint64_t steps) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  const SolidOnSolid model(phi);
  const CheckedSteps whole = take_steps<Space>(as_published(n), model, all_sides, relaxed, steps / 4);
  EXPECT_EQ(whole.wrong, 0u);
  EXPECT_GT(whole.rejected, steps / 400);
  const CheckedSteps published = take_steps<Space>(as_published(n), model, published_sides, relaxed, steps);
  EXPECT_GT(published.wrong, 0u);
  const double rate = double(published.wrong) / double(published.accepted);
  std::printf(
      "n = %d, phi = %g: %llu of %llu accepted steps are wrong, %.2f %%; %llu rejected; %.3f events/site/step\n", n,
      phi, static_cast<unsigned long long>(published.wrong), static_cast<unsigned long long>(published.accepted),
      100 * rate, static_cast<unsigned long long>(published.rejected),
      double(published.events) / double(published.accepted) / n / n);
  ::testing::Test::RecordProperty("wrong_fraction_phi_" + std::to_string(phi), std::to_string(rate));
}

TEST(PublishedCheck, LetsWrongStepsThroughAtPhi1) { measure(256, 1, 50, 4000); }
TEST(PublishedCheck, LetsWrongStepsThroughAtPhi2) { measure(256, 2, 400, 4000); }

}  // namespace
}  // namespace tessera::kmc
