// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string>
#include <type_traits>
#include <vector>

#include "tests/kmc/drift.hpp"
#include "tests/kmc/space_averages.hpp"

namespace tessera::kmc::space {
namespace {

/// Averages of the bonds per site of a few particles on 4 x 4 x 4 sites, and of their square, by the canonical
/// ensemble: a sum over all places of the particles, one of which is at site 0, since all sites are alike.
template <class L>
std::array<double, 2> canonical_bonds(int particles, double attraction) {
  const std::vector<Site> sites = sites_of_4_x_4_x_4<L>();
  std::array<double, 3> sums{};
  std::vector<std::size_t> placed{0};
  const auto place = [&](const auto& self, int bonds) -> void {
    if (placed.size() == static_cast<std::size_t>(particles)) {
      double weight = std::exp(attraction * bonds);
      for (double& sum : sums) {
        sum += weight;
        weight *= bonds / 64.0;
      }
      return;
    }
    for (std::size_t site = placed.back() + 1; site < sites.size(); ++site) {
      int more = 0;
      for (const std::size_t other : placed) more += are_neighbours<L>(sites[site], sites[other]) ? 1 : 0;
      placed.push_back(site);
      self(self, bonds + more);
      placed.pop_back();
    }
  };
  place(place, 0);
  return {sums[1] / sums[0], sums[2] / sums[0]};
}

TEST(SpaceHopping, AFewParticlesThatHopHaveTheCanonicalNumberOfBonds) {
  const auto check = []<class L>(L, int particles, double attraction) {
    SCOPED_TRACE(L::name + std::to_string(particles));
    const std::array<double, 2> expected = canonical_bonds<L>(particles, attraction);
    using M = Hopping<L>;
    for_each_method<M>([&]<class Method>(std::type_identity<Method>) {
      const auto found = moments_of_bonds<Method>(M(attraction, particles / 64.0), box(4, 4, 4), 10, 0.5, 2000);
      for (std::size_t i = 0; i < 2; ++i) expect_mean(found[i], expected[i], 0.015);
    });
  };
  check(SimpleCubic(), 2, 0.8);
  check(SimpleCubic(), 3, 0.8);
  check(BodyCentredCubic(), 3, 0.6);
  check(FaceCentredCubic(), 3, 0.5);
}

/// With n = (1 + s) / 2 a half filled lattice is the Ising model with K = E / 4 under the condition that the
/// magnetisation is 0. Without it this has a probability in proportion to chi^-1/2, chi the susceptibility, so that the
/// condition reduces the sum of s s' by d ln chi / dK / 2; further terms are of the order of 1 / N for N sites.
TEST(SpaceHopping, AHalfFilledLatticeHasTheCanonicalNumberOfBonds) {
  const Series chi{{1, 6, 30, 150, 726, 3510, 16710, 79494, 375174, 1769686, 8306862, 38975286, 182265822, 852063558,
                    3973784886, 18527532310, 86228667894, 401225368086}};  // Domb, likewise
  const double attraction = 0.6, coupling = attraction / 4, v = std::tanh(coupling), sites = 8 * 8 * 8;
  const double correction = (1 - v * v) * chi.derivative()(v) / chi(v) / (2 * sites);
  const double expected = (3 - energy_of_series(of_sc, 6, coupling) - correction) / 4;
  using M = Hopping<SimpleCubic>;
  for_each_method<M>([&]<class Method>(std::type_identity<Method>) {
    expect_mean(moments_of_bonds<Method>(M(attraction, 0.5), box(8, 8, 8), 50, 1, 400)[0], expected, 1.5e-3);
  });
}

/// Without attraction the mean occupation of a site changes by the differences to those of its neighbours, as if there
/// were no exclusion: waves exp(i k x) along an axis decay at the rate c (1 - cos k), without a change of phase. c is
/// the number of neighbours in other planes across the axis. At first an eighth of the box is full and the rest empty;
/// if directions had other probabilities, waves would move, but at half filling they would not.
TEST(SpaceHopping, ParticlesWithoutAttractionDiffuse) {
  const auto check = []<class L>(L, int nx, int ny, double time) {
    SCOPED_TRACE(L::name);
    States states;
    std::vector<std::array<int, 3>> at;  // with 16 planes across each axis
    for (int z = 0; z < 16; ++z)
      for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x) {
          at.push_back(L::position(x, y, z));
          states.push_back(at.back()[0] < 8 && at.back()[1] < 8 && at.back()[2] < 8 ? 1 : 0);
        }
    const double k = 2 * std::numbers::pi / 16;
    const double decay = std::exp(-(L::neighbours == 6 ? 2 : 8) * (1 - std::cos(k)) * time);
    const auto wave = [&](const States& occupied, std::size_t axis) {  // real at first
      std::complex<double> sum = 0;
      for (std::size_t i = 0; i < at.size(); ++i) sum += std::polar<double>(occupied[i], k * (at[i][axis] - 3.5));
      return sum;
    };
    const Hopping<L> model(0);
    for_each_method<Hopping<L>>([&]<class Method>(std::type_identity<Method>) {
      std::array<std::vector<double>, 3> real, imaginary;
      const auto use = [&](Method& system) {
        advance(system, model, time);
        for (const std::size_t axis : {0, 1, 2}) {
          const std::complex<double> found = wave(system.states(), axis);
          real[axis].push_back(found.real());
          imaginary[axis].push_back(found.imag());
        }
      };
      for_each_replica<Method>(model, box(nx, ny, 16), states, use, 40);
      for (const std::size_t axis : {0, 1, 2}) {
        expect_mean(Average(real[axis]), wave(states, axis).real() * decay, 0.06);
        EXPECT_NEAR(Average(imaginary[axis]).mean, 0, 4 * Average(imaginary[axis]).error);
      }
    });
  };
  check(SimpleCubic(), 16, 16, 8);
  check(BodyCentredCubic(), 8, 8, 2);
  check(FaceCentredCubic(), 8, 16, 2);
}

/// Particles that hop to the right alone. On a ring of L sites all places of N particles have the same probability,
/// since each state has as many ways in as out, one for each group of particles. A site is occupied and the next one
/// empty with the probability N / L (L - N) / (L - 1), and there are L such pairs. Rows begin with their particles side
/// by side. The slowest mode decays at the rate 6.51 / L^1.5 = 0.1 of half filling (Golinelli and Mallick 2005), or
/// 1 - cos(2 pi / L) = 0.08 of one particle: at time 200 to exp(-15).
TEST(SpaceHopping, ParticlesThatHopToOneSideHaveTheCurrentOfTheExclusionProcess) {
  const int length = 16;
  States states;
  double expected = 0;
  for (int row = 0; row < 4 * 4; ++row) {
    const int particles = 1 + row % (length - 1);
    expected += particles * (length - particles) / (length - 1.0);
    for (int x = 0; x < length; ++x) states.push_back(x < particles ? 1 : 0);
  }
  for_each_method<Drift>([&]<class Method>(std::type_identity<Method>) {
    std::vector<double> rates;
    for_each_replica<Method>(Drift(), box(length, 4, 4), states, [&](Method& system) {
      advance(system, Drift(), 200);
      const std::uint64_t before = system.events();
      advance(system, Drift(), 1200);
      rates.push_back(static_cast<double>(system.events() - before) / 1000);
    });
    expect_mean(Average(rates), expected, 2e-3);
  });
}

}  // namespace
}  // namespace tessera::kmc::space
