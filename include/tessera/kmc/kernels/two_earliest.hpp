// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <limits>
#include <tessera/core/exact_arithmetic.hpp>
#include <tessera/core/kokkos_ext/lanes.hpp>
#include <tessera/kmc/kernels/window_place.hpp>

namespace tessera::kmc {

/// The touched cells of a window in the order of their waiting times, those with the same time in the order of their
/// sites: as many as a lane can tell from the two first of its share of the list.
template <int Lanes>
class TwoEarliest {
 public:
  /// Together with all lanes, for a list of `count` cells of window `w`.
  template <class Team, class SparseWindow>
  KOKKOS_FORCEINLINE_FUNCTION TwoEarliest(const Team& team, const WindowPlace& w, const SparseWindow& touched,
                                          int count)
      : w_(w) {
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (int place = team.team_rank(); place < count; place += Lanes) {
      const double time = touched.times[place];
      const std::uint32_t key = std::uint32_t{touched.cells[place]} << 16 | static_cast<std::uint32_t>(place);
      if (time < time_ || (time == time_ && ordered(key) < ordered(key_))) {
        second_time_ = time_;
        second_key_ = key_;
        time_ = time;
        key_ = key;
      } else if (time < second_time_ || (time == second_time_ && ordered(key) < ordered(second_key_))) {
        second_time_ = time;
        second_key_ = key;
      }
    }
  }

  /// Together with all lanes: the place of the next cell, or -1: its time is not before `end`, or it cannot be told.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int next(const Team& team, double end) {
    const std::uint64_t smallest = min_over_lanes(team, Kokkos::bit_cast<std::uint64_t>(time_));
    if (!(Kokkos::bit_cast<double>(smallest) < end)) return -1;
    const std::uint32_t mine = Kokkos::bit_cast<std::uint64_t>(time_) == smallest ? ordered(key_) : none;
    const std::uint32_t first = min_over_lanes(team, mine);
    if (first == unknown) return -1;
    if (mine == first) {
      if (second_key_ != unknown) time_ = second_time_;
      key_ = second_key_;
      // What comes behind the second is not known: nothing can be told from there on.
      if (second_key_ != none) second_key_ = unknown;
    }
    return static_cast<int>(first & 0xffffu);
  }

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();
  static constexpr std::uint32_t none = 0xffffffffu;
  static constexpr std::uint32_t unknown = 0;  ///< of cell 0, which belongs to the fixed boundary

  /// The key with the cell's number by the order of the sites instead.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t ordered(std::uint32_t key) const {
    if (key == none || key == unknown) return key;
    return static_cast<std::uint32_t>(w_.by_site(static_cast<int>(key >> 16)) + 1) << 16 | (key & 0xffffu);
  }

  const WindowPlace& w_;
  double time_ = never, second_time_ = never;
  std::uint32_t key_ = none, second_key_ = none;  ///< cell, and below it the place
};

}  // namespace tessera::kmc
