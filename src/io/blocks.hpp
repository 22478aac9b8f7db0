// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

#include "io/hdf5_dataset.hpp"
#include "tessera/io/element_type.hpp"

namespace tessera::io::hdf5 {

/// A block of an array, whose elements are consecutive in row-major order.
struct Block {
  Shape corner, extents;
  std::size_t first;  ///< its first element
  std::size_t count;  ///< of elements
};

/// An array as blocks of one shape; the last one in a dimension may be smaller. The elements of consecutive blocks are
/// those of the array in order.
class Blocks {
 public:
  /// Blocks of at most this number of bytes, and at least one element.
  Blocks(const Shape& array, std::size_t element_bytes, std::size_t most_bytes);

  std::size_t size() const { return size_; }
  Block operator[](std::size_t number) const;

  /// Shape of all complete blocks, and its number of elements.
  const Shape& shape() const { return block_; }
  std::size_t elements() const { return count_of(block_); }

 private:
  /// Number of blocks in a dimension.
  std::size_t along(std::size_t dimension) const {
    return (array_[dimension] + block_[dimension] - 1) / block_[dimension];
  }

  Shape array_, block_;
  std::size_t size_ = 1;
};

/// Calls what(begin, end, data) for `at_once` blocks at a time, in order: blocks `begin` to `end` - 1, whose elements
/// are consecutive from `data` on.
template <class What>
void for_each_batch(const Blocks& blocks, std::size_t at_once, std::size_t element_bytes, const Content& content,
                    const What& what) {
  std::unique_ptr<std::byte[]> room;
  if (content.data == nullptr)
    room = std::make_unique_for_overwrite<std::byte[]>(std::min(at_once, blocks.size()) * blocks.elements() *
                                                       element_bytes);
  for (std::size_t begin = 0; begin < blocks.size(); begin += at_once) {
    const std::size_t end = std::min(begin + at_once, blocks.size());
    const Block head = blocks[begin], tail = blocks[end - 1];
    if (room) content.read(head.first, tail.first + tail.count - head.first, room.get());
    what(begin, end, room ? room.get() : static_cast<const std::byte*>(content.data) + head.first * element_bytes);
  }
}

}  // namespace tessera::io::hdf5
