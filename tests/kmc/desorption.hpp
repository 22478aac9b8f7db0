// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tessera/kmc/model.hpp>
#include <tessera/kmc/parameters.hpp>
#include <vector>

#include "tests/kmc/physics_methods.hpp"

/// Temperature-programmed desorption from a periodic lattice of 4 x 4 sites with interactions of nearest neighbours,
/// from its master equation.
namespace tessera::testing {

/// Desorption at the rate nu exp(-(E - e n) / (k_B T)) of a particle with n neighbours, at T = begin + heating t.
struct Desorption {
  double nu = 1e13, E = 1.2, e = 0.05, begin = 250, heating = 5;  ///< 1/s, eV, eV, K, K/s
  static constexpr double k_B = 8.617333262e-5;                   ///< eV/K

  double rate(int neighbours, double time) const {
    return nu * std::exp(-(E - e * neighbours) / (k_B * (begin + heating * time)));
  }
};

/// The same from another temperature on.
inline Desorption desorption_from(double begin) {
  Desorption process;
  process.begin = begin;
  return process;
}

/// The coverages of a lattice that is full at time 0. The 65,536 configurations are classes under the symmetries of the
/// lattice, which all have the same rates; the master equation of their probabilities is integrated by the method of
/// Runge and Kutta of fourth order.
class ExactDesorption {
 public:
  explicit ExactDesorption(const Desorption& process, double step) : process_(process), step_(step) {
    std::vector<int> class_of(std::size_t{1} << 16, -1);
    for (std::uint32_t cells = 1u << 16; cells-- > 0;) {
      if (class_of[cells] >= 0) continue;
      const int number = static_cast<int>(classes_.size());
      classes_.push_back({std::popcount(cells), {}});
      std::vector<std::uint32_t> open{cells};
      class_of[cells] = number;
      while (!open.empty()) {
        const std::uint32_t from = open.back();
        open.pop_back();
        for (int symmetry = 0; symmetry < 3; ++symmetry) {
          const std::uint32_t image = moved(from, symmetry);
          if (class_of[image] >= 0) continue;
          class_of[image] = number;
          open.push_back(image);
        }
      }
      representatives_.push_back(cells);
    }
    for (std::size_t i = 0; i < classes_.size(); ++i)
      for (int c = 0; c < 16; ++c) {
        const std::uint32_t cells = representatives_[i];
        if ((cells >> c & 1u) == 0) continue;
        const int x = c % 4, y = c / 4;
        const auto at = [&](int column, int row) {
          return static_cast<int>(cells >> (4 * (row & 3) + (column & 3)) & 1u);
        };
        classes_[i].losses.push_back(
            {class_of[cells & ~(1u << c)], at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1)});
      }
    probabilities_.assign(classes_.size(), 0);
    probabilities_[0] = 1;
  }

  std::size_t classes() const { return classes_.size(); }

  /// The mean coverage at a later time.
  double coverage(double time) {
    while (time_ < time) {
      const double h = std::min(step_, time - time_);
      const auto k1 = slope(time_, probabilities_, {}, 0), k2 = slope(time_ + h / 2, probabilities_, k1, h / 2),
                 k3 = slope(time_ + h / 2, probabilities_, k2, h / 2), k4 = slope(time_ + h, probabilities_, k3, h);
      for (std::size_t i = 0; i < probabilities_.size(); ++i)
        probabilities_[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
      time_ += h;
      if (time - time_ < 1e-9 * step_) time_ = time;
    }
    double sum = 0;
    for (std::size_t i = 0; i < probabilities_.size(); ++i) sum += probabilities_[i] * classes_[i].particles / 16;
    return sum;
  }

 private:
  struct Loss {
    int to, neighbours;
  };
  struct Class {
    int particles;
    std::vector<Loss> losses;
  };

  /// The image under a shift in x, a reflection of x, and an exchange of x and y, which generate all symmetries.
  static std::uint32_t moved(std::uint32_t cells, int symmetry) {
    std::uint32_t image = 0;
    for (int c = 0; c < 16; ++c) {
      const int x = c % 4, y = c / 4, to[] = {4 * y + (x + 1) % 4, 4 * y + 3 - x, 4 * x + y};
      image |= (cells >> c & 1u) << to[symmetry];
    }
    return image;
  }
  /// d/dt of the probabilities `from` + h * `change`.
  std::vector<double> slope(double time, const std::vector<double>& from, const std::vector<double>& change,
                            double h) const {
    std::array<double, 5> rates;
    for (int n = 0; n < 5; ++n) rates[static_cast<std::size_t>(n)] = process_.rate(n, time);
    std::vector<double> result(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
      const double here = from[i] + (change.empty() ? 0 : h * change[i]);
      for (const Loss& loss : classes_[i].losses) {
        const double flow = rates[static_cast<std::size_t>(loss.neighbours)] * here;
        result[i] -= flow;
        result[static_cast<std::size_t>(loss.to)] += flow;
      }
    }
    return result;
  }

  Desorption process_;
  double step_, time_ = 0;
  std::vector<Class> classes_;
  std::vector<std::uint32_t> representatives_;
  std::vector<double> probabilities_;
};

/// Coverages and, between them, the numbers of particles that desorb, also at times within a window.
template <class Simulation>
void expect_spectrum(Simulation&& simulation, const Desorption& process) {
  ExactDesorption exact(process, 0.02);
  std::vector<double> before(simulation.times().size(), 1);
  double expected_before = 1;
  for (const double kelvins : {330.0, 350.0, 361.0, 370.0, 380.0, 390.3, 400.0, 420.0}) {
    const double time = (kelvins - process.begin) / process.heating, expected = exact.coverage(time);
    simulation.advance(time);
    const std::vector<double> coverage = measured(simulation, "coverage_CO");
    const Estimate found(coverage);
    expect_near(("coverage at " + std::to_string(kelvins) + " K").c_str(), found.mean, expected, found.error);
    for (std::size_t r = 0; r < before.size(); ++r) before[r] -= coverage[r];
    const Estimate desorbed(before);
    expect_near(("desorbed up to " + std::to_string(kelvins) + " K").c_str(), desorbed.mean, expected_before - expected,
                desorbed.error);
    before = coverage;
    expected_before = expected;
  }
}

inline kmc::Parameters few_sites(int replicas, std::uint64_t seed) {
  kmc::Parameters p = lattice(4, replicas, seed);
  p.until_time = 40;
  return p;
}

}  // namespace tessera::testing
