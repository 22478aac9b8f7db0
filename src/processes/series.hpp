// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <boost/numeric/interval.hpp>

namespace tessera::processes {

/// Without directed rounding: what it encloses may lie outside by errors of rounding. The same bits on all machines.
using Interval = boost::numeric::interval<
    double, boost::numeric::interval_lib::policies<
                boost::numeric::interval_lib::save_state_nothing<boost::numeric::interval_lib::rounded_transc_exact<
                    double, boost::numeric::interval_lib::rounded_arith_exact<double>>>,
                boost::numeric::interval_lib::checking_base<double>>>;

/// Taylor coefficients of a function of time at all times of an interval: at(k) contains its k-th derivative / k!
/// (R. E. Moore, Interval Analysis, 1966).
class Series {
 public:
  static constexpr int order = 6;

  Series(double value = 0) { at_[0] = value; }                       // NOLINT
  Series(const Interval& values, const Interval& slope) : last(1) {  // of higher order 0
    at_[0] = values;
    at_[1] = slope;
  }
  /// A function of which nothing is known but the values.
  static Series unknown(const Interval& values = Interval::whole());

  bool is_constant() const { return last == 0 && boost::numeric::singleton(at_[0]); }
  const Interval& at(int k) const { return at_[static_cast<std::size_t>(k)]; }
  Interval& at(int k) { return at_[static_cast<std::size_t>(k)]; }

  int last = 0;  ///< coefficients after it are 0

 private:
  std::array<Interval, order + 1> at_{};
};

/// What a Function does, for functions of time; the second operand of those that have one is any.
using Enclose = Series (*)(const Series&, const Series&);
Series plus(const Series& a, const Series& b);
Series minus(const Series& a, const Series& b);
Series times(const Series& a, const Series& b);
Series divided(const Series& a, const Series& b);
Series raised(const Series& a, const Series& b);
Series exponential(const Series& a, const Series& = {});
Series logarithm(const Series& a, const Series& = {});
Series square_root(const Series& a, const Series& = {});
Series absolute(const Series& a, const Series& = {});
Series smaller(const Series& a, const Series& b);
Series larger(const Series& a, const Series& b);
Series sine(const Series& a, const Series& = {});
Series cosine(const Series& a, const Series& = {});
Series arctangent(const Series& a, const Series& = {});
/// One of the two.
Series either(const Series& a, const Series& b);

}  // namespace tessera::processes
