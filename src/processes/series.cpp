// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/expression.hpp"

#include <cmath>
#include <tessera/core/exact_arithmetic.hpp>

namespace tessera::processes {
namespace {

/// Sum of a_i b_(k - i) over first <= i <= k - least.
Interval product(const Series& a, const Series& b, int k, int first, int least, bool is_weighted = false) {
  Interval sum = 0;
  for (int i = std::max(first, k - b.last); i <= std::min(a.last, k - least); ++i)
    sum += is_weighted ? double(i) / k * a.at(i) * b.at(k - i) : a.at(i) * b.at(k - i);
  return sum;
}
/// The same with the weights i / k.
Interval weighted(const Series& a, const Series& b, int k, int first, int least) {
  return product(a, b, k, first, least, true);
}

/// Smallest interval with both numbers.
Interval between(double a, double b) { return {std::min(a, b), std::max(a, b)}; }

/// The series whose coefficients 0 are `values`, and next(series, k) the following ones.
template <class Next>
Series from(const Series& argument, const Interval& values, const Next& next) {
  Series result;
  result.at(0) = values;
  if (argument.last == 0) return result;
  for (int k = 1; k <= Series::order; ++k) {
    const Interval its = next(result, k);
    result.at(k) = its;
    result.last = k;
  }
  return result;
}

Series square(const Series& a) {
  Series result = times(a, a);
  result.at(0) = boost::numeric::square(a.at(0));
  return result;
}

/// The values of sin(x + quarter pi/2).
Interval sine_of(const Interval& x, int quarter) {
  constexpr double right_angle = 0x1.921fb54442d18p0, largest = 1e6;
  if (!(x.lower() > -largest && x.upper() < largest)) return {-1, 1};
  const double from = portable_sin(x.lower(), quarter), to = portable_sin(x.upper(), quarter);
  const auto reaches = [&](int quarters) {  // x + quarter pi/2 = quarters pi/2 and whole turns
    const double at = (quarters - quarter) * right_angle;
    return std::floor((x.upper() - at) / (4 * right_angle)) >= std::ceil((x.lower() - at) / (4 * right_angle));
  };
  return {reaches(3) ? -1 : std::min(from, to), reaches(1) ? 1 : std::max(from, to)};
}

Series trigonometric(const Series& a, int quarter) {
  Series both[2];
  for (int i = 0; i < 2; ++i) both[i].at(0) = sine_of(a.at(0), quarter + i);
  for (int k = 1; k <= Series::order && a.last > 0; ++k) {
    const Interval next[2] = {weighted(a, both[1], k, 1, 0), -weighted(a, both[0], k, 1, 0)};
    for (int i = 0; i < 2; ++i) {
      both[i].at(k) = next[i];
      both[i].last = k;
    }
  }
  return both[0];
}

}  // namespace

Series Series::unknown(const Interval& values) {
  Series result(values, Interval::whole());
  for (int k = 2; k <= order; ++k) result.at(k) = Interval::whole();
  result.last = order;
  return result;
}

Series plus(const Series& a, const Series& b) {
  Series sum = a;
  for (int k = 0; k <= b.last; ++k) sum.at(k) += b.at(k);
  sum.last = std::max(a.last, b.last);
  return sum;
}
Series minus(const Series& a, const Series& b) { return plus(a, times(b, -1)); }
Series times(const Series& a, const Series& b) {
  Series result;
  result.last = std::min(Series::order, a.last + b.last);
  for (int k = 0; k <= result.last; ++k) result.at(k) = product(a, b, k, 0, 0);
  return result;
}
Series divided(const Series& a, const Series& b) {
  if (boost::numeric::zero_in(b.at(0))) return Series::unknown();
  const Series changes = b.last > 0 ? b : a;
  return from(changes, a.at(0) / b.at(0),
              [&](const Series& quotient, int k) { return (a.at(k) - product(b, quotient, k, 1, 0)) / b.at(0); });
}
Series exponential(const Series& a, const Series&) {
  const Interval values = between(portable_exponential(a.at(0).lower()), portable_exponential(a.at(0).upper()));
  return from(a, values, [&](const Series& result, int k) { return weighted(a, result, k, 1, 0); });
}
Series logarithm(const Series& a, const Series&) {
  if (!(a.at(0).lower() > 0)) return Series::unknown();
  const Interval values = between(portable_log(a.at(0).lower()), portable_log(a.at(0).upper()));
  return from(a, values,
              [&](const Series& result, int k) { return (a.at(k) - weighted(result, a, k, 1, 1)) / a.at(0); });
}
Series square_root(const Series& a, const Series&) {
  if (!(a.at(0).lower() > 0)) return Series::unknown({0, std::sqrt(std::max(0.0, a.at(0).upper()))});
  const Interval values = boost::numeric::sqrt(a.at(0));
  return from(a, values, [&](const Series& result, int k) {
    return (a.at(k) - product(result, result, k, 1, 1)) / (2.0 * values);
  });
}
Series raised(const Series& a, const Series& b) {
  const double exponent = b.at(0).lower();
  if (b.is_constant() && exponent == 0.5) return square_root(a);
  if (!b.is_constant() || exponent != std::floor(exponent) || std::abs(exponent) > largest_whole_power)
    return exponential(times(b, logarithm(a)));
  Series result = 1, power = a;
  for (auto left = static_cast<unsigned>(std::abs(exponent)); left != 0; left >>= 1) {
    if ((left & 1u) != 0) result = result.is_constant() ? times(power, result) : times(result, power);
    if (left > 1) power = square(power);
  }
  return exponent < 0 ? divided(1, result) : result;
}
Series absolute(const Series& a, const Series&) {
  if (a.at(0).lower() >= 0) return a;
  return a.at(0).upper() <= 0 ? times(a, -1) : Series::unknown(boost::numeric::abs(a.at(0)));
}
Series smaller(const Series& a, const Series& b) {
  if (a.at(0).upper() <= b.at(0).lower()) return a;
  return b.at(0).upper() <= a.at(0).lower() ? b : Series::unknown(boost::numeric::min(a.at(0), b.at(0)));
}
Series larger(const Series& a, const Series& b) { return times(smaller(times(a, -1), times(b, -1)), -1); }
Series sine(const Series& a, const Series&) { return trigonometric(a, 0); }
Series cosine(const Series& a, const Series&) { return trigonometric(a, 1); }
Series arctangent(const Series& a, const Series&) {
  const Series slope = plus(square(a), 1);
  const Interval values = between(portable_atan(a.at(0).lower()), portable_atan(a.at(0).upper()));
  return from(a, values,
              [&](const Series& result, int k) { return (a.at(k) - weighted(result, slope, k, 1, 1)) / slope.at(0); });
}
Series either(const Series& a, const Series& b) {
  if (a.is_constant() && b.is_constant() && a.at(0).lower() == b.at(0).lower()) return a;
  return Series::unknown(boost::numeric::hull(a.at(0), b.at(0)));
}

}  // namespace tessera::processes
