// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "io/blocks.hpp"

namespace tessera::io::hdf5 {

Blocks::Blocks(const Shape& array, std::size_t element_bytes, std::size_t most_bytes)
    : array_(array), block_(array.size(), 1) {
  if (array.empty()) return;
  for (split_ = array_.size() - 1;; --split_) {
    const std::size_t extent = std::max<std::size_t>(1, array_[split_]);
    block_[split_] = std::clamp<std::size_t>(most_bytes / (element_bytes * inner_), 1, extent);
    if (block_[split_] < extent || split_ == 0) break;
    inner_ *= extent;
  }
  along_ = (array_[split_] + block_[split_] - 1) / block_[split_];
  size_ = count_of(array_) == 0 ? 0 : along_;
  for (std::size_t d = 0; d < split_; ++d) size_ *= array_[d];
}

Block Blocks::operator[](std::size_t number) const {
  Block block{Shape(array_.size(), 0), block_, 0, 1};
  if (array_.empty()) return block;
  std::size_t before = number / along_;
  for (std::size_t d = split_; d > 0; --d) {
    block.corner[d - 1] = before % array_[d - 1];
    before /= array_[d - 1];
  }
  const std::size_t begin = number % along_ * block_[split_];
  block.corner[split_] = begin;
  block.extents[split_] = std::min(block_[split_], array_[split_] - begin);
  block.first = (number / along_ * array_[split_] + begin) * inner_;
  block.count = block.extents[split_] * inner_;
  return block;
}

}  // namespace tessera::io::hdf5
