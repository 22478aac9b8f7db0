// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera::io {

/// A chunk as stored in a file, after filters that every HDF5 library has: shuffle, deflate, fletcher32.
struct PackedChunk {
  std::size_t bytes;
  std::uint32_t skipped;  ///< HDF5's filter mask; excludes shuffle and deflate if they save less than a tenth
};

/// Whether this build can pack chunks in parallel; HDF5 packs them one after the other.
bool can_pack_chunks();

/// Largest size of a packed chunk of this number of bytes.
std::size_t packed_room(std::size_t chunk_bytes);

/// Packs a whole chunk of elements of this size. `room`: as large as the chunk; `packed`: packed_room().
PackedChunk pack_chunk(const void* chunk, std::size_t chunk_bytes, std::size_t element_bytes, int deflate_level,
                       std::byte* room, std::byte* packed);

}  // namespace tessera::io
