// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "io/blocks.hpp"
#include "io/packed_chunk.hpp"

namespace tessera::io::hdf5 {
namespace {

constexpr std::size_t chunk_bytes = 1024 * 1024;
constexpr std::size_t chunks_at_once = 64;
constexpr int deflate_level = 2;

/// Calls what(i) for i from 0 to count - 1, on all host threads of Kokkos if it is initialized.
template <class What>
void for_each(std::size_t count, const What& what) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  using Range = Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::size_t>>;
  if (count > 1 && Kokkos::is_initialized()) {
    Kokkos::parallel_for("tessera::io::pack_chunks", Range(Space(), 0, count, Kokkos::ChunkSize(1)), what);
    Space().fence("tessera::io::pack_chunks");
  } else {
    for (std::size_t i = 0; i < count; ++i) what(i);
  }
}

/// Whether the filters of the dataset are those of pack_chunk().
bool takes_packed(hid_t dataset, const Shape& chunk) {
  const Handle properties(H5Dget_create_plist(dataset), H5Pclose);
  std::vector<hsize_t> own(chunk.size());
  const int rank = H5Pget_chunk(properties.get(), static_cast<int>(own.size()), own.data());
  const H5Z_filter_t filters[] = {H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE, H5Z_FILTER_FLETCHER32};
  bool same = can_pack_chunks() && rank == static_cast<int>(chunk.size()) && std::ranges::equal(own, chunk) &&
              H5Pget_nfilters(properties.get()) == 3;
  for (unsigned i = 0; same && i < 3; ++i) {
    std::size_t values = 0;
    unsigned flags = 0;
    same = H5Pget_filter2(properties.get(), i, &flags, &values, nullptr, 0, nullptr, nullptr) == filters[i];
  }
  return same;
}

/// A batch of chunks and its packed chunks.
class Batch {
 public:
  Batch(hid_t dataset, ElementType type, std::size_t row, const Blocks& blocks, bool packed)
      : dataset_(dataset), type_(type), row_(row), blocks_(blocks), element_(element_size(type)), packed_(packed) {
    const std::size_t count = packed ? std::min(blocks.size(), chunks_at_once) : 0;
    room_ = std::make_unique_for_overwrite<std::byte[]>(count * room_of_chunk());
    chunks_.resize(count);
  }

  /// Writes blocks `begin` to `end` - 1, whose elements are at `data`.
  void write(std::size_t begin, std::size_t end, const std::byte* data) {
    const std::size_t first = blocks_[begin].first;
    if (packed_) for_each(end - begin, [&](std::size_t i) { pack(i, blocks_[begin + i], first, data); });
    for (std::size_t i = 0; i < end - begin; ++i) {
      const Block block = blocks_[begin + i];
      Shape corner{row_}, extents{1};
      corner.insert(corner.end(), block.corner.begin(), block.corner.end());
      extents.insert(extents.end(), block.extents.begin(), block.extents.end());
      if (packed_)
        write_packed(i, corner);
      else
        write_block(dataset_, type_, corner, extents, data + (block.first - first) * element_);
    }
  }

 private:
  std::size_t bytes_of_chunk() const { return blocks_.elements() * element_; }
  /// Buffers for the packed chunk, for pack_chunk(), and for an incomplete chunk.
  std::size_t room_of_chunk() const { return packed_room(bytes_of_chunk()) + 2 * bytes_of_chunk(); }

  void pack(std::size_t i, const Block& block, std::size_t first, const std::byte* data) {
    const std::byte* content = data + (block.first - first) * element_;
    std::byte* const packed = room_.get() + i * room_of_chunk();
    std::byte* const room = packed + packed_room(bytes_of_chunk());
    if (const std::size_t bytes = block.count * element_; bytes < bytes_of_chunk()) {
      std::byte* const whole = room + bytes_of_chunk();
      std::memcpy(whole, content, bytes);
      std::memset(whole + bytes, 0, bytes_of_chunk() - bytes);
      content = whole;
    }
    chunks_[i] = pack_chunk(content, bytes_of_chunk(), element_, deflate_level, room, packed);
  }

  void write_packed([[maybe_unused]] std::size_t i, [[maybe_unused]] const Shape& corner) const {
#if H5_VERSION_GE(1, 10, 3)
    const std::vector<hsize_t> offset(corner.begin(), corner.end());
    checked(H5Dwrite_chunk(dataset_, H5P_DEFAULT, chunks_[i].skipped, offset.data(), chunks_[i].bytes,
                           room_.get() + i * room_of_chunk()));
#endif
  }

  hid_t dataset_;
  ElementType type_;
  std::size_t row_;
  const Blocks& blocks_;
  std::size_t element_;
  bool packed_;
  std::unique_ptr<std::byte[]> room_;
  std::vector<PackedChunk> chunks_;
};

}  // namespace

void append_big_row(hid_t parent, const std::string& name, ElementType type, const Shape& row, const Content& content) {
  const Blocks blocks(row, element_size(type), chunk_bytes);
  RowLayout layout{{1}, deflate_level};
  layout.chunk.insert(layout.chunk.end(), blocks.shape().begin(), blocks.shape().end());
  const Handle dataset = require_rows(parent, name, type, row, layout);
  const std::size_t number = add_rows(dataset.get(), 1);
  Batch batch(dataset.get(), type, number, blocks, takes_packed(dataset.get(), layout.chunk));
  for_each_batch(blocks, chunks_at_once, element_size(type), content,
                 [&](std::size_t begin, std::size_t end, const std::byte* data) { batch.write(begin, end, data); });
}

}  // namespace tessera::io::hdf5
