// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tessera/analysis/block_averages.hpp>
#include <utility>
#include <vector>

namespace tessera::analysis {

/// Sums of vectors over successive samples, and over blocks of them, whose scatter is that of correlated samples.
/// Blocks have 2^l samples, where l is the smallest number with fewer than 2 BlockAverages::enough complete blocks. An
/// incomplete block follows. All depends on the samples only, bit for bit.
class BlockSums {
 public:
  /// Of vectors with `size` numbers.
  BlockSums(std::size_t size, bool with_blocks) : size_(size), with_blocks_(with_blocks) { set({}, 0); }

  void add(std::span<const double> sample) {
    for (std::size_t i = 0; i < size_; ++i) sums_[i] += sample[i];
    const std::uint64_t length = block_length(samples_++);
    if (!with_blocks_) return;
    for (std::size_t i = 0; i < size_; ++i) sums_[sums_.size() - size_ + i] += sample[i];
    if (samples_ % length == 0) sums_.resize(sums_.size() + size_);
    if (block_length(samples_) != length) join_pairs();
  }

  std::uint64_t samples() const { return samples_; }
  std::span<const double> total() const { return std::span(sums_).first(size_); }
  /// Number of samples in a block, and sums of a complete block.
  std::uint64_t length() const { return block_length(samples_); }
  std::size_t complete_blocks() const { return with_blocks_ ? sums_.size() / size_ - 2 : 0; }
  std::span<const double> block(std::size_t b) const { return std::span(sums_).subspan((b + 1) * size_, size_); }

  /// For a checkpoint: all sums, rows(samples) x size, the total first.
  const std::vector<double>& sums() const { return sums_; }
  static std::size_t rows(std::uint64_t samples, bool with_blocks) {
    return with_blocks ? static_cast<std::size_t>(samples / block_length(samples)) + 2 : 1;
  }
  void set(std::vector<double> sums, std::uint64_t samples) {
    sums_ = std::move(sums);
    samples_ = samples;
    sums_.resize(rows(samples, with_blocks_) * size_);
  }

 private:
  static std::uint64_t block_length(std::uint64_t samples) {
    std::uint64_t length = 1;
    while (samples / length >= 2 * BlockAverages::enough) length *= 2;
    return length;
  }
  void join_pairs() {
    for (std::size_t b = 0; b < BlockAverages::enough; ++b)
      for (std::size_t i = 0; i < size_; ++i)
        sums_[(b + 1) * size_ + i] = sums_[(2 * b + 1) * size_ + i] + sums_[(2 * b + 2) * size_ + i];
    sums_.resize((BlockAverages::enough + 1) * size_);
    sums_.resize((BlockAverages::enough + 2) * size_);  // with zeros
  }

  std::size_t size_;
  bool with_blocks_;
  std::uint64_t samples_ = 0;
  std::vector<double> sums_;  ///< [rows, size]: total, complete blocks, incomplete block
};

}  // namespace tessera::analysis
