// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <tessera/core/kokkos_ext/word_bits.hpp>

namespace tessera {

/// Words of 32 bits in the scratch of a team, level 0, where lanes look them up and flip their bits in any order. On a
/// GPU they are named by 32-bit addresses of shared memory.
class ScratchWords {
 public:
  using Address = std::uint32_t;  ///< in bytes

  /// `first`: the word at address 0 of address(). `lanes`: how many there are.
  KOKKOS_FORCEINLINE_FUNCTION ScratchWords(std::uint32_t* first, [[maybe_unused]] int lanes)
#if defined(__CUDA_ARCH__)
      : base_(static_cast<std::uint32_t>(__cvta_generic_to_shared(first))){}
#else
      : base_(reinterpret_cast<char*>(first)), alone_(lanes == 1) {
  }
#endif

        /// That of the word `low` times the lower half of `pair` plus `high` times its upper half bytes further. Both
        /// factors are less than 256.
        KOKKOS_FORCEINLINE_FUNCTION Address address(std::uint32_t pair, std::uint32_t low, std::uint32_t high) const {
#if defined(__CUDA_ARCH__)
    return add_halves_times(pair, low, high, base_);
#else
    return add_halves_times(pair, low, high, 0);
#endif
  }

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t load(Address at) const {
#if defined(__CUDA_ARCH__)
    std::uint32_t word;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(at));
    return word;
#else
    return alone_ ? *word_at(at) : Kokkos::atomic_load(word_at(at));
#endif
  }

  /// The word at `at`, in which bit 31 is that of the word at `left` where the lowest five bits of `bit` are 0, and bit
  /// 0 that of the word at `right` where they are 31: rotated to `bit`, the neighbours of that bit stand beside it.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t load_beside(Address at, std::uint32_t bit, Address left,
                                                        Address right) const {
    std::uint32_t word = load(at);
#if defined(__CUDA_ARCH__)
    asm volatile(
        "{.reg .pred first, last; .reg .u32 b, side, theirs;\n"
        "and.b32 b, %1, 31; setp.eq.u32 first, b, 0; setp.eq.u32 last, b, 31;\n"
        "@first ld.shared.u32 side, [%2]; @last ld.shared.u32 side, [%3];\n"
        "selp.b32 theirs, 0x80000000, 0, first; @last mov.u32 theirs, 1;\n"
        "lop3.b32 %0, %0, side, theirs, 0xd8;}"
        : "+r"(word)
        : "r"(bit), "r"(left), "r"(right));
#else
    if ((bit & 31u) == 0) word = (word & 0x7fffffffu) | (load(left) & 0x80000000u);
    if ((bit & 31u) == 31) word = (word & ~1u) | (load(right) & 1u);
#endif
    return word;
  }

  /// Flips the bits of `mask` in a word; other lanes may flip other bits of it at the same time. Flipping nothing takes
  /// a GPU less than a branch around it.
  KOKKOS_FORCEINLINE_FUNCTION void flip(Address at, std::uint32_t mask) const {
#if defined(__CUDA_ARCH__)
    asm volatile("red.shared.xor.b32 [%0], %1;" ::"r"(at), "r"(mask) : "memory");
#else
    if (alone_) {
      *word_at(at) ^= mask;
    } else if (mask != 0) {
      Kokkos::atomic_xor(word_at(at), mask);
    }
#endif
  }

 private:
#if defined(__CUDA_ARCH__)
  std::uint32_t base_;
#else
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t* word_at(Address at) const {
    return reinterpret_cast<std::uint32_t*>(base_ + static_cast<std::int32_t>(at));
  }
  char* base_;
  bool alone_;
#endif
};

}  // namespace tessera
