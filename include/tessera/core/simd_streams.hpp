// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <cstring>
#include <tessera/core/streams.hpp>

/// Random streams on a host, two per SIMD vector.
namespace tessera {

/// Two states of streams, or two random numbers.
using TwoWords = std::uint64_t __attribute__((vector_size(16)));

/// Stream::draw() of both streams, repeated here because nvcc does not compile the scalar code for vectors.
inline TwoWords draw_both(TwoWords& states) {
  states ^= states >> 12;
  states ^= states << 25;
  states ^= states >> 27;
  return states * xorshift64_multiplier - 1;
}

/// The same for streams whose states are adjacent in memory.
inline TwoWords draw_both(std::uint64_t* states) {
  TwoWords both;
  std::memcpy(&both, states, sizeof(both));
  const TwoWords random = draw_both(both);
  std::memcpy(states, &both, sizeof(both));
  return random;
}

}  // namespace tessera
