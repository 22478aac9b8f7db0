// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

namespace tessera::analysis {

/// The weights that turn values at `at` into the value at 0 of the polynomial of this degree that fits them best (least
/// squares): sum of weights[i] * value[i]. The polynomial's basis is made orthogonal on the points, which keeps the
/// weights accurate to some 1e-13 where a Vandermonde matrix would lose most digits.
inline std::vector<double> extrapolation_weights(const std::vector<double>& at, int degree) {
  const std::size_t n = at.size();
  double largest = 0;
  for (const double x : at) largest = std::max(largest, std::abs(x));
  std::vector<double> weights(n, 0.0);
  std::vector<std::vector<double>> basis;
  std::vector<double> at_zero;
  for (int d = 0; d <= degree; ++d) {
    // x times the last polynomial, less its parts along all before: twice, against rounding.
    std::vector<double> p(n, 1.0);
    double zero = d == 0 ? 1.0 : 0.0;
    if (d > 0)
      for (std::size_t i = 0; i < n; ++i) p[i] = at[i] / largest * basis.back()[i];
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t k = 0; k < basis.size(); ++k) {
        double along = 0;
        for (std::size_t i = 0; i < n; ++i) along += p[i] * basis[k][i];
        for (std::size_t i = 0; i < n; ++i) p[i] -= along * basis[k][i];
        zero -= along * at_zero[k];
      }
    double norm = 0;
    for (const double value : p) norm += value * value;
    norm = std::sqrt(norm);
    for (double& value : p) value /= norm;
    zero /= norm;
    for (std::size_t i = 0; i < n; ++i) weights[i] += zero * p[i];
    basis.push_back(std::move(p));
    at_zero.push_back(zero);
  }
  return weights;
}

/// The pair distribution function of disks at contact, and with it the pressure, from a histogram of pair distances
/// (equations 4 to 6 of Anderson et al., J. Comput. Phys. 254, 27, 2013). Lengths in sigma.
///
/// A linear function of the histogram with weights that are computed once: averages of it are unbiased up to what a
/// polynomial of degree 5 misses of g(r) between sigma and 1.02 sigma.
class ContactValue {
 public:
  static constexpr double bin_width = 1e-4;  ///< delta r
  static constexpr int bins = 200;           ///< up to sigma + c, c = 0.02
  static constexpr int degree = 5;

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

}  // namespace tessera::analysis
