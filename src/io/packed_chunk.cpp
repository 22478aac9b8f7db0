// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "io/packed_chunk.hpp"

#include <H5public.h>

#include <algorithm>
#include <cstring>

#if defined(TESSERA_HAVE_ZLIB)
#include <zlib.h>
#endif

namespace tessera::io {

#if defined(TESSERA_HAVE_ZLIB) && H5_VERSION_GE(1, 10, 3)

namespace {

constexpr std::uint32_t skip_shuffle = 1, skip_deflate = 2;  // positions in the pipeline
constexpr std::size_t checksum_bytes = 4;

/// Reorders bytes: first the lowest bytes of all elements, then the next ones.
template <class Word>
void shuffle_words(const std::byte* from, std::size_t count, std::byte* to) {
  for (std::size_t i = 0; i < count; ++i) {
    Word word;
    std::memcpy(&word, from + i * sizeof word, sizeof word);
    for (std::size_t b = 0; b < sizeof word; ++b) to[b * count + i] = static_cast<std::byte>(word >> (8 * b));
  }
}

/// Whether elements have more than one byte, so that shuffling has an effect.
bool shuffle(const std::byte* from, std::size_t bytes, std::size_t element_bytes, std::byte* to) {
  const std::size_t count = bytes / element_bytes;
  if (element_bytes == 2) shuffle_words<std::uint16_t>(from, count, to);
  if (element_bytes == 4) shuffle_words<std::uint32_t>(from, count, to);
  if (element_bytes == 8) shuffle_words<std::uint64_t>(from, count, to);
  return element_bytes > 1;
}

/// Number of bytes of the shuffled and deflated content; 0 if it exceeds `most`.
std::size_t deflate(const std::byte* content, std::size_t bytes, std::size_t element_bytes, int level, std::size_t most,
                    std::byte* room, std::byte* to) {
  const std::byte* const source = shuffle(content, bytes, element_bytes, room) ? room : content;
  uLongf size = most;
  const int status = ::compress2(reinterpret_cast<Bytef*>(to), &size, reinterpret_cast<const Bytef*>(source),
                                 static_cast<uLong>(bytes), level);
  return status == Z_OK ? size : 0;
}

/// Whether a sample from the middle can be compressed by a tenth. Noise cannot, and its compression is slow.
bool is_worth_it(const std::byte* content, std::size_t bytes, std::size_t element_bytes, int level, std::byte* room,
                 std::byte* to) {
  const std::size_t sample = std::min(bytes, std::size_t{4096} * element_bytes);
  const std::size_t begin = (bytes - sample) / 2 / element_bytes * element_bytes;
  return deflate(content + begin, sample, element_bytes, level, sample - sample / 10, room, to) != 0;
}

/// The checksum of HDF5's filter fletcher32.
std::uint32_t fletcher32(const std::byte* data, std::size_t bytes) {
  std::uint32_t sum = 0, sum_of_sums = 0;
  const auto fold = [](std::uint32_t& value) { value = (value & 0xffff) + (value >> 16); };
  const auto at = [data](std::size_t i) { return static_cast<std::uint32_t>(data[i]); };
  std::size_t i = 0;
  while (i + 1 < bytes) {
    const std::size_t end =
        std::min(i + 2 * 360, bytes - bytes % 2);  // number of sums before the accumulator must be folded
    for (; i < end; i += 2) {
      sum += at(i) << 8 | at(i + 1);
      sum_of_sums += sum;
    }
    fold(sum);
    fold(sum_of_sums);
  }
  if (bytes % 2 == 1) {
    sum += at(i) << 8;
    sum_of_sums += sum;
    fold(sum);
    fold(sum_of_sums);
  }
  fold(sum);
  fold(sum_of_sums);
  return sum_of_sums << 16 | sum;
}

}  // namespace

bool can_pack_chunks() { return true; }

std::size_t packed_room(std::size_t chunk_bytes) { return chunk_bytes + checksum_bytes; }

PackedChunk pack_chunk(const void* chunk, std::size_t chunk_bytes, std::size_t element_bytes, int deflate_level,
                       std::byte* room, std::byte* packed) {
  const auto* const content = static_cast<const std::byte*>(chunk);
  PackedChunk result{0, 0};
  if (is_worth_it(content, chunk_bytes, element_bytes, deflate_level, room, packed))
    result.bytes = deflate(content, chunk_bytes, element_bytes, deflate_level, chunk_bytes, room, packed);
  if (result.bytes == 0) {
    std::memcpy(packed, content, chunk_bytes);
    result = {chunk_bytes, skip_shuffle | skip_deflate};
  }
  const std::uint32_t sum = fletcher32(packed, result.bytes);
  for (std::size_t b = 0; b < checksum_bytes; ++b) packed[result.bytes++] = static_cast<std::byte>(sum >> (8 * b));
  return result;
}

#else

bool can_pack_chunks() { return false; }
std::size_t packed_room(std::size_t) { return 0; }
PackedChunk pack_chunk(const void*, std::size_t, std::size_t, int, std::byte*, std::byte*) { return {}; }

#endif

}  // namespace tessera::io
