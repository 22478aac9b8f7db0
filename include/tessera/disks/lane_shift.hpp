// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <tessera/disks/coordinate_shift.hpp>
#include <tessera/disks/pairs.hpp>
#include <tessera/disks/sweep_plan.hpp>

/// Algorithm 4 as a lane of a GPU does it, on disks in pairs.
namespace tessera::disks {

/// Three cells in the direction of the shift, each of which takes disks from the next one. A lane shifts the first two,
/// so that it reads three cells where it would read four.
struct CellsInLine {
  int cell[3];

  /// Two cells of a row, of columns 2 pair and 2 pair + 1.
  KOKKOS_FORCEINLINE_FUNCTION static CellsInLine of_row(const Geometry& g, int replica, int row, int pair,
                                                        bool forward) {
    const int half = g.columns >> 1, begin = (replica * g.rows + row) * g.columns;
    const int even = begin + pair, odd = even + half;
    if (forward) return {{even, odd, pair + 1 == half ? begin : even + 1}};
    return {{odd, even, pair == 0 ? begin + g.columns - 1 : odd - 1}};
  }
  /// Two cells of a stored column, of rows 2 pair and 2 pair + 1.
  KOKKOS_FORCEINLINE_FUNCTION static CellsInLine of_column(const Geometry& g, int replica, int column, int pair,
                                                           bool forward) {
    const int begin = replica * g.rows * g.columns + column, lower = begin + 2 * pair * g.columns;
    const int upper = lower + g.columns;
    if (forward) return {{lower, upper, 2 * pair + 2 == g.rows ? begin : upper + g.columns}};
    return {{upper, lower, pair == 0 ? begin + (g.rows - 1) * g.columns : lower - g.columns}};
  }
};

/// The disks of a cell as they are found, in the scratch of a team whose lanes take turns in memory.
template <int lanes>
struct ShiftedList {
  static constexpr int size = 2 * most_in_a_cell + 1;  ///< also of disks that overlap, and one that is not kept
  static constexpr std::size_t bytes_a_lane = size * sizeof(Position);
  Position* data;
};

/// Shifts the first two of three cells.
template <bool along_x, int lanes>
KOKKOS_FORCEINLINE_FUNCTION void shift_cells_by_lane(const PairArray& from, const PairArray& to,
                                                     std::uint8_t* const counts, const CoordinateShift& shift,
                                                     const CellsInLine& line, const ShiftedList<lanes>& list) {
  Pair lower[3], upper[3];
  for (int c = 0; c < 3; ++c) lower[c] = from.lower(line.cell[c]);
  for (int c = 0; c < 3; ++c) {
    upper[c] = {absent, absent};
    if (crowded(lower[c]) != 0) upper[c] = from.upper(line.cell[c]);
  }
  for (int c = 0; c < 2; ++c) {
    int end = 0;
    const auto add = [&](const Position& p, float coordinate, bool there) {
      list.data[end] = along_x ? Position{coordinate, p.y} : Position{p.x, coordinate};
      if (there) end += lanes;
    };
    const auto moved = [&](const Position& p) { return (along_x ? p.x : p.y) + shift.change; };
    const auto keep = [&](const Position& p) {
      const float coordinate = moved(p);
      add(p, coordinate, (coordinate >= 0) & (coordinate < shift.side));
    };
    const auto take = [&](const Position& p) {
      const float coordinate = moved(p);
      add(p, coordinate + shift.entering, (coordinate < 0) | (coordinate >= shift.side));
    };
    keep(first_of(lower[c]));
    keep(lower[c].second);
    if (crowded(lower[c]) != 0) {
      keep(upper[c].first);
      keep(upper[c].second);
    }
    take(first_of(lower[c + 1]));
    take(lower[c + 1].second);
    if (crowded(lower[c + 1]) != 0) {
      take(upper[c + 1].first);
      take(upper[c + 1].second);
    }
    const int n = end / lanes;
    if (n > most_in_a_cell)
      Kokkos::abort("tessera::disks: more than four disks in a cell, so that some of them overlap");
    to.write(line.cell[c], n, [&](int slot) { return list.data[slot * lanes]; });
    counts[line.cell[c]] = static_cast<std::uint8_t>(n);
  }
}

}  // namespace tessera::disks
