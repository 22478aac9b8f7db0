// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <limits>
#include <tessera/core/exact_arithmetic.hpp>
#include <tessera/core/lanes.hpp>
#include <tessera/kmc/window.hpp>

/// Which events a team performs next: line 7 of algorithm 2, one event at a time or several at once.
///
/// An order is filled by load(), told of every redraw by set(), and asked by fire() how many events to perform next;
/// cell(e) is the cell of event e of them. fire() = 0: no event is left before the end of the step. All lanes of the
/// team call begin() and fire() together.
namespace tessera::kmc {

/// The cell with the smallest waiting time, one event at a time: the order of the sequential method. The minima of
/// groups of 16 cells are kept; after an event only the groups that hold a redrawn cell are read again. Ties: the first
/// cell.
template <class StateType>
class EarliestCell {
 public:
  KOKKOS_FORCEINLINE_FUNCTION EarliestCell(const Window<StateType>& window, double, double end)
      : w_(window), end_(end) {}

  KOKKOS_FORCEINLINE_FUNCTION void load(int cell, double time) { w_.times[cell] = time; }
  KOKKOS_FORCEINLINE_FUNCTION void set(int cell, double time) { w_.times[cell] = time; }
  /// Events come in the order of their times by construction.
  KOKKOS_FORCEINLINE_FUNCTION bool in_order(int, int) const { return true; }
  KOKKOS_FORCEINLINE_FUNCTION int cell(int) const { return cell_; }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void begin(const Team& team) {
    for (int g = team.team_rank(); g < w_.groups; g += team.team_size()) refresh(g);
    sync_lanes(team);
    cell_ = -1;
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int fire(const Team& team) {
    if (cell_ >= 0) refresh_around(team, cell_);
    double smallest = never;
    for (int g = team.team_rank(); g < w_.groups; g += team.team_size())
      smallest = w_.group_times[g] < smallest ? w_.group_times[g] : smallest;
    const double time = team.team_size() == 1 ? smallest : double_of(min_over_lanes(team, bits_of(smallest)));
    if (!(time < end_)) return 0;
    std::uint32_t found = none;
    for (int g = team.team_rank(); g < w_.groups && found == none; g += team.team_size()) {
      if (w_.group_times[g] != time) continue;
      for (int i = group - 1; i >= 0; --i)
        if (w_.times[first_of(g) + i] == time) found = static_cast<std::uint32_t>(first_of(g) + i);
    }
    cell_ = static_cast<int>(min_over_lanes(team, found));
    return 1;
  }

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();
  static constexpr std::uint32_t none = 0xffffffffu;
  static constexpr int group = WindowLayout::group;

  KOKKOS_FORCEINLINE_FUNCTION int first_of(int g) const { return w_.side + g * group; }

  /// Four chains of minima, so that their latencies overlap.
  KOKKOS_FORCEINLINE_FUNCTION void refresh(int g) {
    const double* t = w_.times + first_of(g);
    double m[4] = {t[0], t[1], t[2], t[3]};
    for (int i = 4; i < group; ++i) m[i % 4] = t[i] < m[i % 4] ? t[i] : m[i % 4];
    const double a = m[1] < m[0] ? m[1] : m[0], b = m[3] < m[2] ? m[3] : m[2];
    w_.group_times[g] = b < a ? b : a;
  }

  /// Reads the groups again that hold a cell within one row and one column of `cell`.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void refresh_around(const Team& team, int cell) {
    for (int row = -1; row <= 1; ++row) {
      const int middle = cell - w_.side + row * w_.side;
      const int begin = middle > 1 ? (middle - 1) / group : 0, end = (middle + 1) / group;
      for (int g = begin; g <= end && g < w_.groups; ++g)
        if (g % team.team_size() == team.team_rank()) refresh(g);
    }
  }

  const Window<StateType>& w_;
  double end_;
  int cell_ = -1;
};

/// Several events at once: every cell whose waiting time is the smallest in its block of cells and in the eight blocks
/// around.
///
/// Two such cells are more than a block apart, so that their events concern no common cell and may be performed
/// together. It is not certain that they come in the right order: a chain of events could start outside the eight
/// blocks, reach the surroundings of a cell that has fired, and do so at an earlier time. But all that the order of two
/// events can matter for is the cells that both redraw. Each cell therefore remembers the last event that has redrawn
/// it, and in_order() says whether the next one comes later. If so for every redraw of a run, the run equals the
/// sequential one; if not, the caller runs the tile again with EarliestCell. (A chain needs two redraws within a small
/// part of the step: it is rare.)
///
/// Times are compared as 32-bit keys: the time relative to the step in some 22 bits above the number of the cell. Times
/// in the same of these intervals count as out of order where it matters.
template <class StateType>
class LocalMinima {
 public:
  KOKKOS_FORCEINLINE_FUNCTION LocalMinima(const Window<StateType>& window, double begin, double end)
      : w_(window), begin_(begin), end_(end) {
    bits_ = 32 - Kokkos::countl_zero(static_cast<std::uint32_t>(w_.side * w_.side - 1));
    const double intervals = static_cast<double>((std::uint32_t{1} << (32 - bits_)) - 3);
    scale_ = intervals / (end - begin);
    stride_ = w_.blocks_x + 2;
    divide_ = 65536 / w_.blocks_x + 1;
  }

  KOKKOS_FORCEINLINE_FUNCTION void load(int cell, double time) {
    set(cell, time);
    w_.touched[cell] = 0;
  }

  KOKKOS_FORCEINLINE_FUNCTION void set(int cell, double time) {
    w_.times[cell] = time;
    w_.keys[cell] = time < end_ ? ((static_cast<std::uint32_t>((time - begin_) * scale_) + 1) << bits_) |
                                      static_cast<std::uint32_t>(cell)
                                : none;
  }

  /// Notes that event e redraws `cell`; false if the cell has been redrawn by an event that is not earlier.
  KOKKOS_FORCEINLINE_FUNCTION bool in_order(int e, int cell) const {
    const std::uint32_t interval = w_.firing[e] >> bits_;
    const bool later = w_.touched[cell] < interval;
    w_.touched[cell] = interval;
    return later;
  }

  KOKKOS_FORCEINLINE_FUNCTION int cell(int e) const {
    return static_cast<int>(w_.firing[e] & ((std::uint32_t{1} << bits_) - 1));
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void begin(const Team& team) {
    const int bordered = stride_ * (w_.blocks / w_.blocks_x + 2);
    for (int b = team.team_rank(); b < bordered; b += team.team_size()) w_.block_keys[b] = none;
    sync_lanes(team);
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int fire(const Team& team) {
    for (int b = team.team_rank(); b < w_.blocks; b += team.team_size()) {
      const int by = (b * divide_) >> 16, bx = b - by * w_.blocks_x;
      w_.block_keys[bordered(bx, by)] = smallest_of_block(bx, by);
    }
    sync_lanes(team);
    int count = 0;
    for (int first = 0; first < w_.blocks; first += team.team_size()) {
      const int b = first + team.team_rank();
      std::uint32_t key = none;
      if (b < w_.blocks) {
        const int by = (b * divide_) >> 16, bx = b - by * w_.blocks_x;
        key = if_local_minimum(bordered(bx, by));
      }
      int total;
      const int ordinal = ordinal_among_lanes(team, key != none, total);
      if (key != none && count + ordinal < WindowLayout::most_firing) w_.firing[count + ordinal] = key;
      count += total;
    }
    sync_lanes(team);
    return count < WindowLayout::most_firing ? count : WindowLayout::most_firing;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;

  KOKKOS_FORCEINLINE_FUNCTION int bordered(int bx, int by) const { return (by + 1) * stride_ + bx + 1; }

  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t smaller(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t smallest_of_block(int bx, int by) const {
    const int x = bx * WindowLayout::block_width;
    int y = by * w_.block_rows;
    const int last = y + w_.block_rows < w_.side - 1 ? y + w_.block_rows : w_.side - 1;
    y = y > 0 ? y : 1;
    std::uint32_t smallest = none;
    if (w_.side % WindowLayout::block_width == 0) {
      struct alignas(16) Four {
        std::uint32_t key[4];
      };
      const auto* row = reinterpret_cast<const Four*>(w_.keys + y * w_.side + x);
      for (; y < last; ++y, row += w_.side / 4)
        smallest = smaller(smallest, smaller(smaller(row->key[0], row->key[1]), smaller(row->key[2], row->key[3])));
    } else {
      for (; y < last; ++y)
        for (int i = x; i < x + WindowLayout::block_width && i < w_.side; ++i)
          smallest = smaller(smallest, w_.keys[y * w_.side + i]);
    }
    return smallest;
  }

  /// The key of a block if it is smaller than those of the eight blocks around, none otherwise.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t if_local_minimum(int at) const {
    const std::uint32_t* k = w_.block_keys + at;
    const std::uint32_t above = smaller(smaller(k[stride_ - 1], k[stride_]), k[stride_ + 1]);
    const std::uint32_t below = smaller(smaller(k[-stride_ - 1], k[-stride_]), k[-stride_ + 1]);
    const std::uint32_t around = smaller(smaller(above, below), smaller(k[-1], k[1]));
    return k[0] < around ? k[0] : none;
  }

  const Window<StateType>& w_;
  double begin_, end_, scale_;
  int bits_, stride_, divide_;
};

}  // namespace tessera::kmc
