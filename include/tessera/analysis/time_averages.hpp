// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <tessera/analysis/autocorrelation.hpp>
#include <tessera/analysis/estimate.hpp>
#include <tessera/core/stationarity.hpp>
#include <utility>
#include <vector>

namespace tessera::analysis {

/// Means over correlated rows, which have a value for each of several independent replicas, and their standard errors
/// by the Gamma method. A replica that is trapped in a state of its own is one sample.
///
/// Up to 8192 rows are kept one by one, fewer of more than eight replicas; of more rows sums over 2^l of them are kept.
/// The results depend on the rows only, bit for bit.
class TimeAverages {
 public:
  static constexpr std::size_t fewest_samples = 32;  ///< measurements of all replicas that have an average

  /// Of rows with a value for each of `replicas` replicas.
  explicit TimeAverages(std::size_t replicas)
      : most_(std::clamp<std::size_t>(std::bit_floor((std::size_t{1} << 16) / replicas), 128, 8192)),
        first_(replicas),
        open_{0, 0, std::vector<double>(replicas)} {}

  /// Adds a row, one value per replica. Times increase.
  void add(double time, std::span<const double> row) {
    if (rows_++ == 0) first_.assign(row.begin(), row.end());
    for (std::size_t r = 0; r < row.size(); ++r) {
      const double change = row[r] - first_[r];
      open_.sums[r] += change;
      open_.squares += change * change;
      scale_ = std::max(scale_, std::abs(row[r]));
    }
    open_.end = time;
    if (++rows_in_open_ < length_) return;
    blocks_.push_back(std::exchange(open_, {0, 0, std::vector<double>(replicas())}));
    rows_in_open_ = 0;
    if (blocks_.size() < most_) return;
    for (std::size_t b = 0; b < most_ / 2; ++b) {
      Block& pair = blocks_[b] = blocks_[2 * b];
      const Block& next = blocks_[2 * b + 1];
      pair.end = next.end;
      pair.squares += next.squares;
      for (std::size_t r = 0; r < replicas(); ++r) pair.sums[r] += next.sums[r];
    }
    blocks_.resize(most_ / 2);
    length_ *= 2;
  }

  std::size_t replicas() const { return first_.size(); }  ///< values of a row
  std::uint64_t rows() const { return rows_; }            ///< number of rows so far

  /// The mean of each replica over all rows; NaN before the first.
  std::vector<double> means() const {
    std::vector<double> means;
    for (std::size_t r = 0; r < replicas(); ++r) {
      double sum = open_.sums[r];
      for (const Block& block : blocks_) sum += block.sums[r];
      means.push_back(first_[r] + sum / static_cast<double>(rows_));
    }
    return means;
  }

  /// Mean over all rows and replicas.
  double mean() const { return mean_of(means()).value; }

  /// Whether the error of the mean is that of the scatter of the replicas: if they differ, each is trapped in a state
  /// of its own, which more rows do not average over; if there are too few rows, and enough replicas.
  bool has_error_of_scatter(const Stationarity& tested) const {
    if (replicas() == 1) return false;
    const auto times = static_cast<double>(rows_) / tested.autocorrelation_rows;
    return tested.result() == TestResult::replicas_differ || rows_ < Stationarity::fewest_rows ||
           (replicas() >= fewest_samples && times < Stationarity::fewest_times);
  }

  /// mean() with its standard error; NaN for equal values, and for few replicas and under five autocorrelation times.
  Estimate estimate(const Stationarity& tested) const {
    const double times = static_cast<double>(rows_) / tested.autocorrelation_rows;
    const bool of_scatter = has_error_of_scatter(tested);
    const double error = of_scatter ? mean_of(means()).error : tested.mean_error;
    const bool known = !is_rounding(error) && (of_scatter || times >= Stationarity::fewest_times_of_error);
    return {mean(), known ? error : std::numeric_limits<double>::quiet_NaN()};
  }

  /// Whether a number that is computed from the values is zero within rounding.
  bool is_rounding(double number) const {
    return std::abs(number) <= 8 * std::numeric_limits<double>::epsilon() * scale_;
  }

  /// Autocorrelation and error of the mean are those of deviations from `known`, the mean by symmetry, if there is one;
  /// else from the mean over rows and replicas. For the difference of the first and second half of the rows, deviations
  /// are those from the mean over the replicas, which a common drift does not change; of one replica, from the mean of
  /// each half. For the comparison of replicas, deviations are those from each replica's own mean.
  Stationarity stationarity(std::optional<double> known = {}) const {
    Stationarity result;
    result.rows = rows_;
    const std::size_t count = blocks_.size(), half = count / 2, all = count * replicas();
    if (rows_ < Stationarity::fewest_rows || count < 2) return result;
    // Relative to the first value, so that deviations of a constant are 0.
    const double base = first_[0] + blocks_[0].sums[0] / static_cast<double>(length_);
    std::vector<double> values, of_replica(replicas());
    for (const Block& block : blocks_)
      for (std::size_t r = 0; r < replicas(); ++r) {
        values.push_back(first_[r] + block.sums[r] / static_cast<double>(length_) - base);
        of_replica[r] += values.back() / static_cast<double>(count);
      }
    for (double& one : of_replica)
      if (is_rounding(one - of_replica[0])) one = of_replica[0];
    if (known) *known -= base;
    /// Deviations from(row, replica) of `rows` rows from row `begin` on.
    const auto deviations = [&](std::size_t begin, std::size_t rows, const auto& from) {
      std::vector<double> part;
      for (std::size_t i = begin; i < begin + rows; ++i)
        for (std::size_t r = 0; r < replicas(); ++r) {
          const double deviation = values[i * replicas() + r] - from(i, r);
          part.push_back(is_rounding(deviation) ? 0 : deviation);
        }
      return part;
    };
    const auto mean_over = [&](std::size_t begin, std::size_t rows) {
      return mean_with_scatter(std::span(values).subspan(begin * replicas(), rows * replicas())).value;
    };
    const double common = known.value_or(mean_over(0, count));
    const auto from_common = deviations(0, count, [&](std::size_t, std::size_t) { return common; });
    auto found = autocorrelation({from_common}, replicas(), known ? 0 : static_cast<double>(all));
    result.mean_error = found.error_of_mean(static_cast<double>(all));
    result.row_time = (blocks_.back().end - blocks_.front().end) / (static_cast<double>((count - 1) * length_));
    if (replicas() > 1)
      found = compare_replicas(
          result, found, deviations(0, count, [&](std::size_t, std::size_t r) { return of_replica[r]; }), of_replica);
    // Of blocks: their time is that of rows, if the variance of these is known.
    double in_rows = static_cast<double>(length_), squares = 0;
    for (const Block& block : blocks_) squares += squares_about(block, base + common);
    if (length_ > 1 && squares > 0 && knows_squares_)
      in_rows *= found.variance * in_rows * static_cast<double>(all) / squares;
    result.autocorrelation_rows = found.rows * in_rows;
    result.autocorrelation_rows_error = found.rows_error * in_rows;

    result.first = base + mean_over(0, half);
    result.second = base + mean_over(count - half, half);
    const bool from_replicas = !known && replicas() > 1;
    Parts halves;
    for (const std::size_t begin : {std::size_t{0}, count - half}) {
      std::vector<double> from(count, known.value_or(mean_over(begin, half)));
      for (std::size_t i = 0; from_replicas && i < count; ++i) from[i] = mean_over(i, 1);
      halves.push_back(deviations(begin, half, [&](std::size_t i, std::size_t) { return from[i]; }));
    }
    const auto of_half = static_cast<double>(half * replicas());
    const auto apart = autocorrelation(halves, replicas(), known || from_replicas ? 0 : of_half);
    const double free = from_replicas ? 1 - 1 / static_cast<double>(replicas()) : 1;
    result.error = apart.error_of_mean(of_half) * std::sqrt(2 / free);
    return result;
  }

  /// The correlation coefficient of these rows and those of another series with the same times; 0 if one is constant.
  double correlation(const TimeAverages& other) const {
    const auto length = static_cast<double>(length_);
    const double mine = length * mean(), its = length * other.mean();
    double products = 0, squares = 0, its_squares = 0;
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      for (std::size_t r = 0; r < replicas(); ++r) {
        const double x = blocks_[b].sums[r] + length * first_[r] - mine;
        const double y = other.blocks_[b].sums[r] + length * other.first_[r] - its;
        products += x * y;
        squares += x * x;
        its_squares += y * y;
      }
    return squares * its_squares > 0 ? products / std::sqrt(squares * its_squares) : 0;
  }

  /// The time after which the rows begin whose mean has the least standard error, if rows are taken as independent: the
  /// rule MSER-5 for means over the replicas (White, Cobb and Spratt, Proc. 2000 Winter Simulation Conference, 755). At
  /// most half of the rows are dropped, in batches of five; `from` if none is. Where all of these are, within a
  /// twentieth, the rule has found no stationary part.
  struct Settled {
    double after;   ///< time; the rows to be averaged come after it
    bool at_bound;  ///< whether about half of the rows would be dropped: no stationary part
  };
  /// Of rows after the time `from`; see Settled.
  Settled settled_after(double from) const {
    constexpr std::size_t batch = 5;
    const std::size_t batches = blocks_.size() / batch;
    double mean = 0, squares = 0, least = std::numeric_limits<double>::infinity();
    Settled start{from, false};
    for (std::size_t kept = 1; kept <= batches; ++kept) {
      const std::size_t first = (batches - kept) * batch;
      double value = 0;
      for (std::size_t b = first; b < first + batch; ++b)
        value += std::accumulate(blocks_[b].sums.begin(), blocks_[b].sums.end(), 0.0);
      const double change = value - mean, count = static_cast<double>(kept);
      mean += change / count;
      squares += change * (value - mean);
      const double score = squares / (count * count);
      if (2 * kept < batches || score > least) continue;
      least = score;
      start = {first == 0 ? from : blocks_[first - 1].end, batches > 1 && 40 * first >= 19 * batch * batches};
    }
    return start;
  }

  /// Those of rows that are sums of weights[k] * parts[k], of series with the same times.
  static TimeAverages weighted(const std::vector<const TimeAverages*>& parts, const std::vector<double>& weights) {
    TimeAverages sum = *parts[0];
    sum.knows_squares_ = false;
    sum.scale_ = 0;
    for (std::size_t k = 0; k < parts.size(); ++k) sum.scale_ += std::abs(weights[k]) * parts[k]->scale_;
    const auto combine = [&](std::vector<double>& to, const auto& of) {
      std::ranges::fill(to, 0.0);
      for (std::size_t k = 0; k < parts.size(); ++k)
        for (std::size_t r = 0; r < to.size(); ++r) to[r] += weights[k] * of(*parts[k])[r];
    };
    combine(sum.first_, [](const TimeAverages& part) { return part.first_; });
    combine(sum.open_.sums, [](const TimeAverages& part) { return part.open_.sums; });
    for (std::size_t b = 0; b < sum.blocks_.size(); ++b)
      combine(sum.blocks_[b].sums, [b](const TimeAverages& part) { return part.blocks_[b].sums; });
    return sum;
  }

  /// Those of the rows after this time, without a block that it cuts.
  TimeAverages after(double time) const {
    TimeAverages later = *this;
    later.rows_ -= length_ * static_cast<std::uint64_t>(
                                 std::erase_if(later.blocks_, [&](const Block& block) { return block.end <= time; }));
    return later;
  }

 private:
  /// Over `length_` rows: the time of the last one, and sums over the rows.
  struct Block {
    double end, squares;       ///< squares: of deviations from the first row
    std::vector<double> sums;  ///< of each replica, relative to the first row, so that those of a constant are equal
  };

  /// Sum over the rows of a block of squared deviations from `mean`.
  double squares_about(const Block& block, double mean) const {
    double sum = block.squares;
    for (std::size_t r = 0; r < replicas(); ++r)
      sum += (first_[r] - mean) * (2 * block.sums[r] + static_cast<double>(length_) * (first_[r] - mean));
    return sum;
  }

  /// Sets `replica_ratio` and Q from the deviations of each replica from its own mean. The degrees of freedom of the
  /// squared error of such a mean follow from its relative error. In short windows the error may be too small, which
  /// `margin` allows for; below 20 autocorrelation times it is unknown. Returns the autocorrelation of all deviations,
  /// or of these.
  Autocorrelation compare_replicas(Stationarity& result, const Autocorrelation& all, std::vector<double> deviations,
                                   const std::vector<double>& means) const {
    constexpr double margin = 1.5;
    const auto rows = static_cast<double>(blocks_.size()), count = static_cast<double>(replicas());
    const Autocorrelation own = autocorrelation({std::move(deviations)}, replicas(), rows);
    if (rows < Stationarity::fewest_times * own.rows) return all;
    result.replica_ratio = std::pow(mean_of(means).error / own.error_of_mean(rows), 2) * count;
    result.replica_q =
        probability_of_ratio(result.replica_ratio / margin, count - 1, 2 / (own.relative() * own.relative()));
    return result.replica_q < Stationarity::least_q ? own : all;
  }

  std::size_t most_;  ///< blocks to keep, even
  std::uint64_t rows_ = 0, length_ = 1, rows_in_open_ = 0;
  bool knows_squares_ = true;
  double scale_ = 0;           ///< largest absolute value
  std::vector<double> first_;  ///< first row
  Block open_;                 ///< incomplete
  std::vector<Block> blocks_;
};

}  // namespace tessera::analysis
