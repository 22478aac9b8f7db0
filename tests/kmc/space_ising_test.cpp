// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tests/kmc/space_averages.hpp"

namespace tessera::kmc::space {
namespace {

const Series of_bcc{{0, 0, 0, 0, 12, 0, 148, 0, 2484}};
const Series of_fcc{{0, 0, 0, 8, 33, 168, 970}};
TEST(SpaceIsing, IsingModelsHaveTheEnergiesOfTheirSeries) {
  const auto check = []<class L>(const Ising<L>& model, const Box& of, const Series& series) {
    const double energy = energy_of_series(series, L::neighbours, model.coupling());
    for_each_method<Ising<L>>([&]<class Method>(std::type_identity<Method>) {
      expect_mean(moments_of_bonds<Method>(model, of, 5, 2, 6)[0], energy, 0.04);
    });
  };
  check(Ising<SimpleCubic>(0.15, 0), box(16, 16, 16), of_sc);
  check(Ising<BodyCentredCubic>(0.06, 0), box(12, 12, 24), of_bcc);
  check(Ising<FaceCentredCubic>(0.03, 0), box(8, 16, 16), of_fcc);
}

/// The Ising model in a bar along x with a cross-section of 4 x 4 sites of the array, by its transfer matrix. A layer
/// has the sites of a plane across x: 16 of sc, 8 of bcc and fcc. Its states are numbers of as many bits.
template <class L>
class Bar {
 public:
  Bar() {
    std::vector<Site> sites = sites_of_4_x_4_x_4<L>();
    std::erase_if(sites, [](const Site& site) { return site[0] != 0; });
    bits_ = static_cast<int>(sites.size());
    for (int i = 0; i < bits_; ++i)
      for (int j = 0; j < bits_; ++j) {
        const Site &from = sites[static_cast<std::size_t>(i)], &to = sites[static_cast<std::size_t>(j)];
        const auto [x, y, z] = to_neighbour<L>;
        const Site in_next{to[0] + x, to[1] + y, to[2] + z};  // of the next layer
        if (i < j && are_neighbours<L>(from, to)) within_.emplace_back(i, j);
        if (are_neighbours<L>(from, in_next)) between_.emplace_back(i, j);
      }
    EXPECT_EQ(within_.size() + between_.size(), sites.size() * L::neighbours / 2);
  }

  /// Per site, of a periodic bar of so many layers: -d ln Z / dK. Z is the sum of the powers of all eigenvalues, of
  /// which the largest ones of even and of odd functions of the spins are taken into account. With 16 layers the
  /// others are exp(-11) and less of the largest one at the couplings below, and the energies good to 2e-5.
  double energy(double coupling) const {
    const double step = 1e-4, layers = 16;
    const auto log_z = [&](double at) {
      const double even = log_eigenvalue(at, false), odd = log_eigenvalue(at, true);
      return layers * even + std::log1p(std::exp(layers * (odd - even)));
    };
    return -(log_z(coupling + step) - log_z(coupling - step)) / (2 * step * layers * bits_);
  }

 private:
  using Vector = std::vector<double>;
  using Bonds = std::vector<std::pair<int, int>>;

  static int spin(std::size_t state, int i) { return (state >> i & 1) != 0 ? 1 : -1; }
  static int sum(const Bonds& bonds, std::size_t a, std::size_t b) {
    return std::accumulate(bonds.begin(), bonds.end(), 0,
                           [&](int all, const auto& bond) { return all + spin(a, bond.first) * spin(b, bond.second); });
  }

  /// By power iteration.
  double log_eigenvalue(double coupling, bool is_odd) const {
    const std::size_t states = std::size_t{1} << bits_;
    Vector x(states), weights(states), matrix;
    for (std::size_t s = 0; s < states; ++s) {
      x[s] = is_odd ? 2 * std::popcount(s) - bits_ : 1;
      weights[s] = std::exp(coupling * sum(within_, s, s));
      for (std::size_t t = 0; bits_ == 8 && t < states; ++t)
        matrix.push_back(std::exp(coupling * sum(between_, t, s)));  // [s, t]
    }
    double value = 0, before = 0;
    do {
      for (std::size_t s = 0; s < states; ++s) x[s] *= weights[s];
      bits_ == 8 ? multiply(matrix, x) : multiply_by_factors(coupling, x);
      const double norm = std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
      for (double& one : x) one /= norm;
      before = std::exchange(value, std::log(norm));
    } while (std::abs(value - before) > 1e-13);
    return value;
  }
  static void multiply(const Vector& matrix, Vector& x) {
    const Vector from = x;
    for (std::size_t s = 0; s < x.size(); ++s)
      x[s] =
          std::inner_product(from.begin(), from.end(), matrix.begin() + static_cast<std::ptrdiff_t>(s * x.size()), 0.0);
  }
  /// Each site has one neighbour in the next layer: a factor of 2 x 2 for each.
  static void multiply_by_factors(double coupling, Vector& x) {
    const double same = std::exp(coupling), other = 1 / same;
    for (std::size_t bit = 1; bit < x.size(); bit *= 2)
      for (std::size_t s = 0; s < x.size(); ++s) {
        if ((s & bit) != 0) continue;
        const double down = x[s], up = x[s | bit];
        x[s] = same * down + other * up;
        x[s | bit] = other * down + same * up;
      }
  }

  int bits_ = 0;
  Bonds within_, between_;  ///< sites of a layer, and of this one and the next
};

TEST(SpaceIsing, IsingModelsInABarHaveTheEnergyOfTheTransferMatrix) {
  const auto check = []<class L>(const Bar<L>& bar, int nx, double coupling) {
    SCOPED_TRACE(L::name + std::to_string(coupling));
    using M = Ising<L>;
    expect_mean(moments_of_bonds<Sequential<M>>(M(coupling, 1), box(nx, 4, 4), 100, 2, 75)[0], bar.energy(coupling),
                0.03);
  };
  const Bar<SimpleCubic> sc;
  const Bar<BodyCentredCubic> bcc;
  const Bar<FaceCentredCubic> fcc;
  for (const double coupling : {0.22, 0.3}) check(sc, 16, coupling);
  check(bcc, 8, 0.17);
  check(fcc, 8, 0.115);
}

/// Of 64 independent sites with three states, the mean of (q f - 1) / (q - 1) follows from the numbers of ways.
TEST(SpacePotts, TheNFoldWayHasTheOrderOfIndependentStates) {
  constexpr int q = 3, sites = 64;
  const auto factorial = [](int n) { return std::lgamma(n + 1.0); };
  double mean = 0;
  for (int a = 0; a <= sites; ++a)
    for (int b = 0; a + b <= sites; ++b) {
      const int c = sites - a - b;
      const double ways = factorial(sites) - factorial(a) - factorial(b) - factorial(c) - sites * std::log(q);
      mean += std::exp(ways) * (q * std::max({a, b, c}) / double{sites} - 1) / (q - 1);
    }
  using M = Potts<SimpleCubic>;
  const auto order = [](const States& states) {
    std::array<int, q> numbers{};
    for (const std::uint8_t state : states) ++numbers[state];
    return (q * std::ranges::max(numbers) / double{sites} - 1) / (q - 1);
  };
  expect_mean(moments_of<Bkl<M>>(M(0, q, 1), box(4, 4, 4), 10, 2, 500, order)[0], mean, 0.02);
}

/// Two states without interaction: a flip at rate 1 has the waiting times of equation 1.
TEST(SpaceIsing, WaitingTimesAreExponential) {
  using M = Ising<SimpleCubic>;
  const M model(0, 1);
  for_each_method<M>([&]<class Method>(std::type_identity<Method>) {
    std::vector<double> magnetisations, events;
    for_each_replica<Method>(model, box(16, 16, 16), {}, [&](Method& system) {
      advance(system, model, 0.5);
      magnetisations.push_back(2.0 * static_cast<double>(std::ranges::count(system.states(), 1)) / 4096 - 1);
      advance(system, model, 2);
      events.push_back(static_cast<double>(system.events()) / 4096);
    });
    expect_mean(Average(magnetisations), std::exp(-1.0), 0.02);  // decays at twice the rate of a flip
    expect_mean(Average(events), 2, 0.01);
  });
}

}  // namespace
}  // namespace tessera::kmc::space
