// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <tessera/core/host_array.hpp>
#include <tessera/disks/kernels/simd_sweeps.hpp>

#include "tests/disks/physics.hpp"

namespace tessera::disks {
namespace {

/// The reference values of Li et al., J. Chem. Phys. 157, 234111 (2022), as in EquationOfState, with longer runs on the
/// space that Kokkos prefers. By n samples of N disks a pressure is known to 4.4 (P* - rho) / sqrt(n N), and the
/// fluctuations of the order come on top of that, the more the denser: the bounds of the errors leave room for them. On
/// an H200 each test is to take half a minute, on a core of a host some minutes.

constexpr bool on_device = !runs_on_host<Kokkos::DefaultExecutionSpace>;

/// How many systems are run for how long.
struct Length {
  int replicas;
  double equilibrate, sample_every, samples;
};

void expect_pressure(Parameters p, double packing_fraction, double pressure, const Length& length, double error) {
  p.packing_fraction = packing_fraction;
  p.replicas = length.replicas;
  p.equilibrate = length.equilibrate;
  p.sample_every = length.sample_every;
  p.sweeps = length.equilibrate + length.sample_every * length.samples;
  expect_agreement(estimate<Kokkos::DefaultExecutionSpace>(p, "pressure"), pressure, error);
}

/// N = 72 in a box 9 : 8 sqrt(3)/2.
void expect_pressure_of_72(double packing_fraction, double pressure) {
  Parameters p;
  p.particles = 72;
  p.aspect = 9 / (8 * std::numbers::sqrt3 / 2);
  const Length length = on_device ? Length{4096, 20'000, 50, 3000} : Length{64, 20'000, 8, 20'000};
  expect_pressure(p, packing_fraction, pressure, length, on_device ? 0.006 : 0.02);
}

/// N = 870 in a box 29 : 30 sqrt(3)/2.
void expect_pressure_of_870(double packing_fraction, double pressure) {
  Parameters p;
  p.particles = 870;
  p.aspect = 29 / (30 * std::numbers::sqrt3 / 2);
  const Length length = on_device ? Length{256, 200'000, 100, 8000} : Length{16, 50'000, 10, 10'000};
  expect_pressure(p, packing_fraction, pressure, length, on_device ? 0.006 : 0.04);
}

TEST(EquationOfStateAtLength, Of72DisksAt065AgreesWithLiEtAl) { expect_pressure_of_72(0.65, 6.895819); }
TEST(EquationOfStateAtLength, Of72DisksAt070AgreesWithLiEtAl) { expect_pressure_of_72(0.70, 8.21941); }
TEST(EquationOfStateAtLength, Of870DisksAt067AgreesWithLiEtAl) { expect_pressure_of_870(0.67, 7.986735); }
TEST(EquationOfStateAtLength, Of870DisksAt069AgreesWithLiEtAl) { expect_pressure_of_870(0.69, 8.969476); }

// Table 1 of the paper. The lists of cells remember from sweep to sweep who has entered when: without shuffling, moves
// go to some disks more than to others, and which these are depends on where they are. With four moves a cell that
// hardly shows, with one it does.
TEST(Shuffling, OfDisksIsNecessaryAndOfTheCheckerboardIsNot) {
  Parameters p;
  p.particles = 256;
  p.packing_fraction = 0.65;
  p.moves_per_cell = 1;
  p.replicas = on_device ? 1024 : 32;
  p.equilibrate = 20'000;
  p.sample_every = on_device ? 50 : 10;
  p.sweeps = 200'000;
  const auto pressure = [&] { return estimate<Kokkos::DefaultExecutionSpace>(p, "pressure"); };
  const Estimate all = pressure();
  p.shuffle_checkerboard = false;
  const Estimate no_checkerboard = pressure();
  p.shuffle_checkerboard = true;
  p.shuffle_particles = false;
  const Estimate no_particles = pressure();
  EXPECT_LT(std::abs(no_checkerboard.value - all.value), 3 * std::hypot(no_checkerboard.error, all.error));
  EXPECT_LT(no_particles.value - all.value, -3 * std::hypot(no_particles.error, all.error));
}

}  // namespace
}  // namespace tessera::disks
