// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>

namespace tessera::parallel {

/// Memory layout of a rank's part of a distributed table: for each replica a block of own entries, surrounded by ghosts
/// in each direction that is divided.
struct TableShape {
  int nx, ny;            ///< entries in memory
  int ghost_x, ghost_y;  ///< ghost columns and rows at either end; 0: this direction is not divided
  int replicas;

  std::int64_t ghosts() const {
    return replicas * (std::int64_t{nx} * ny - std::int64_t{nx - 2 * ghost_x} * (ny - 2 * ghost_y));
  }
};

/// Own entries that are ghosts of the neighbour in direction (dx, dy), and the ghosts of the same shape that come from
/// it.
struct Border {
  int from_x, from_y, to_x, to_y, width, height;

  KOKKOS_FORCEINLINE_FUNCTION Border(const TableShape& table, int dx, int dy) {
    along(dx, table.nx, table.ghost_x, from_x, to_x, width);
    along(dy, table.ny, table.ghost_y, from_y, to_y, height);
    if (dx == 0 && dy == 0) width = height = 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t size() const { return std::int64_t{width} * height; }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static void along(int side, int all, int ghosts, int& from, int& to, int& size) {
    const int own = all - 2 * ghosts;
    from = side > 0 ? own : ghosts;
    to = side < 0 ? 0 : (side > 0 ? own + ghosts : ghosts);
    size = side == 0 ? own : ghosts;
  }
};

/// Calls what(replica, x, y) for entry i of all borders, with its position among the own entries or the ghosts.
template <class What>
KOKKOS_FORCEINLINE_FUNCTION void at_border(const TableShape& table, std::int64_t i, bool own, const What& what) {
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      const Border border(table, dx, dy);
      const std::int64_t number = border.size() * table.replicas;
      if (i >= number) {
        i -= number;
        continue;
      }
      const std::int64_t row = i / border.width;
      const auto column = static_cast<int>(i - row * border.width), replica = static_cast<int>(row / border.height),
                 y = static_cast<int>(row - std::int64_t{replica} * border.height);
      return what(replica, (own ? border.from_x : border.to_x) + column, (own ? border.from_y : border.to_y) + y);
    }
}

}  // namespace tessera::parallel
