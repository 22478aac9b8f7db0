// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "io/blocks.hpp"

namespace tessera::io::hdf5 {

Blocks::Blocks(const Shape& array, std::size_t element_bytes, std::size_t most_bytes) : array_(array), block_(array) {
  std::size_t room = most_bytes / element_bytes;  // 1 before the dimension in which blocks are not whole
  for (std::size_t d = array.size(); d-- > 0;) {
    const std::size_t extent = std::max<std::size_t>(1, array[d]);
    block_[d] = std::clamp<std::size_t>(room, 1, extent);
    room = block_[d] < extent ? 1 : room / extent;
    size_ *= along(d);
  }
}

Block Blocks::operator[](std::size_t number) const {
  Block block{Shape(array_.size()), block_, 0, 1};
  for (std::size_t d = array_.size(), stride = 1; d-- > 0; stride *= array_[d]) {
    block.corner[d] = number % along(d) * block_[d];
    number /= along(d);
    block.extents[d] = std::min(block_[d], array_[d] - block.corner[d]);
    block.first += block.corner[d] * stride;
    block.count *= block.extents[d];
  }
  return block;
}

}  // namespace tessera::io::hdf5
