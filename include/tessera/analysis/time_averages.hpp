// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <tessera/analysis/block_averages.hpp>
#include <tessera/analysis/estimate.hpp>
#include <tessera/analysis/variance_ratio.hpp>
#include <tessera/core/stationarity.hpp>
#include <utility>
#include <vector>

namespace tessera::analysis {

/// Integrated autocorrelation time: 1/2 + sum of the normalised autocorrelation of deviations, of two series [rows,
/// replicas], up to the lag that is five times this sum (Madras and Sokal, J. Stat. Phys. 50, 109, 1988); at least 1/2.
inline double integrated_autocorrelation(const std::array<std::vector<double>, 2>& series, std::size_t replicas) {
  constexpr double window = 5;
  const std::size_t numbers = series[0].size();
  const auto covariance = [&](std::size_t apart) {
    double sum = 0;
    for (const auto& one : series)
      for (std::size_t i = apart; i < numbers; ++i) sum += one[i] * one[i - apart];
    return sum / static_cast<double>(numbers - apart);
  };
  const double variance = covariance(0);
  double total = 0.5;
  if (!(variance > 0)) return total;
  for (std::size_t lag = 1; lag < numbers / replicas; ++lag) {
    total += covariance(lag * replicas) / variance;
    if (static_cast<double>(lag) >= window * total) break;
  }
  return std::max(total, 0.5);
}

/// Means over correlated rows, which have a value for each of several independent replicas. Errors are computed from
/// means over blocks of rows. For one replica, the blocks and the error of the mean are those of BlockAverages. Blocks
/// of several replicas are samples of one set, so that each replica needs fewer, and longer, blocks: their length is
/// the largest 2^l with at least BlockAverages::enough blocks. If there are as many replicas, or if replicas differ
/// (each is trapped in a state of its own, which more blocks do not average over), each replica is one sample.
///
/// Up to 1024 rows are kept one by one, fewer of more than 128 replicas; of more rows sums over 2^l of them are kept.
/// The results depend on the rows only, bit for bit.
class TimeAverages {
 public:
  explicit TimeAverages(std::size_t replicas)
      : most_(std::clamp<std::size_t>(std::bit_floor((std::size_t{1} << 17) / replicas), 32, 1024)),
        first_(replicas),
        open_{0, 0, 0, std::vector<double>(replicas)} {}

  /// Adds a row, one value per replica. Times increase.
  void add(double time, std::span<const double> row) {
    if (rows_++ == 0) first_.assign(row.begin(), row.end());
    const double common = mean_with_scatter(row).value;
    for (std::size_t r = 0; r < row.size(); ++r) {
      const double change = row[r] - first_[r];
      open_.sums[r] += change;
      open_.squares += change * change;
      open_.scatter += (row[r] - common) * (row[r] - common);
    }
    open_.end = time;
    if (++rows_in_open_ < length_) return;
    blocks_.push_back(std::exchange(open_, {0, 0, 0, std::vector<double>(replicas())}));
    rows_in_open_ = 0;
    if (blocks_.size() < most_) return;
    blocks_ = joined(2);
    length_ *= 2;
  }

  std::size_t replicas() const { return first_.size(); }
  std::uint64_t rows() const { return rows_; }

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

  /// Means over the blocks of all replicas; if there are enough replicas, or if the verdict on the average is that they
  /// differ, means of each replica over all rows.
  std::vector<double> samples(Verdict verdict) const {
    if (replicas() >= BlockAverages::enough || verdict == Verdict::replicas_differ) return means();
    std::size_t count = 1;
    while (blocks_.size() / (2 * count) * replicas() >= BlockAverages::enough) count *= 2;
    std::vector<double> samples;
    for (const Block& block : joined(count))
      for (std::size_t r = 0; r < replicas(); ++r)
        samples.push_back(first_[r] + block.sums[r] / static_cast<double>(count * length_));
    return samples;
  }

  /// mean() with its standard error; see mean_of().
  Estimate estimate(Verdict verdict) const { return {mean(), mean_of(samples(verdict)).error}; }

  /// Whether the first and the second half of the rows agree. Variance and autocorrelation are those of deviations from
  /// `known`, the mean by symmetry, if there is one; else from the mean over the replicas, which a common drift does
  /// not change; of one replica, from the mean of each half. The means of the replicas are compared, too.
  Stationarity stationarity(std::optional<double> known = {}) const {
    Stationarity result;
    result.rows = rows_;
    if (rows_ < Stationarity::fewest_rows) return result;
    const std::size_t half = blocks_.size() / 2;
    const auto length = static_cast<double>(length_), count = static_cast<double>(half * replicas());
    const bool from_replicas = !known && replicas() > 1;
    std::array<std::vector<double>, 2> deviations;
    std::array<double, 2> means{};
    double squares = 0, squares_of_rows = 0;
    for (std::size_t h = 0; h < 2; ++h) {
      const std::span part(&blocks_[h * (blocks_.size() - half)], half);
      for (const Block& block : part)
        for (const double value : values(block)) means[h] += value / count;
      for (const Block& block : part) {
        const auto of_block = values(block);
        const double from = from_replicas ? mean_with_scatter(of_block).value : known.value_or(means[h]);
        for (const double value : of_block) {
          deviations[h].push_back(value - from);
          squares += (value - from) * (value - from);
        }
        squares_of_rows += from_replicas ? block.scatter : squares_about(block, from);
      }
    }
    const double free = known ? 1 : 1 - 1 / static_cast<double>(replicas() > 1 ? replicas() : half);
    const double correlated = integrated_autocorrelation(deviations, replicas());
    result.first = means[0];
    result.second = means[1];
    result.error = std::sqrt(2 * squares / (2 * count) / free * 2 * correlated / count);
    result.autocorrelation_rows = correlated * length;
    if (length_ > 1 && squares_of_rows > 0 && knows_squares_)  // the ratio of the variances of blocks and of rows
      result.autocorrelation_rows = std::max(0.5, result.autocorrelation_rows * squares * length / squares_of_rows);
    result.autocorrelation_time = result.autocorrelation_rows * (blocks_.back().end - blocks_.front().end) /
                                  (static_cast<double>(blocks_.size() - 1) * length);
    if (replicas() > 1) compare_replicas(result);
    return result;
  }

  /// The time after which the rows begin whose mean has the least standard error, if rows are taken as independent: the
  /// rule MSER-5 for means over the replicas (White, Cobb and Spratt, Proc. 2000 Winter Simulation Conference, 755). At
  /// most half of the rows are dropped, in batches of five; `from` if none is.
  double settled_after(double from) const {
    constexpr std::size_t batch = 5;
    const std::size_t batches = blocks_.size() / batch;
    double mean = 0, squares = 0, least = std::numeric_limits<double>::infinity(), start = from;
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
      start = first == 0 ? from : blocks_[first - 1].end;
    }
    return start;
  }

  /// Those of rows that are sums of weights[k] * parts[k], of series with the same times.
  static TimeAverages weighted(const std::vector<const TimeAverages*>& parts, const std::vector<double>& weights) {
    TimeAverages sum = *parts[0];
    sum.knows_squares_ = false;
    const auto combine = [&](std::vector<double>& to, const auto& of) {
      std::ranges::fill(to, 0.0);
      for (std::size_t k = 0; k < parts.size(); ++k)
        for (std::size_t r = 0; r < to.size(); ++r) to[r] += weights[k] * of(*parts[k])[r];
    };
    combine(sum.first_, [](const TimeAverages& part) { return part.first_; });
    combine(sum.open_.sums, [](const TimeAverages& part) { return part.open_.sums; });
    for (std::size_t b = 0; b < sum.blocks_.size(); ++b) {
      combine(sum.blocks_[b].sums, [b](const TimeAverages& part) { return part.blocks_[b].sums; });
    }
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
    double end;
    double squares, scatter;   ///< of deviations from the first row, and from the mean over the replicas
    std::vector<double> sums;  ///< of each replica, relative to the first row, so that those of a constant are equal
  };

  /// Means of the replicas over the rows of a block.
  std::vector<double> values(const Block& block) const {
    std::vector<double> values;
    for (std::size_t r = 0; r < replicas(); ++r)
      values.push_back(first_[r] + block.sums[r] / static_cast<double>(length_));
    return values;
  }

  /// Sum over the rows of a block of squared deviations from `mean`.
  double squares_about(const Block& block, double mean) const {
    double sum = block.squares;
    for (std::size_t r = 0; r < replicas(); ++r)
      sum += (first_[r] - mean) * (2 * block.sums[r] + static_cast<double>(length_) * (first_[r] - mean));
    return sum;
  }

  /// Sets `replica_ratio` and its limit from both halves. The error of a replica's mean is that of deviations from this
  /// mean, squared s^2 2 tau / n (1 + (10 tau + 1) / n), where the bracket allows for the mean's own error; over R
  /// replicas it has R n / (10 tau + 1) degrees of freedom (U. Wolff, Comput. Phys. Commun. 156, 143, 2004, with a
  /// window of 5 tau). In short windows squared errors are still up to a third too small, for which the limit has a
  /// factor. Those from fewer than 20 autocorrelation times are unknown.
  void compare_replicas(Stationarity& result) const {
    constexpr double margin = 1.5;
    const std::size_t half = blocks_.size() / 2;
    const auto length = static_cast<double>(length_), rows = static_cast<double>(2 * half),
               count = static_cast<double>(replicas());
    const std::array<std::span<const Block>, 2> halves{std::span(blocks_).first(half), std::span(blocks_).last(half)};
    std::vector<double> means(replicas());  // relative to the first row
    for (const auto& part : halves)
      for (const Block& block : part)
        for (std::size_t r = 0; r < replicas(); ++r) means[r] += block.sums[r] / length / rows;
    std::array<std::vector<double>, 2> deviations;
    double squares = 0;
    for (std::size_t h = 0; h < 2; ++h)
      for (const Block& block : halves[h])
        for (std::size_t r = 0; r < replicas(); ++r) {
          deviations[h].push_back(block.sums[r] / length - means[r]);
          squares += deviations[h].back() * deviations[h].back();
        }
    const double tau = integrated_autocorrelation(deviations, replicas()), wide = 10 * tau + 1;
    if (rows < Stationarity::fewest_times * tau) return;
    for (std::size_t r = 0; r < replicas(); ++r) means[r] += first_[r];
    const double square_of_error = squares / (rows * count) * 2 * tau / rows * (1 + wide / rows);
    result.replica_ratio = std::pow(mean_of(means).error, 2) * count / square_of_error;
    result.replica_limit = margin * largest_variance_ratio(count - 1, count * rows / wide);
  }

  /// Each `count` blocks as one; an incomplete one at the end is left out.
  std::vector<Block> joined(std::size_t count) const {
    std::vector<Block> all;
    for (std::size_t b = 0; b + count <= blocks_.size(); b += count) {
      Block& block = all.emplace_back(blocks_[b]);
      for (std::size_t i = b + 1; i < b + count; ++i) {
        block.end = blocks_[i].end;
        block.squares += blocks_[i].squares;
        block.scatter += blocks_[i].scatter;
        for (std::size_t r = 0; r < replicas(); ++r) block.sums[r] += blocks_[i].sums[r];
      }
    }
    return all;
  }

  std::size_t most_;  ///< blocks to keep, even
  std::uint64_t rows_ = 0, length_ = 1, rows_in_open_ = 0;
  bool knows_squares_ = true;
  std::vector<double> first_;  ///< first row
  Block open_;                 ///< incomplete
  std::vector<Block> blocks_;
};

}  // namespace tessera::analysis
