// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <span>
#include <tessera/analysis/contact_value.hpp>
#include <tessera/analysis/estimate.hpp>

namespace tessera::analysis {

/// Pair distribution function of disks at contact, as in ContactValue, from polynomials in r^2 over ranges of several
/// widths. The range is chosen from the pairs. Lengths are in sigma.
///
/// Rings of equal area contain equal numbers of pairs if g(r) is constant. Therefore uniform weights in the
/// least-squares fit are nearly optimal, and binning needs no square root. The fit is to means over bins, so that the
/// bin width causes no bias.
class ContactFits {
 public:
  static constexpr int bins_per_square = 1024;  ///< bins of r^2 - 1 are 1 / 1024 wide
  static constexpr int bins = 200;
  static constexpr int degree = 5;
  static constexpr std::array<int, 4> ranges{200, 100, 50, 35};  ///< in bins, from contact on
  static constexpr std::size_t number_of_ranges = ranges.size();
  using Values = std::array<double, number_of_ranges>;

  ContactFits() {
    for (std::size_t k = 0; k < number_of_ranges; ++k) {
      const auto now = bin_extrapolation_weights(ranges[k], degree);
      const auto more = bin_extrapolation_weights(ranges[k], degree + 1);
      for (std::size_t i = 0; i < now.size(); ++i) {
        weights_[k][i] = now[i];
        next_[k][i] = more[i] - now[i];
      }
    }
  }

  /// Upper end of a range.
  static double reach(std::size_t range) { return std::sqrt(1 + static_cast<double>(ranges[range]) / bins_per_square); }

  /// g(sigma+) from each of the ranges, for `particles` disks at density rho sigma^2; pairs[i] counts each pair in bin
  /// i once. The result is linear in the pairs: the mean over samples is that of the mean histogram.
  template <class Count>
  Values at_contact(std::span<const Count> pairs, double particles, double density) const {
    Values values{};
    // Sums of all ranges in one loop, to overlap the latencies of the additions.
    for (std::size_t i = 0; i < bins; ++i)
      for (std::size_t k = 0; k < number_of_ranges; ++k) values[k] += weights_[k][i] * static_cast<double>(pairs[i]);
    for (double& value : values) value *= of_a_pair(particles, density);
    return values;
  }

  /// Contribution of a pair to g(r) in its bin, whose area is pi / bins_per_square.
  static double of_a_pair(double particles, double density) {
    return 2 * bins_per_square / (particles * density * std::numbers::pi);
  }

  /// Change of g(sigma+) from a range if the degree of the polynomial is increased by one, with its standard error for
  /// independent pairs; NaN without pairs.
  Estimate next_degree(std::span<const std::uint64_t> pairs, double particles, double density,
                       std::size_t range) const {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < bins; ++i) {
      const double weight = next_[range][i], count = static_cast<double>(pairs[i]);
      sum += weight * count;
      squares += weight * weight * count;
    }
    const double unit = of_a_pair(particles, density);
    return {sum * unit, squares > 0 ? std::sqrt(squares) * unit : std::numeric_limits<double>::quiet_NaN()};
  }

  /// The widest range over which g(r) falls by at most a half, from its first to its last quarter, within four standard
  /// errors. The narrowest range if there is none.
  static std::size_t choose(std::span<const std::uint64_t> pairs) {
    for (std::size_t k = 0; k + 1 < number_of_ranges; ++k) {
      const auto all = static_cast<std::size_t>(ranges[k]), quarter = all / 4;
      double first = 0, last = 0;
      for (std::size_t i = 0; i < quarter; ++i) {
        first += static_cast<double>(pairs[i]);
        last += static_cast<double>(pairs[all - quarter + i]);
      }
      if (first - 2 * last <= 4 * std::sqrt(first + 4 * last)) return k;
    }
    return number_of_ranges - 1;
  }

 private:
  std::array<std::array<double, bins>, number_of_ranges> weights_{}, next_{};  ///< 0 beyond the range
};

}  // namespace tessera::analysis
