// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace tessera::analysis {

/// Mean of a correlated series, its standard error and its autocorrelation time, in memory that grows with the
/// logarithm of the length (blocking: Flyvbjerg and Petersen, J. Chem. Phys. 91, 461, 1989).
///
/// Level l averages the series in blocks of 2^l values. The error is that of the highest level with at least `enough`
/// blocks. It does not depend on the level once blocks are much longer than the autocorrelation time; its relative
/// error is then 1 / sqrt(2 enough) = 13 %.
class BlockAverages {
 public:
  static constexpr std::uint64_t enough = 32;

  void add(double value) {
    for (std::size_t l = 0;; ++l) {
      if (l == levels_.size()) levels_.emplace_back();
      Level& level = levels_[l];
      ++level.count;
      const double change = value - level.mean;
      level.mean += change / static_cast<double>(level.count);
      level.squares += change * (value - level.mean);
      if (level.count % 2 == 1) {
        level.waiting = value;
        return;
      }
      value = (level.waiting + value) / 2;
    }
  }

  std::uint64_t count() const { return levels_.empty() ? 0 : levels_[0].count; }

  /// Mean over all values; NaN before the first value.
  double mean() const { return levels_.empty() ? not_a_number() : levels_[0].mean; }

  /// Standard error of the mean; NaN for fewer than two values, and if all are equal.
  double error() const {
    const double error = count() < 2 ? 0 : error_at(best_level());
    return error > 0 ? error : not_a_number();
  }

  /// Integrated autocorrelation time in values, (1 + 2 sum of the autocorrelation) / 2: 1/2 for independent values.
  /// Blocks not much longer than this time would underestimate it. Therefore the result is NaN if it grows by more than
  /// a half when the block length is doubled, that is, if neighbouring blocks of half the length have a correlation
  /// above 1/2. It is also NaN for a constant series, and for fewer than 2 `enough` values.
  double autocorrelation_time() const {
    const std::size_t best = best_level();
    if (best == 0) return not_a_number();
    const double naive = error_at(0), halves = error_at(best - 1), blocked = error_at(best);
    const bool settled = blocked * blocked <= 1.5 * halves * halves;
    return naive > 0 && settled ? blocked * blocked / (naive * naive) / 2 : not_a_number();
  }

  /// The state as `size` numbers, for checkpoints; counts are exact up to 2^53.
  static constexpr std::size_t most_levels = 56, size = 4 * most_levels;
  std::vector<double> numbers() const {
    std::vector<double> all;
    for (const Level& l : levels_) all.insert(all.end(), {static_cast<double>(l.count), l.mean, l.squares, l.waiting});
    all.resize(size, 0);
    return all;
  }
  /// Whether these can be the numbers() of `count` values.
  static bool are_numbers(const double* numbers, std::uint64_t count) {
    for (std::size_t l = 0; l < most_levels; ++l, count /= 2, numbers += 4) {
      if (numbers[0] != static_cast<double>(count)) return false;
      for (std::size_t i = 1; i < 4; ++i)
        if (!std::isfinite(numbers[i]) || (count == 0 && numbers[i] != 0)) return false;
      if (numbers[2] < 0) return false;
    }
    return true;
  }
  static BlockAverages from_numbers(const double* numbers) {
    BlockAverages averages;
    for (; numbers[0] > 0 && averages.levels_.size() < most_levels; numbers += 4)
      averages.levels_.push_back({static_cast<std::uint64_t>(numbers[0]), numbers[1], numbers[2], numbers[3]});
    return averages;
  }

 private:
  struct Level {
    std::uint64_t count = 0;
    double mean = 0, squares = 0;  ///< mean of the blocks; sum of squared deviations from it
    double waiting = 0;            ///< the last block, if the number of blocks is odd
  };

  static double not_a_number() { return std::numeric_limits<double>::quiet_NaN(); }
  std::size_t best_level() const {
    std::size_t best = 0;
    while (best + 1 < levels_.size() && levels_[best + 1].count >= enough) ++best;
    return best;
  }
  double error_at(std::size_t l) const {
    const auto n = static_cast<double>(levels_[l].count);
    return std::sqrt(levels_[l].squares / (n - 1) / n);
  }

  std::vector<Level> levels_;
};

}  // namespace tessera::analysis
