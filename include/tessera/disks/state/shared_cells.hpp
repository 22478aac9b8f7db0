// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/disks/configuration.hpp>
#include <tessera/disks/state/cell_layout.hpp>
#include <tessera/disks/state/state.hpp>
#include <tessera/parallel/table_shape.hpp>

namespace tessera::disks {

/// The disks of a cell in a message between ranks; unused slots follow.
struct DisksOfCell {
  Position of[most_in_a_cell];
};

/// A rank's cells as a distributed table.
template <class MemorySpace>
struct SharedCells {
  Cells<MemorySpace> cells;

  KOKKOS_FORCEINLINE_FUNCTION DisksOfCell get(int replica, int x, int y) const {
    const std::int64_t cell = cells.geometry.index(replica, x, y);
    const int n = cells.counts(cell);
    DisksOfCell disks;
    for (int slot = 0; slot < most_in_a_cell; ++slot) disks.of[slot] = slot < n ? cells.position(slot, cell) : absent;
    return disks;
  }
  KOKKOS_FORCEINLINE_FUNCTION void put(int replica, int x, int y, const DisksOfCell& disks) const {
    int n = 0;
    while (n < most_in_a_cell && is_there(disks.of[n])) ++n;
    put_disks(cells, cells.geometry.index(replica, x, y), n, [&](int slot) { return disks.of[slot]; });
  }
};

inline parallel::TableShape table_of_cells(const Geometry& part) {
  return {part.columns, part.rows, part.ghost_x, part.ghost_y, part.replicas};
}

}  // namespace tessera::disks
