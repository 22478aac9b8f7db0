// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/disks/four_cells.hpp>
#include <tessera/disks/shift_cells.hpp>
#include <tessera/disks/sweep_plan.hpp>
#include <tessera/disks/vectors.hpp>

namespace tessera::disks {

/// What shift_cell() does, as a core of a host does it fastest: for cells first .. first + count - 1, at most four, of
/// those of one parity in a row.
template <class MemorySpace>
inline void shift_in_step(const Cells<MemorySpace>& from, const Cells<MemorySpace>& to, const SweepPlan& plan,
                          int replica, int y, int parity, int first, int count) {
  const Geometry& g = from.geometry;
  const bool along_x = plan.direction < 2;
  const CoordinateShift shift(plan, along_x, g);
  const Line line = line_of(g, replica, y, parity);
  const Line beside = along_x ? line_of(g, replica, y, 1 - parity)
                              : line_of(g, replica, g.wrap_row(shift.forward ? y + 1 : y - 1), parity);
  const FourCells<MemorySpace> own(from, line, first, count);
  const FourCells<MemorySpace> others(from, beside, along_x ? first + parity - (shift.forward ? 0 : 1) : first, count);
  ListsOfLanes lists;
  const auto take = [&](const FourCells<MemorySpace>& cells, int slot, bool enter) {
    DisksOfLanes d = cells.disks(slot);
    Floats& moved = along_x ? d.x : d.y;
    moved += shift.change;
    const Integers stays = (moved >= 0) & (moved < shift.side);
    if (enter) moved += shift.entering;
    lists.append((slot < unpack(cells.counts().bytes)) & (enter ? ~stays : stays), d);
  };
  for (const bool enter : {false, true}) {
    const auto& cells = enter ? others : own;
    take(cells, 0, enter);
    take(cells, 1, enter);
    if (cells.counts().any_in(2)) take(cells, 2, enter);
    if (cells.counts().any_in(3)) take(cells, 3, enter);
  }
  int most = 0;
  for (int l = 0; l < count; ++l) {
    most = lists.size(l) > most ? lists.size(l) : most;
    to.counts(line.begin + first + l) = static_cast<std::uint8_t>(lists.size(l));
  }
  if (most > most_in_a_cell)
    Kokkos::abort("tessera::disks: more than four disks in a cell, so that some of them overlap");
  for (int slot = 0; slot < most; ++slot) write_disks(lists.at(slot), count, &to.position(slot, line.begin + first));
}

}  // namespace tessera::disks
