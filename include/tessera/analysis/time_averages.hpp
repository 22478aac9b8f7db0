// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <tessera/analysis/estimate.hpp>
#include <tessera/analysis/spectrum.hpp>
#include <tessera/core/stationarity.hpp>
#include <utility>
#include <vector>

namespace tessera::analysis {

/// Rows of a series within a window in time, as means over bins of equally many successive rows.
struct Window {
  std::vector<double> means;  ///< [replicas], over all rows
  std::vector<double> bins;   ///< [bins, replicas]: deviations from mean()
  std::uint64_t rows = 0;
  double variance = 0;     ///< of a row, or of a bin where that is not known
  double time_of_bin = 0;  ///< between two bins
  double begin = 0;        ///< time after which the rows come
  double scale = 0;        ///< largest absolute value of a row
  bool is_rate = false;    ///< of a counter

  std::size_t replicas() const { return means.size(); }
  std::size_t count() const { return bins.size() / replicas(); }  ///< of bins
  double mean() const { return mean_with_scatter(means).value; }  ///< over rows and replicas

  /// Mean over bins from number `first` to before `last`, and all replicas, less mean().
  double deviation(std::size_t first, std::size_t last) const {
    return mean_with_scatter(std::span(bins).subspan(first * replicas(), (last - first) * replicas())).value;
  }
  /// Whether a number that is computed from the values is zero within rounding.
  bool is_rounding(double number) const {
    return std::abs(number) <= 8 * std::numeric_limits<double>::epsilon() * scale;
  }
  /// Whether there are too few bins for missing_length() and, of few replicas, an error.
  bool is_few() const { return static_cast<double>(count()) < fewest_rows(replicas()); }

  /// The series that is the sum of weights[k] * parts[k], series with rows at the same times.
  static Window weighted(const std::vector<const Window*>& parts, const std::vector<double>& weights) {
    Window sum = *parts[0];
    sum.scale = sum.variance = 0;
    for (const auto values : {&Window::means, &Window::bins})
      for (std::size_t i = 0; i < (sum.*values).size(); ++i) {
        (sum.*values)[i] = 0;
        for (std::size_t k = 0; k < parts.size(); ++k) (sum.*values)[i] += weights[k] * (parts[k]->*values)[i];
      }
    for (std::size_t k = 0; k < parts.size(); ++k) sum.scale += std::abs(weights[k]) * parts[k]->scale;
    for (double& one : sum.bins) {
      if (sum.is_rounding(one)) one = 0;
      sum.variance += one * one / static_cast<double>(sum.bins.size());
    }
    return sum;
  }

  /// Means over parts of the replicas, at least 16 of all.
  std::vector<double> parts() const {
    const std::size_t each = (16 + replicas() - 1) / replicas(), length = count() / each;
    std::vector<double> found(each * replicas(), mean());
    for (std::size_t i = 0; i < each * length * replicas(); ++i)
      found[i / replicas() / length * replicas() + i % replicas()] +=
          bins[bins.size() - each * length * replicas() + i] / static_cast<double>(length);
    return found;
  }
};

/// Averages over correlated rows, which have a value for each of several independent replicas. Up to 4096 rows are kept
/// one by one, fewer of more than 64 replicas; of more rows sums over 2^l of them. The results depend on the rows only,
/// bit for bit.
class TimeAverages {
 public:
  static constexpr std::size_t fewest_samples = 32;  ///< measurements of all replicas that have an average

  /// Of rows with a value for each of `replicas` replicas. If `per` is not 0, they are increments of a counter since
  /// the time of the row before, of the first one since `begin`; averages are rates, divided by `per`.
  explicit TimeAverages(std::size_t replicas, double per = 0, double begin = 0)
      : most_(std::clamp<std::size_t>(std::bit_floor((std::size_t{1} << 18) / replicas), 512, 4096)),
        per_(per),
        before_(begin),
        first_(replicas),
        open_{0, 0, 0, std::vector<double>(replicas)} {}

  /// Adds a row, one value per replica. Times increase.
  void add(double time, std::span<const double> row) {
    if (rows_++ == 0) first_.assign(row.begin(), row.end());
    if (rows_in_open_ == 0) open_.begin = time;
    for (std::size_t r = 0; r < row.size(); ++r) {
      const double change = row[r] - first_[r];
      open_.sums[r] += change;
      open_.squares += change * change;
      scale_ = std::max(scale_, std::abs(row[r]));
    }
    open_.end = time;
    if (++rows_in_open_ < length_) return;
    bins_.push_back(std::exchange(open_, {time, time, 0, std::vector<double>(replicas())}));
    rows_in_open_ = 0;
    if (bins_.size() < most_) return;
    for (std::size_t b = 0; b < most_ / 2; ++b) {
      Bin& pair = bins_[b] = bins_[2 * b];
      const Bin& next = bins_[2 * b + 1];
      pair.end = next.end;
      pair.squares += next.squares;
      for (std::size_t r = 0; r < replicas(); ++r) pair.sums[r] += next.sums[r];
    }
    bins_.resize(most_ / 2);
    length_ *= 2;
  }

  std::size_t replicas() const { return first_.size(); }  ///< values of a row
  std::uint64_t rows() const { return rows_; }            ///< number of rows so far

  /// The rows after a part of the time from the first row to the last one, whose bins begin after it; all if it is 0.
  Window last_part(double part) const {
    const double first = bins_.empty() ? open_.begin : bins_[0].begin, start = first + part * (open_.end - first);
    std::size_t kept = 0;
    while (part > 0 && kept < bins_.size() && bins_[kept].begin <= start) ++kept;
    const std::size_t count = bins_.size() - kept;
    const auto length = static_cast<double>(length_);
    Window window;
    window.begin = kept > 0 ? bins_[kept - 1].end : before_;
    window.rows = rows_ - kept * length_;
    const auto rows = static_cast<double>(window.rows);
    const double factor = per_ > 0 ? rows / ((open_.end - window.begin) * per_) : 1;
    window.scale = factor * scale_;
    window.is_rate = per_ > 0;
    for (std::size_t r = 0; r < replicas(); ++r) {
      double sum = open_.sums[r];
      for (std::size_t b = kept; b < bins_.size(); ++b) sum += bins_[b].sums[r];
      window.means.push_back(factor * (first_[r] + sum / rows));
    }
    const double mean = window.mean();
    double squares = 0;
    for (std::size_t b = kept; b < bins_.size(); ++b) {
      squares += bins_[b].squares * factor * factor;
      for (std::size_t r = 0; r < replicas(); ++r) {
        const double sum = factor * bins_[b].sums[r], offset = factor * first_[r] - mean;
        const double deviation = offset + sum / length;
        squares += offset * (2 * sum + length * offset);
        window.bins.push_back(window.is_rounding(deviation) ? 0 : deviation);
      }
    }
    window.variance = squares / (static_cast<double>(window.bins.size()) * length);
    if (count > 1) window.time_of_bin = (bins_.back().end - bins_[kept].end) / static_cast<double>(count - 1);
    return window;
  }

 private:
  /// Over `length_` rows: the times of the first and last one, and sums over the rows.
  struct Bin {
    double begin, end, squares;  ///< squares: of deviations from the first row
    std::vector<double> sums;    ///< of each replica, relative to the first row, so that those of a constant are equal
  };

  std::size_t most_;  ///< bins to keep, even
  double per_, before_;
  std::uint64_t rows_ = 0, length_ = 1, rows_in_open_ = 0;
  double scale_ = 0;           ///< largest absolute value
  std::vector<double> first_;  ///< first row
  Bin open_;                   ///< incomplete
  std::vector<Bin> bins_;
};

/// A mean over a window, or a function of means, with its standard error, NaN if none is known, and its tests.
struct TestedMean {
  double value = 0, error = std::numeric_limits<double>::quiet_NaN();
  Stationarity tested = {};
  bool differ = false;  ///< whether the scatter of the replicas is larger than their fluctuations in time explain
  std::size_t replicas = 1;

  /// Whether the first quarter of the window differs from its second half by more than chance explains in 98 % of runs.
  bool drifts() const {
    const double errors = student(1.96, std::max(tested.freedom, 5.0));
    return std::abs(tested.second - tested.first) > errors * tested.error;
  }

  /// Sets the result; all windows must be `longer` by this factor because of `slow`, 0 if not. Too short are windows of
  /// less than some 60 autocorrelation times, 30 with several replicas; up to 8 replicas then have no error.
  void judge(double longer, const std::string& slow) {
    if (longer > 0 && !(longer < tested.longer)) {
      tested.longer = longer;
      tested.slow = slow;
    }
    const bool is_short = tested.longer > 0;
    if (is_short && !differ && replicas <= few_replicas) error = std::numeric_limits<double>::quiet_NaN();
    tested.result = drifts()   ? TestResult::drifting
                    : differ   ? TestResult::replicas_differ
                    : is_short ? TestResult::too_short
                               : TestResult::stationary;
  }
};

/// Of the series `name`, before judge(). Squared errors are multiplied by `curved`.
inline TestedMean tested_mean(const Window& window, const std::string& name, double curved = 1) {
  TestedMean found{window.mean()};
  found.replicas = window.replicas();
  Stationarity& tested = found.tested;
  const std::size_t count = window.count(), values = window.bins.size();
  tested.rows = window.rows;
  if (const double longer = missing_length({{window.bins}, window.replicas()}); longer > 0) {
    tested.longer = longer;
    if (!window.is_few()) tested.slow = name;
  }
  if (count < 4 || (window.is_few() && window.replicas() <= few_replicas)) return found;
  const std::size_t most = std::min<std::size_t>(24, count / 2);
  double ends = 0;
  const auto powers = window.is_rate ? powers_of_rate(window.bins, window.replicas(), most, ends)
                                     : powers_of(window.bins, window.replicas(), most);
  const PowerAtZero zero = power_at_zero(static_cast<double>(count), window.means, powers, window.is_rate);
  const double error = std::sqrt(zero.power * curved / static_cast<double>(values));
  tested.first = found.value + window.deviation(0, count / 4);
  tested.second = found.value + window.deviation(count - count / 2, count);
  // The errors of parts with 1/4 and 1/2 of the rows, in which ends count 16 and 4 times.
  tested.error = std::sqrt((6 * zero.power * curved + 14 * ends) / static_cast<double>(values));
  tested.freedom = zero.freedom;
  tested.replica_ratio = zero.ratio;
  if (window.is_rounding(error)) return found;
  found.error = error;
  found.differ = zero.differ;
  tested.autocorrelation_time = zero.power * curved / (2 * window.variance) * window.time_of_bin;
  tested.autocorrelation_time_error = tested.autocorrelation_time * std::sqrt(2 / zero.freedom);
  tested.samples = static_cast<double>(values) * window.time_of_bin / (2 * tested.autocorrelation_time);
  return found;
}

/// A function of the means of series with rows at the same times, before judge(). The jackknife over parts of the
/// replicas takes off the bias, and widens the error of the linear part where the function is curved.
inline TestedMean tested_mean(const FunctionOfMeans& function, const std::vector<const Window*>& of) {
  std::vector<double> means, slopes;
  for (const Window* one : of) means.push_back(one->mean());
  for (std::size_t k = 0; k < of.size(); ++k) {  // central differences
    const double step = 1e-5 * (means[k] == 0 ? 1 : std::abs(means[k]));
    auto above = means, below = means;
    above[k] += step;
    below[k] -= step;
    slopes.push_back((function.value(above) - function.value(below)) / (2 * step));
  }
  const Window linear = Window::weighted(of, slopes);
  const double value = function.value(means);
  double bias = 0, curved = 1;
  if (linear.count() >= 16) {
    std::vector<std::vector<double>> parts;
    for (const Window* one : of) parts.push_back(one->parts());
    const auto others = static_cast<double>(parts[0].size()) - 1;
    std::vector<double> without, totals;
    for (const auto& one : parts) totals.push_back(mean_with_scatter(one).value);
    for (std::size_t i = 0; i < parts[0].size(); ++i) {
      std::vector<double> rest = totals;
      for (std::size_t k = 0; k < of.size(); ++k) rest[k] += (totals[k] - parts[k][i]) / others;
      without.push_back(function.value(rest));
    }
    const auto [mean, error] = mean_with_scatter(without);
    bias = others * (mean - function.value(totals));
    curved = std::max(1.0, std::pow(others * error / mean_with_scatter(linear.parts()).error, 2));
  }
  TestedMean found = tested_mean(linear, function.name, std::isfinite(curved) ? curved : 1);
  const double offset = (linear.is_rounding(value) ? 0 : value - (std::isfinite(bias) ? bias : 0)) - found.value;
  for (double* one : {&found.value, &found.tested.first, &found.tested.second}) *one += offset;
  return found;
}

}  // namespace tessera::analysis
