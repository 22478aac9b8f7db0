// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera::io {

/// A chunk as it stands in a file, after the filters of HDF5 that every reader has: shuffle, deflate, fletcher32.
struct PackedChunk {
  std::size_t bytes;
  std::uint32_t skipped;  ///< HDF5's filter mask: of shuffle and deflate, where they would save less than a tenth
};

/// Whether this build can pack chunks by itself, on all threads at once; HDF5 packs one after the other.
bool can_pack_chunks();

/// Room that a packed chunk of so many bytes takes at most.
std::size_t packed_room(std::size_t chunk_bytes);

/// Packs a whole chunk of elements of this size. `room`: as large as the chunk; `packed`: packed_room().
PackedChunk pack_chunk(const void* chunk, std::size_t chunk_bytes, std::size_t element_bytes, int deflate_level,
                       std::byte* room, std::byte* packed);

}  // namespace tessera::io
