// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <cstring>
#include <tessera/core/host_array.hpp>

/// Random streams, identified by seed and index, independent of the thread that draws.
///
/// `Kokkos::Random_XorShift64_Pool` gives a thread any free state. Here every index has its own stream, a
/// `Kokkos::Random_XorShift64` whose state is a hash of (seed, index), which alone determine the random numbers.
namespace tessera {

/// A bijection of 64-bit integers in which every input bit changes every output bit with probability 1/2 (Stafford's
/// "Mix13" variant of the MurmurHash3 finalizer).
KOKKOS_INLINE_FUNCTION std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// Odd, and close to 2^64 divided by the golden ratio: its multiples are spread evenly modulo 2^64 (Knuth).
inline constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;

/// Uses of the random bits of a (seed, index). Different methods may use the same number.
enum class Purpose : std::uint64_t {
  stream = 0,                       ///< first state of the stream of an index
  kmc_initial_state = 1,            ///< of a cell
  kmc_bkl = 2,                      ///< state of the generator of a replica
  kpz_origin = 1,                   ///< origin of the domains in an asynchronous interval
  kpz_order = 2,                    ///< order of the sets of domains in an interval
  disks_sequential = 0x6469736b73,  ///< the words of the generator of a replica
};

/// 64 random bits that depend on (seed, index, purpose) only.
KOKKOS_INLINE_FUNCTION std::uint64_t hash(std::uint64_t seed, std::uint64_t index, Purpose purpose = Purpose::stream) {
  return mix(mix(mix(seed + golden) + (index + 1) * golden) + static_cast<std::uint64_t>(purpose) * golden);
}

/// Multiplier of xorshift64* (Vigna, ACM Trans. Math. Softw. 42, 30, 2016).
inline constexpr std::uint64_t xorshift64_multiplier = 2685821657736338717ULL;

/// The stream of a Kokkos::Random_XorShift64, with access to its state, so that states can be stored per site.
class Stream {
 public:
  /// Continues the stream with this state (not 0).
  KOKKOS_FORCEINLINE_FUNCTION explicit Stream(std::uint64_t state) : state_(state) {}

  /// 64 random bits: urand64() of Kokkos::Random_XorShift64, xorshift64* minus 1.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t draw() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * xorshift64_multiplier - 1;
  }

  /// A uniform number in [0, 1), with 53 bits.
  KOKKOS_FORCEINLINE_FUNCTION double uniform() { return static_cast<double>(draw() >> 11) * 0x1.0p-53; }

  /// State from which another Stream continues here.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t state() const { return state_; }

 private:
  std::uint64_t state_;
};

/// The threshold of a probability: 64 random bits do not exceed it with this probability, to within 2^-64.
inline std::uint64_t threshold_of(double probability) {
  return probability >= 1 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(probability * 0x1.0p64);
}

/// First state of the stream (seed, index).
KOKKOS_INLINE_FUNCTION std::uint64_t stream_start(std::uint64_t seed, std::uint64_t index) {
  const std::uint64_t state = hash(seed, index);
  return state == 0 ? 1 : state;
}

/// Sets states(first) .. states(first + count - 1) to the streams (seed, number(0)) .. (seed, number(count - 1)).
template <class ExecutionSpace, class States, class Number>
void seed_streams(const ExecutionSpace& space, const States& states, std::uint64_t seed, std::size_t first,
                  std::size_t count, const Number& number) {
  Kokkos::parallel_for(
      "tessera::core::seed_streams", Indices<ExecutionSpace, std::size_t>(space, 0, count),
      KOKKOS_LAMBDA(std::size_t i) { states(first + i) = stream_start(seed, number(i)); });
}

// Random streams on a host, two per SIMD vector.

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

/// A pseudo-random permutation of 0 .. size - 1 that depends on `seed`: the image of `index`, by a Feistel network of
/// six rounds on the next power of four, repeated until the image is less than `size` (Black and Rogaway, CT-RSA 2002).
KOKKOS_INLINE_FUNCTION std::uint64_t permuted(std::uint64_t index, std::uint64_t size, std::uint64_t seed) {
  int half = 1;
  while (half < 32 && std::uint64_t{1} << (2 * half) < size) ++half;
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  do {
    std::uint64_t left = index >> half, right = index & mask;
    for (std::uint64_t round = 0; round < 6; ++round) {
      const std::uint64_t next = left ^ (mix(mix(seed + round * golden) + right * golden) & mask);
      left = right;
      right = next;
    }
    index = left << half | right;
  } while (index >= size);
  return index;
}

}  // namespace tessera
