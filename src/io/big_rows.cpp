// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <zlib.h>

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "io/hdf5_dataset.hpp"

namespace tessera::io::hdf5 {
namespace {

constexpr std::size_t chunk_bytes = 1024 * 1024;
constexpr std::size_t chunks_at_once = 64;
constexpr int deflate_level = 2;

using Bytes = std::vector<std::byte>;

/// A chunk as stored in a file, after filters that every HDF5 library has: shuffle, deflate, fletcher32.
struct PackedChunk {
  Bytes bytes;
  std::uint32_t skipped;  ///< HDF5's filter mask; excludes shuffle and deflate if they save less than a tenth
};

/// The shuffled and deflated content; empty if it exceeds `most` bytes.
Bytes deflated(std::span<const std::byte> content, std::size_t element_bytes, std::size_t most) {
  Bytes shuffled(content.size()), packed(most);  // shuffled: the lowest bytes of all elements, then the next ones
  auto to = shuffled.begin();
  for (std::size_t b = 0; b < element_bytes; ++b)
    for (std::size_t i = b; i < content.size(); i += element_bytes) *to++ = content[i];
  uLongf size = most;
  const int status =
      ::compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(shuffled.data()),
                  static_cast<uLong>(shuffled.size()), deflate_level);
  packed.resize(status == Z_OK ? size : 0);
  return packed;
}

/// The checksum of HDF5's filter fletcher32. Chunks are too short for the sums to overflow.
std::uint32_t fletcher32(const Bytes& data) {
  std::uint64_t sum = 0, sum_of_sums = 0;
  for (std::size_t i = 0; i < data.size(); i += 2) {
    sum += std::to_integer<std::uint64_t>(data[i]) << 8;
    if (i + 1 < data.size()) sum += std::to_integer<std::uint64_t>(data[i + 1]);
    sum_of_sums += sum;
  }
  const auto folded = [](std::uint64_t value) {
    while (value > 0xffff) value = (value & 0xffff) + (value >> 16);
    return static_cast<std::uint32_t>(value);
  };
  return folded(sum_of_sums) << 16 | folded(sum);
}

PackedChunk pack(Bytes chunk, std::size_t element_bytes) {
  constexpr std::uint32_t skip_shuffle = 1, skip_deflate = 2;  // positions in the pipeline
  PackedChunk result{{}, 0};
  // Noise cannot be compressed, and its compression is slow: a sample from the middle is compressed before.
  const std::size_t sample = std::min(chunk.size(), std::size_t{4096} * element_bytes);
  const std::size_t begin = (chunk.size() - sample) / 2 / element_bytes * element_bytes;
  if (!deflated(std::span(chunk).subspan(begin, sample), element_bytes, sample - sample / 10).empty())
    result.bytes = deflated(chunk, element_bytes, chunk.size());
  if (result.bytes.empty()) result = {std::move(chunk), skip_shuffle | skip_deflate};
  const std::uint32_t sum = fletcher32(result.bytes);
  for (int b = 0; b < 4; ++b) result.bytes.push_back(static_cast<std::byte>(sum >> (8 * b)));
  return result;
}

/// Whether the filters of the dataset are those of pack().
bool takes_packed(hid_t dataset, const Shape& chunk) {
  const Handle properties(H5Dget_create_plist(dataset), H5Pclose);
  std::vector<hsize_t> own(chunk.size());
  const int rank = H5Pget_chunk(properties.get(), static_cast<int>(own.size()), own.data());
  const H5Z_filter_t filters[] = {H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE, H5Z_FILTER_FLETCHER32};
  bool same = rank == static_cast<int>(chunk.size()) && std::ranges::equal(own, chunk) &&
              H5Pget_nfilters(properties.get()) == 3;
  for (unsigned i = 0; same && i < 3; ++i) {
    std::size_t values = 0;
    unsigned flags = 0;
    same = H5Pget_filter2(properties.get(), i, &flags, &values, nullptr, 0, nullptr, nullptr) == filters[i];
  }
  return same;
}

void write_packed(hid_t dataset, const Shape& corner, const PackedChunk& chunk) {
  const std::vector<hsize_t> offset(corner.begin(), corner.end());
  checked(H5Dwrite_chunk(dataset, H5P_DEFAULT, chunk.skipped, offset.data(), chunk.bytes.size(), chunk.bytes.data()));
}

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

}  // namespace

void append_big_row(hid_t parent, const std::string& name, ElementType type, const Shape& row, const Content& content) {
  const std::size_t element = element_size(type);
  const Blocks blocks(row, element, chunk_bytes);
  const RowLayout layout{of_several(1, blocks.shape()), deflate_level};
  const Handle dataset = require_rows(parent, name, type, row, layout);
  const std::size_t number = add_rows(dataset.get(), 1);
  const bool packed = takes_packed(dataset.get(), layout.chunk);
  const auto write = [&](std::size_t begin, std::size_t end, const std::byte* data) {
    const auto bytes_of = [&, first = blocks[begin].first](const Block& block) {
      return std::span(data + (block.first - first) * element, block.count * element);
    };
    std::vector<PackedChunk> chunks(packed ? end - begin : 0);
    for_each(chunks.size(), [&](std::size_t i) {
      try {
        const auto bytes = bytes_of(blocks[begin + i]);
        Bytes chunk(bytes.begin(), bytes.end());
        chunk.resize(blocks.elements() * element);  // zeros after the elements of an incomplete one
        chunks[i] = pack(std::move(chunk), element);
      } catch (const std::bad_alloc&) {  // HDF5 packs this one
      }
    });
    for (std::size_t b = begin; b < end; ++b) {
      const Block block = blocks[b];
      const Shape corner = of_several(number, block.corner);
      if (packed && !chunks[b - begin].bytes.empty())
        write_packed(dataset.get(), corner, chunks[b - begin]);
      else
        write_block(dataset.get(), type, corner, of_several(1, block.extents), bytes_of(block).data());
    }
  };
  for_each_batch(blocks, chunks_at_once, element, content, write);
}

}  // namespace tessera::io::hdf5
