// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tessera::analysis {

/// Sums of vectors over blocks of successive samples, which can be left out or compared later. Blocks have 2^l samples,
/// with the smallest l for which fewer than 2 `enough` blocks are complete. An incomplete block follows.
class BlockSums {
 public:
  static constexpr std::size_t enough = 16;  ///< from this number to twice as many blocks are kept

  /// Of vectors with `size` numbers.
  explicit BlockSums(std::size_t size) : size_(size), sums_(size) {}

  /// Adds a sample, `size` numbers.
  void add(std::span<const double> sample) {
    for (std::size_t i = 0; i < size_; ++i) sums_[sums_.size() - size_ + i] += sample[i];
    const std::uint64_t before = length();
    if (++samples_ % before == 0) sums_.resize(sums_.size() + size_);
    if (length() == before) return;
    for (std::size_t i = 0; i < enough * size_; ++i) {
      const std::size_t pair = i / size_ * 2 * size_ + i % size_;
      sums_[i] = sums_[pair] + sums_[pair + size_];
    }
    sums_.resize(enough * size_);
    sums_.resize((enough + 1) * size_);  // with zeros
  }

  std::uint64_t samples() const { return samples_; }  ///< number of samples so far
  /// Number of samples in a complete block.
  std::uint64_t length() const { return length_of(samples_); }
  std::size_t blocks() const { return sums_.size() / size_; }  ///< with the incomplete one
  /// Sums of a block, [size]; the last one is incomplete.
  std::span<const double> block(std::size_t b) const { return std::span(sums_).subspan(b * size_, size_); }

  /// For a checkpoint: all sums, blocks_of(samples) x size.
  const std::vector<double>& sums() const { return sums_; }
  /// Number of blocks after this number of samples.
  static std::size_t blocks_of(std::uint64_t samples) {
    return static_cast<std::size_t>(samples / length_of(samples)) + 1;
  }
  /// Length of a block after this number of samples.
  static std::uint64_t length_of(std::uint64_t samples) {
    std::uint64_t length = 1;
    while (samples / length >= 2 * enough) length *= 2;
    return length;
  }
  /// Restores sums() and samples() from a checkpoint.
  void set(std::vector<double> sums, std::uint64_t samples) {
    sums_ = std::move(sums);
    samples_ = samples;
  }

 private:
  std::size_t size_;
  std::uint64_t samples_ = 0;
  std::vector<double> sums_;  ///< [blocks, size]
};

}  // namespace tessera::analysis
