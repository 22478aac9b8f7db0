// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <limits>
#include <tessera/core/exact_arithmetic.hpp>
#include <tessera/core/lanes.hpp>
#include <tessera/kmc/window.hpp>

/// Line 7 of algorithm 2: the live cell with the smallest waiting time, kept up to date by the minima of groups of 16
/// cells. Lane l owns the groups l, l + lanes, ...; after an event only the groups that hold a redrawn cell are read
/// again.
namespace tessera::kmc {

namespace detail {

/// Calls refresh(g) for the groups of this lane that hold a live cell within one row and one column of `cell`.
template <class Team, class WindowType, class Refresh>
KOKKOS_FORCEINLINE_FUNCTION void visit_touched_groups(const Team& team, const WindowType& w, int cell,
                                                      const Refresh& refresh) {
  const int above = cell + w.side, below = cell - w.side;
  const int first[3] = {(below - 1) / w.group, (cell - 1) / w.group, (above - 1) / w.group};
  const int last[3] = {(below + 1) / w.group, (cell + 1) / w.group, (above + 1) / w.group};
  if (team.team_size() == 1) {
    for (int r = 0; r < 3; ++r)
      for (int g = first[r] < 0 ? 0 : first[r]; g <= last[r] && g < w.groups; ++g) refresh(g);
  } else {
    for (int g = team.team_rank(); g < w.groups; g += team.team_size())
      if ((g >= first[0] && g <= last[0]) || (g >= first[1] && g <= last[1]) || (g >= first[2] && g <= last[2]))
        refresh(g);
  }
}

/// The smallest of 16 values; four chains, so that their latencies overlap.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T smallest_of_group(const T* values) {
  T m[4] = {values[0], values[1], values[2], values[3]};
#pragma GCC unroll 16
  for (int i = 4; i < 16; ++i) m[i % 4] = values[i] < m[i % 4] ? values[i] : m[i % 4];
  const T a = m[1] < m[0] ? m[1] : m[0];
  const T b = m[3] < m[2] ? m[3] : m[2];
  return b < a ? b : a;
}

/// The smallest of the minima of this lane's groups.
template <class Team, class T>
KOKKOS_FORCEINLINE_FUNCTION T smallest_of_lane(const Team& team, const T* groups, int count, T largest) {
  T smallest = largest;
  for (int g = team.team_rank(); g < count; g += team.team_size())
    smallest = groups[g] < smallest ? groups[g] : smallest;
  return smallest;
}

}  // namespace detail

/// Orders the cells by their waiting times, all 64 bits of them.
template <class StateType>
class EarliestByTime {
 public:
  static constexpr bool exact = true;

  KOKKOS_FORCEINLINE_FUNCTION EarliestByTime(const Window<StateType>& window, double, double end)
      : w_(window), end_(end) {}

  KOKKOS_FORCEINLINE_FUNCTION void set(int cell, double time) { w_.times[cell] = time; }

  /// Makes all minima; to be called once all cells are set and synchronised.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void begin(const Team& team) {
    for (int g = team.team_rank(); g < w_.groups; g += team.team_size())
      w_.group_times[g] = detail::smallest_of_group(w_.times + g * w_.group);
    smallest_ = detail::smallest_of_lane(team, w_.group_times, w_.groups, infinity);
  }

  /// Renews the minima after the redraw of `cell` and its neighbours.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void changed(const Team& team, int cell) {
    detail::visit_touched_groups(
        team, w_, cell, [this](int g) { w_.group_times[g] = detail::smallest_of_group(w_.times + g * w_.group); });
    smallest_ = detail::smallest_of_lane(team, w_.group_times, w_.groups, infinity);
  }

  /// The live cell with the smallest waiting time, -1 if that is not before the end of the step. Ties: the first cell.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int earliest(const Team& team) const {
    const double time = team.team_size() == 1 ? smallest_ : double_of(min_over_lanes(team, bits_of(smallest_)));
    if (!(time < end_)) return -1;
    std::uint32_t cell = 0xffffffffu;
    for (int g = team.team_rank(); g < w_.groups && cell == 0xffffffffu; g += team.team_size()) {
      if (w_.group_times[g] != time) continue;
      for (int i = w_.group - 1; i >= 0; --i)
        if (w_.times[g * w_.group + i] == time) cell = static_cast<std::uint32_t>(g * w_.group + i);
    }
    return static_cast<int>(min_over_lanes(team, cell));
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  const Window<StateType>& w_;
  double end_;
  double smallest_ = 0;
};

/// Orders the cells by a 32-bit key: the waiting time relative to the step in the high bits, the cell in the low ones.
/// One 32-bit minimum then yields the cell. Cells whose times fall into the same of some 2^21 intervals of a step may
/// come out of order: the caller sees it in the 64-bit times (an event before the previous one) and runs the tile again
/// by time.
template <class StateType>
class EarliestByKey {
 public:
  static constexpr bool exact = false;

  KOKKOS_FORCEINLINE_FUNCTION EarliestByKey(const Window<StateType>& window, double begin, double end)
      : w_(window), begin_(begin), end_(end) {
    bits_ = 4;
    while ((1 << bits_) < w_.groups * w_.group) ++bits_;
    const double intervals = static_cast<double>((std::uint32_t{1} << (32 - bits_)) - 2);
    scale_ = intervals / (end - begin);
  }

  KOKKOS_FORCEINLINE_FUNCTION void set(int cell, double time) {
    w_.times[cell] = time;
    w_.keys[cell] =
        time < end_ ? (static_cast<std::uint32_t>((time - begin_) * scale_) << bits_) | static_cast<std::uint32_t>(cell)
                    : none;
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void begin(const Team& team) {
    for (int g = team.team_rank(); g < w_.groups; g += team.team_size())
      w_.group_keys[g] = detail::smallest_of_group(w_.keys + g * w_.group);
    smallest_ = detail::smallest_of_lane(team, w_.group_keys, w_.groups, none);
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void changed(const Team& team, int cell) {
    detail::visit_touched_groups(
        team, w_, cell, [this](int g) { w_.group_keys[g] = detail::smallest_of_group(w_.keys + g * w_.group); });
    smallest_ = detail::smallest_of_lane(team, w_.group_keys, w_.groups, none);
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int earliest(const Team& team) const {
    const std::uint32_t key = min_over_lanes(team, smallest_);
    return key == none ? -1 : static_cast<int>(key & ((std::uint32_t{1} << bits_) - 1));
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;
  const Window<StateType>& w_;
  double begin_, end_, scale_;
  int bits_;
  std::uint32_t smallest_ = none;
};

}  // namespace tessera::kmc
