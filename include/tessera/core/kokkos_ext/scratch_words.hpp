// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/kokkos_ext/word_bits.hpp>

namespace tessera {

/// 32-bit words in the level-0 scratch memory of a team, which lanes read, and whose bits they flip, in any order. On a
/// GPU, addresses are 32-bit addresses of shared memory.
class ScratchWords {
 public:
  using Address = std::uint32_t;  ///< in bytes

  /// `first` is the word at address 0 of address(), `lanes` the number of lanes.
  KOKKOS_FORCEINLINE_FUNCTION ScratchWords(std::uint32_t* first, [[maybe_unused]] int lanes) {
#if defined(__CUDA_ARCH__)
    base_ = static_cast<std::uint32_t>(__cvta_generic_to_shared(first));
#else
    base_ = reinterpret_cast<char*>(first);
    single_lane_ = lanes == 1;
#endif
  }

  /// Address of the word at byte offset `low` * lower half of `pair` + `high` * upper half. Both factors are below 256.
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
    return single_lane_ ? *word_at(at) : Kokkos::atomic_load(word_at(at));
#endif
  }

  /// `word` shifted up by one bit, with bit 31 of the word at `left` as bit 0. Only the bits `asked` of the result are
  /// defined. `sparing`: lanes of a GPU that do not need that bit skip the load, at the cost of more instructions.
  template <bool sparing>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t from_left(std::uint32_t word, [[maybe_unused]] std::uint32_t asked,
                                                      Address left) const {
#if defined(__CUDA_ARCH__)
    if constexpr (sparing) {
      std::uint32_t neighbours;
      asm volatile(
          "{.reg .pred beside; .reg .u32 bit, side;\n"
          "and.b32 bit, %2, 1; setp.ne.u32 beside, bit, 0;\n"
          "@beside ld.shared.u32 side, [%3]; shf.l.wrap.b32 %0, side, %1, 1;}"
          : "=r"(neighbours)
          : "r"(word), "r"(asked), "r"(left));
      return neighbours;
    } else {
      return __funnelshift_l(load(left), word, 1);
    }
#else
    return (word << 1) | ((asked & 1u) != 0 ? load(left) >> 31 : 0u);
#endif
  }
  /// `word` shifted down by one bit, with bit 0 of the word at `right` as bit 31; otherwise the same.
  template <bool sparing>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t from_right(std::uint32_t word, [[maybe_unused]] std::uint32_t asked,
                                                       Address right) const {
#if defined(__CUDA_ARCH__)
    if constexpr (sparing) {
      std::uint32_t neighbours;
      asm volatile(
          "{.reg .pred beside; .reg .u32 side;\n"
          "setp.lt.s32 beside, %2, 0;\n"
          "@beside ld.shared.u32 side, [%3]; shf.r.wrap.b32 %0, %1, side, 1;}"
          : "=r"(neighbours)
          : "r"(word), "r"(asked), "r"(right));
      return neighbours;
    } else {
      return __funnelshift_r(word, load(right), 1);
    }
#else
    return (word >> 1) | ((asked >> 31) != 0 ? load(right) << 31 : 0u);
#endif
  }

  /// Flips the bits of `mask` in a word; other lanes may flip other bits of it at the same time. Adds 1 to `count` if
  /// `mask` is not 0. `sparing`: lanes of a GPU with an empty mask skip the access, at the cost of more instructions.
  template <bool sparing>
  KOKKOS_FORCEINLINE_FUNCTION void flip(Address at, std::uint32_t mask, std::uint32_t& count) const {
#if defined(__CUDA_ARCH__)
    if constexpr (sparing) {
      asm volatile("{.reg .pred any; setp.ne.u32 any, %2, 0; @any red.shared.xor.b32 [%1], %2; @any add.u32 %0, %0, 1;}"
                   : "+r"(count)
                   : "r"(at), "r"(mask)
                   : "memory");
    } else {
      asm volatile("{.reg .pred any; setp.ne.u32 any, %2, 0; red.shared.xor.b32 [%1], %2; @any add.u32 %0, %0, 1;}"
                   : "+r"(count)
                   : "r"(at), "r"(mask)
                   : "memory");
    }
#else
    count += mask != 0;
    if (single_lane_)
      *word_at(at) ^= mask;
    else if (mask != 0)
      Kokkos::atomic_xor(word_at(at), mask);
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
  bool single_lane_;
#endif
};

}  // namespace tessera
