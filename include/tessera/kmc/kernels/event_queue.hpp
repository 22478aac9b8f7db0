// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <limits>
#include <tessera/core/exact_arithmetic.hpp>
#include <tessera/core/kokkos_ext/lanes.hpp>
#include <tessera/kmc/kernels/window.hpp>

/// Which events a team performs next: line 7 of algorithm 2, one event at a time or several at once.
///
/// An order is cleared, filled by load(), told of every redraw by set(), and asked by fire() how many events to perform
/// next; cell(e) is the cell of event e of them. fire() = 0: no event is left before the end of the step. All lanes of
/// the team call clear(), begin() and fire() together.
namespace tessera::kmc {

/// The cell with the smallest waiting time, one event at a time: the order of the sequential method. The minima of
/// groups of 16 cells are kept; after an event only the groups that hold a redrawn cell are read again. Ties: the
/// smaller site.
template <class StateType, int Lanes>
class GroupedMinimum {
 public:
  KOKKOS_FORCEINLINE_FUNCTION GroupedMinimum(const Window<StateType>& window, double, double end)
      : w_(window), end_(end), groups_(window.cells / group) {}

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void clear(const Team& team) {
    for (int cell = w_.stride + team.team_rank(); cell < w_.stride + w_.cells; cell += Lanes) w_.times[cell] = never;
  }
  KOKKOS_FORCEINLINE_FUNCTION void load(int cell, double time) { w_.times[cell] = time; }
  KOKKOS_FORCEINLINE_FUNCTION void set(int cell, double time) { w_.times[cell] = time; }
  KOKKOS_FORCEINLINE_FUNCTION int cell(int) const { return cell_; }
  /// Events come in the order of their times by construction.
  KOKKOS_FORCEINLINE_FUNCTION bool in_order(int, int) const { return true; }
  KOKKOS_FORCEINLINE_FUNCTION bool precedes(int, int) const { return true; }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void begin(const Team& team) {
    for (int g = team.team_rank(); g < groups_; g += Lanes) refresh(g);
    sync_lanes(team);
    cell_ = -1;
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int fire(const Team& team) {
    if (cell_ >= 0) refresh_around(team, cell_);
    double smallest = never;
    for (int g = team.team_rank(); g < groups_; g += Lanes)
      smallest = w_.group_times[g] < smallest ? w_.group_times[g] : smallest;
    const double time = Lanes == 1
                            ? smallest
                            : Kokkos::bit_cast<double>(min_over_lanes(team, Kokkos::bit_cast<std::uint64_t>(smallest)));
    if (!(time < end_)) return 0;
    std::uint32_t found = none, matches = 0;
    for (int g = team.team_rank(); g < groups_; g += Lanes) {
      if (w_.group_times[g] != time) continue;
      for (int i = group - 1; i >= 0; --i)
        if (w_.times[first_of(g) + i] == time) {
          found = static_cast<std::uint32_t>(first_of(g) + i);
          ++matches;
        }
    }
    cell_ =
        static_cast<int>(sum_over_lanes(team, matches) == 1 ? min_over_lanes(team, found) : first_by_site(team, time));
    return 1;
  }

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();
  static constexpr std::uint32_t none = 0xffffffffu;
  static constexpr int group = WindowLayout::group;

  /// Of the cells with this waiting time the one with the smallest site: hardly ever asked for, and little code.
  template <class Team>
  KOKKOS_FUNCTION std::uint32_t first_by_site(const Team& team, double time) const {
    std::uint32_t site = none, cell = none;
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
    for (int another = w_.stride + team.team_rank(); another < w_.stride + w_.cells; another += Lanes) {
      if (w_.times[another] != time) continue;
      const auto its_site = static_cast<std::uint32_t>(w_.site(another));
      if (its_site >= site) continue;
      site = its_site;
      cell = static_cast<std::uint32_t>(another);
    }
    const std::uint32_t first = min_over_lanes(team, site);
    return min_over_lanes(team, site == first ? cell : none);
  }

  KOKKOS_FORCEINLINE_FUNCTION int first_of(int g) const { return w_.stride + g * group; }

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
      const int middle = cell - w_.stride + row * w_.stride;
      const int begin = middle > 1 ? (middle - 1) / group : 0, end = (middle + 1) / group;
      for (int g = begin; g <= end && g < groups_; ++g)
        if (g % Lanes == team.team_rank()) refresh(g);
    }
  }

  const Window<StateType>& w_;
  double end_;
  int groups_;
  int cell_ = -1;
};

/// Several events at once: every cell whose waiting time is the smallest in its block of cells and in the eight blocks
/// around.
///
/// Two such cells are more than a block apart, so that their events concern no common cell and may be performed
/// together. It is not certain that they come in the right order: a chain of events could start outside the eight
/// blocks, reach the surroundings of a cell that has fired, and do so at an earlier time. But all that the order of two
/// events can matter for is the cells that both redraw. Each cell therefore remembers when an event has last redrawn
/// it, and in_order() says whether the next one comes later. If so for every redraw of a run, the run equals the
/// sequential one; if not, the caller runs the tile again with GroupedMinimum. (A chain needs two redraws within a
/// small part of the step: it is rare.)
///
/// A neighbour whose own event would have come before must not be redrawn either: precedes().
///
/// Times are compared as 32-bit keys: the time relative to the step in some 22 bits above the number of the cell. What
/// a cell remembers is cut to 16 bits; events too close for them count as out of order.
template <class StateType, int Lanes, int MostFiring>
class LocalMinima {
 public:
  static_assert(MostFiring <= WindowLayout::most_firing);

  KOKKOS_FORCEINLINE_FUNCTION LocalMinima(const Window<StateType>& window, double begin, double end)
      : w_(window), begin_(begin), end_(end) {
    bits_ = 64 - Kokkos::Experimental::countl_zero_builtin(static_cast<std::uint64_t>(w_.side * w_.stride - 1));
    coarse_ = 16 - bits_ > 0 ? 16 - bits_ : 0;
    const double intervals =
        static_cast<double>((std::uint32_t{1} << (32 - bits_)) - (std::uint32_t{2} << coarse_) - 2);
    scale_ = intervals / (end - begin);
    bordered_stride_ = w_.blocks_x + 2;
    divide_ = 65536 / w_.blocks_x + 1;
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void clear(const Team& team) {
    const int all_keys = w_.stride * (w_.blocks / w_.blocks_x) * w_.block_rows;
    for (int key = team.team_rank(); key < all_keys; key += Lanes) w_.keys[key] = none;
    for (int b = team.team_rank(); b < spare_block() + 1; b += Lanes) w_.block_keys[b] = none;
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

  KOKKOS_FORCEINLINE_FUNCTION int cell(int e) const {
    return static_cast<int>(w_.firing[e] & ((std::uint32_t{1} << bits_) - 1));
  }

  /// Whether event e certainly comes before the event that its neighbour `cell` waits for: not if both fall into one
  /// interval of the keys, where the smaller cell has come first.
  KOKKOS_FORCEINLINE_FUNCTION bool precedes(int e, int cell) const {
    return (w_.firing[e] >> bits_) < (w_.keys[cell] >> bits_);
  }

  /// Notes that event e redraws `cell`; false unless all events that have redrawn it so far are earlier.
  KOKKOS_FORCEINLINE_FUNCTION bool in_order(int e, int cell) const {
    const std::uint32_t when = (w_.firing[e] >> (bits_ + coarse_)) + 1;
    const bool later = w_.touched[cell] < when;
    w_.touched[cell] = static_cast<std::uint16_t>(when);
    return later;
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void begin(const Team& team) {
    my_block_ = block(team.team_rank());
  }

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION int fire(const Team& team) {
    int count = 0;
    if (Lanes > 1 && w_.blocks <= Lanes) {
      w_.block_keys[my_block_.bordered] = smallest_of_block(my_block_.first_key);
      sync_lanes(team);
      collect(team, my_block_, count);
    } else {
      for (int b = team.team_rank(); b < w_.blocks; b += Lanes) {
        const Block its = block(b);
        w_.block_keys[its.bordered] = smallest_of_block(its.first_key);
      }
      sync_lanes(team);
      for (int first = 0; first < w_.blocks; first += Lanes) collect(team, block(first + team.team_rank()), count);
    }
    sync_lanes(team);
    return count < MostFiring ? count : MostFiring;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;

  struct Block {
    int first_key;  ///< its first key
    int bordered;   ///< its place among the blocks with their border; the spare one if there is no such block
  };

  KOKKOS_FORCEINLINE_FUNCTION int spare_block() const { return bordered_stride_ * (w_.blocks / w_.blocks_x + 2); }

  KOKKOS_FORCEINLINE_FUNCTION Block block(int b) const {
    if (b >= w_.blocks) return {0, spare_block()};
    const int by = (b * divide_) >> 16, bx = b - by * w_.blocks_x;
    return {by * w_.block_rows * w_.stride + bx * WindowLayout::block_width, (by + 1) * bordered_stride_ + bx + 1};
  }

  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t smaller(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }

  struct alignas(16) FourKeys {
    std::uint32_t key[4];
  };

  template <int Rows>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t smallest_of_rows(int first_key) const {
    const auto* row = reinterpret_cast<const FourKeys*>(w_.keys + first_key);
    const int step = w_.stride / 4;
    std::uint32_t smallest = none;
    for (int r = 0; r < Rows; ++r) {
      const FourKeys four = row[r * step];
      smallest = smaller(smallest, smaller(smaller(four.key[0], four.key[1]), smaller(four.key[2], four.key[3])));
    }
    return smallest;
  }

  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t smallest_of_block(int first_key) const {
    switch (w_.block_rows) {
      case 4:
        return smallest_of_rows<4>(first_key);
      case 5:
        return smallest_of_rows<5>(first_key);
      case 6:
        return smallest_of_rows<6>(first_key);
      case 7:
        return smallest_of_rows<7>(first_key);
      default:
        return smallest_of_rows<8>(first_key);
    }
  }

  /// Adds the key of this lane's block to those that fire if it is smaller than those of the eight blocks around.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void collect(const Team& team, const Block& its, int& count) const {
    const bool there = its.bordered != spare_block();
    const std::uint32_t* k = w_.block_keys + (there ? its.bordered : bordered_stride_ + 1);
    const std::uint32_t* above = k + bordered_stride_;
    const std::uint32_t* below = k - bordered_stride_;
    const std::uint32_t around = smaller(smaller(smaller(smaller(above[-1], above[0]), above[1]), smaller(k[-1], k[1])),
                                         smaller(smaller(below[-1], below[0]), below[1]));
    const std::uint32_t key = k[0];
    const bool fires = there && key < around;
    int total;
    const int ordinal = count + ordinal_among_lanes(team, fires, total);
    if (fires && ordinal < MostFiring) w_.firing[ordinal] = key;
    count += total;
  }

  const Window<StateType>& w_;
  double begin_, end_, scale_;
  int bits_, coarse_, bordered_stride_, divide_;
  Block my_block_{0, 0};
};

}  // namespace tessera::kmc
