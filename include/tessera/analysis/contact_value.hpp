// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <span>
#include <tessera/analysis/estimate.hpp>
#include <utility>
#include <vector>

namespace tessera::analysis {

/// Weights that extrapolate a function to 0 from n values: sum of weights[i] * known[i] is the value at 0 of the
/// least-squares fit of a combination of basis functions. The basis is orthogonalized on the points, which keeps the
/// weights accurate to about 1e-13; a Vandermonde matrix would lose most digits.
class WeightsAtZero {
 public:
  /// Adds a basis function with the values p at the points and `zero` at 0, orthogonalized to all previous ones.
  void add(std::vector<double> p, double zero) {
    for (int pass = 0; pass < 2; ++pass)  // the second pass reduces rounding errors
      for (std::size_t k = 0; k < basis_.size(); ++k) {
        double along = 0;
        for (std::size_t i = 0; i < p.size(); ++i) along += p[i] * basis_[k][i];
        for (std::size_t i = 0; i < p.size(); ++i) p[i] -= along * basis_[k][i];
        zero -= along * at_zero_[k];
      }
    double norm = 0;
    for (const double value : p) norm += value * value;
    norm = std::sqrt(norm);
    for (double& value : p) value /= norm;
    zero /= norm;
    weights_.resize(p.size(), 0.0);
    for (std::size_t i = 0; i < p.size(); ++i) weights_[i] += zero * p[i];
    basis_.push_back(std::move(p));
    at_zero_.push_back(zero);
  }
  const std::vector<double>& last() const { return basis_.back(); }  ///< last basis function, of norm 1
  const std::vector<double>& weights() const { return weights_; }    ///< for the values at the points

 private:
  std::vector<std::vector<double>> basis_;
  std::vector<double> at_zero_, weights_;
};

/// Weights for values at the points `at` and a polynomial of this degree.
inline std::vector<double> extrapolation_weights(const std::vector<double>& at, int degree) {
  double largest = 0;
  for (const double x : at) largest = std::max(largest, std::abs(x));
  WeightsAtZero fit;
  fit.add(std::vector<double>(at.size(), 1.0), 1.0);
  for (int d = 1; d <= degree; ++d) {
    std::vector<double> p(at.size());
    for (std::size_t i = 0; i < at.size(); ++i) p[i] = at[i] / largest * fit.last()[i];
    fit.add(std::move(p), 0.0);
  }
  return fit.weights();
}

/// Weights for means over `bins` bins of equal width, the first of which begins at 0, and a polynomial of this degree.
inline std::vector<double> bin_extrapolation_weights(int bins, int degree) {
  WeightsAtZero fit;
  // x is scaled to -1 to 1 over the range. x^d at the left end of a bin, and d + 1 times the mean of x^d over the bin,
  // (right^(d + 1) - left^(d + 1)) / (right - left).
  std::vector<double> power(static_cast<std::size_t>(bins), 1.0), sum(power);
  for (int d = 0; d <= degree; ++d) {
    std::vector<double> p(sum.size());
    for (std::size_t i = 0; i < p.size(); ++i) {
      const double left = 2 * static_cast<double>(i) / bins - 1, right = 2 * static_cast<double>(i + 1) / bins - 1;
      if (d > 0) {
        power[i] *= left;
        sum[i] = right * sum[i] + power[i];
      }
      p[i] = sum[i] / (d + 1);
    }
    fit.add(std::move(p), d % 2 == 0 ? 1.0 : -1.0);
  }
  return fit.weights();
}

/// Pair distribution function of disks at contact, and the pressure, from a histogram of pair distances (equations 4 to
/// 6 of Anderson et al., J. Comput. Phys. 254, 27, 2013). Lengths are in sigma.
///
/// The result is a linear function of the histogram, with constant weights. The bias of its averages is only that of a
/// polynomial of degree 5 for g(r) between sigma and 1.02 sigma.
class ContactValue {
 public:
  static constexpr double bin_width = 1e-4;  ///< delta r
  static constexpr int bins = 200;           ///< up to sigma + c, c = 0.02
  static constexpr int degree = 5;           ///< of the polynomial

  /// Computes the weights.
  ContactValue() {
    std::vector<double> at;
    for (int i = 0; i < bins; ++i) at.push_back(sampling_point(i) - 1);
    weights_ = extrapolation_weights(at, degree);
    for (int i = 0; i < bins; ++i)
      weights_[static_cast<std::size_t>(i)] /= 2 * std::numbers::pi * sampling_point(i) * bin_width;
  }

  /// R_i of equation 6: the mean distance in bin i if the number of pairs is proportional to the distance.
  static double sampling_point(int i) {
    const double r0 = 1 + i * bin_width, r1 = 1 + (i + 1) * bin_width;
    return 2 * (r1 * r1 * r1 - r0 * r0 * r0) / (3 * (r1 * r1 - r0 * r0));
  }

  /// g(sigma+) of `particles` disks at density rho sigma^2; pairs[i] counts each pair in bin i once.
  template <class Count>
  double at_contact(std::span<const Count> pairs, double particles, double density) const {
    double sum = 0;
    for (std::size_t i = 0; i < weights_.size(); ++i) sum += weights_[i] * static_cast<double>(pairs[i]);
    return 2 * sum / (particles * density);
  }

  /// P* = beta P sigma^2 (equation 4).
  static double pressure(double at_contact, double density) {
    return density * (1 + std::numbers::pi / 2 * density * at_contact);
  }

 private:
  std::vector<double> weights_;
};

/// Pair distribution function of disks at contact, as in ContactValue, from polynomials in r^2 over ranges of several
/// widths. The range is chosen from the pairs. Lengths are in sigma.
///
/// Rings of equal area contain equal numbers of pairs if g(r) is constant. Therefore uniform weights in the
/// least-squares fit are nearly optimal, and binning needs no square root. The fit is to means over bins: no bias.
class ContactFits {
 public:
  static constexpr int bins_per_square = 1024;                    ///< bins of r^2 - 1 are 1 / 1024 wide
  static constexpr int bins = 200;                                ///< of the histogram
  static constexpr int degree = 5;                                ///< of the polynomials in r^2
  static constexpr std::array<int, 4> ranges{200, 100, 50, 35};   ///< in bins, from contact on
  static constexpr std::size_t number_of_ranges = ranges.size();  ///< 4
  using Values = std::array<double, number_of_ranges>;            ///< one for each range

  /// Computes the weights of all ranges.
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
  static double r_max(std::size_t range) { return std::sqrt(1 + static_cast<double>(ranges[range]) / bins_per_square); }

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
  Estimate fit_bias(std::span<const std::uint64_t> pairs, double particles, double density, std::size_t range) const {
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
