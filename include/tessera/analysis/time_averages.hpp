// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tessera/analysis/block_averages.hpp>
#include <tessera/analysis/estimate.hpp>
#include <vector>

namespace tessera::analysis {

/// Means over correlated rows, which have a value for each of several independent replicas. Errors are computed from
/// means over blocks of rows. For one replica, the blocks and the error of the mean are those of BlockAverages. Blocks
/// of several replicas are samples of one set, so that each replica needs fewer, and longer, blocks: their length is
/// the largest 2^l with at least BlockAverages::enough blocks. If there are as many replicas, each replica is one
/// sample.
///
/// The results depend on the rows only, bit for bit.
class TimeAverages {
 public:
  explicit TimeAverages(std::size_t replicas) : sums_(replicas), block_(replicas) {}

  /// Adds a row, one value per replica.
  void add(std::span<const double> row) {
    if (rows_++ == 0) first_.assign(row.begin(), row.end());
    for (std::size_t r = 0; r < sums_.size(); ++r) {
      sums_[r] += row[r];
      block_[r] += row[r] - first_[r];
    }
    if (sums_.size() >= BlockAverages::enough || ++rows_in_block_ < length_) return;
    blocks_.insert(blocks_.end(), block_.begin(), block_.end());
    std::fill(block_.begin(), block_.end(), 0.0);
    rows_in_block_ = 0;
    const std::size_t pairs = blocks_.size() / sums_.size() / 2;
    if (blocks_.size() == 2 * pairs * sums_.size() && pairs * sums_.size() >= BlockAverages::enough) join_pairs(pairs);
  }

  std::size_t replicas() const { return sums_.size(); }
  std::uint64_t rows() const { return rows_; }

  /// The mean of each replica over all rows; NaN before the first.
  std::vector<double> means() const {
    std::vector<double> means;
    for (const double sum : sums_) means.push_back(sum / static_cast<double>(rows_));
    return means;
  }

  /// Mean over all rows and replicas.
  double mean() const { return mean_of(means()).value; }

  /// Means over the blocks of all replicas; if there are enough replicas, means of each replica over all rows.
  std::vector<double> samples() const {
    if (sums_.size() >= BlockAverages::enough) return means();
    std::vector<double> samples;
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      samples.push_back(first_[i % sums_.size()] + blocks_[i] / static_cast<double>(length_));
    return samples;
  }

  /// mean() with its standard error; see mean_of().
  Estimate estimate() const { return {mean(), mean_of(samples()).error}; }

 private:
  void join_pairs(std::size_t pairs) {
    const std::size_t replicas = sums_.size();
    for (std::size_t b = 0; b < pairs; ++b)
      for (std::size_t r = 0; r < replicas; ++r)
        blocks_[b * replicas + r] = blocks_[2 * b * replicas + r] + blocks_[(2 * b + 1) * replicas + r];
    blocks_.resize(pairs * replicas);
    length_ *= 2;
  }

  std::uint64_t rows_ = 0, length_ = 1, rows_in_block_ = 0;
  std::vector<double> sums_;    ///< of each replica, over all rows
  std::vector<double> first_;   ///< first row, subtracted from blocks, so that blocks of a constant series are equal
  std::vector<double> block_;   ///< sum over the rows of the incomplete block
  std::vector<double> blocks_;  ///< [blocks, replicas], each over `length_` rows
};

}  // namespace tessera::analysis
