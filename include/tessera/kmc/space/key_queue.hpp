// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>

namespace tessera::kmc::space {

/// Queue of the cells of a window with an event in the step, by their keys, for a team of one lane: a calendar queue of
/// one year (R. Brown, Commun. ACM 31, 1220, 1988). The step is divided into buckets, each with a list of its cells.
class KeyQueue {
 public:
  static constexpr int buckets = 1024;  ///< at most

  KeyQueue() = default;
  /// For keys below `length`. Memory: `following` one entry per cell, `first` one per bucket.
  KOKKOS_FORCEINLINE_FUNCTION KeyQueue(std::int32_t* following, std::int32_t* first, std::uint32_t length)
      : following_(following), first_(first) {
    while (length >> shift_ >= buckets) ++shift_;
    last_ = static_cast<int>(length >> shift_);
    for (int i = 0; i <= last_; ++i) first_[i] = none;
  }
  KOKKOS_FORCEINLINE_FUNCTION void add(std::int32_t cell, std::uint32_t key) {
    std::int32_t& first = first_[key >> shift_];
    following_[cell] = first;
    first = cell;
  }
  /// Removes a cell that was added with this key.
  KOKKOS_FORCEINLINE_FUNCTION void remove(std::int32_t cell, std::uint32_t key) {
    std::int32_t* at = first_ + (key >> shift_);
    while (*at != cell) at = following_ + *at;
    *at = following_[cell];
  }
  /// The first cell in the order of before(cell, cell), which begins with the keys; -1 if there is none. Keys added
  /// later are not smaller.
  template <class Before>
  KOKKOS_FORCEINLINE_FUNCTION std::int32_t next(const Before& before) {
    for (; bucket_ <= last_; ++bucket_) {
      std::int32_t result = first_[bucket_];
      if (result == none) continue;
      for (std::int32_t cell = following_[result]; cell != none; cell = following_[cell])
        if (before(cell, result)) result = cell;
      return result;
    }
    return none;
  }

 private:
  static constexpr std::int32_t none = -1;
  std::int32_t* following_ = nullptr;
  std::int32_t* first_ = nullptr;
  int shift_ = 0, last_ = 0, bucket_ = 0;
};

}  // namespace tessera::kmc::space
