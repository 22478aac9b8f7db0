// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <numbers>

#include "tests/disks/physics.hpp"

namespace tessera::disks {
namespace {

/// The reference values of Li et al., J. Chem. Phys. 157, 234111 (2022), as in EquationOfState, with longer runs.

TEST(EquationOfStateAtLength, Of72DisksIsThatOfLiEtAl) {
  for (const auto& [packing_fraction, pressure] : {std::pair{0.65, 6.895819}, std::pair{0.70, 8.21941}}) {
    Parameters p;
    p.particles = 72;
    p.packing_fraction = packing_fraction;
    p.aspect = 9 / (8 * std::numbers::sqrt3 / 2);
    p.replicas = 128;
    p.equilibrate = 20'000;
    p.sample_every = 4;
    p.sweeps = 20'000 + 4 * 20'000;
    expect_agreement(estimate(p, "pressure"), pressure, 0.01);
  }
}

TEST(EquationOfStateAtLength, Of870DisksIsThatOfLiEtAl) {
  for (const auto& [packing_fraction, pressure] : {std::pair{0.67, 7.986735}, std::pair{0.69, 8.969476}}) {
    Parameters p;
    p.particles = 870;
    p.packing_fraction = packing_fraction;
    p.aspect = 29 / (30 * std::numbers::sqrt3 / 2);
    p.replicas = 16;
    p.equilibrate = 50'000;
    p.sample_every = 10;
    p.sweeps = 50'000 + 10 * 10'000;
    expect_agreement(estimate(p, "pressure"), pressure, 0.01);
  }
}

}  // namespace
}  // namespace tessera::disks
