// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <tessera/disks/impl/numbers.hpp>
#include <tessera/disks/impl/overlap.hpp>
#include <tessera/disks/impl/state.hpp>
#include <tessera/disks/impl/trial_moves.hpp>
#include <tessera/disks/kernels/held_disks.hpp>

namespace tessera::disks {

/// What a lane works with, in the scratch of its team, whose lanes take turns in memory: the disks of a cell, in slots
/// 0 to own - 1, and after them those that can touch one in it.
template <int lanes>
struct NeighbourList {
  /// The centres of disks that can touch one in the cell, the cell's own among them, lie in the convex region of points
  /// less than sigma away from the cell, of area 2 + 4 sqrt(2) + pi and perimeter 4 sqrt(2) + 2 pi at most, or, as
  /// listed, in a rectangle of sides of at most sqrt(2) + 2 around it: they are fewer than 22 (at most 2 / sqrt(3) area
  /// + perimeter / 2 + 1; Oler, Acta Math. 105, 19, 1961).
  static constexpr int most = 21;
  static constexpr int read_at_least = 12, read_together = 4;  ///< disks; there are about 11
  static constexpr int size = most + read_together - 1;
  static constexpr std::size_t bytes_a_lane = size * sizeof(Position) + points_of_a_group * sizeof(SquarePoint);

  Position* data;
  SquarePoint* points;

  /// Of this lane, in the scratch of a team.
  KOKKOS_FORCEINLINE_FUNCTION NeighbourList(void* scratch, int lane)
      : data(static_cast<Position*>(scratch) + lane),
        points(reinterpret_cast<SquarePoint*>(static_cast<Position*>(scratch) + size * lanes) + lane) {}

  KOKKOS_FORCEINLINE_FUNCTION Position& disk(int k) const { return data[k * lanes]; }

  KOKKOS_FORCEINLINE_FUNCTION SquarePoint& point(int k) const { return points[k * lanes]; }

  /// Disks are also addressed by their offset in bytes, from one of a lane to its next one so many:
  static constexpr unsigned bytes_to_next = lanes * sizeof(Position);
  KOKKOS_FORCEINLINE_FUNCTION Position& disk_at(unsigned offset) const {
    return *reinterpret_cast<Position*>(reinterpret_cast<char*>(data) + offset);
  }
  /// Before disks are listed, and after the last one, before `end`.
  KOKKOS_FORCEINLINE_FUNCTION void prepare() const {
    for (int k = most_in_a_cell; k < read_at_least; ++k) disk(k) = nowhere;
  }
  KOKKOS_FORCEINLINE_FUNCTION void finish(unsigned end) const {
    for (unsigned k = 0; k < read_together - 1; ++k) disk_at(end + k * bytes_to_next) = nowhere;
  }

  /// The square of the distance to the nearest of `all` disks, or more than any that matters.
  KOKKOS_FORCEINLINE_FUNCTION float nearest(int all, float x, float y) const {
    constexpr float far = 4;
    std::int32_t least = order_key(far);
    for (int k = 0; k < read_at_least; k += read_together) least = least_of(least, k, x, y);
    for (int k = read_at_least; k < size; k += read_together) {
      if (k >= all) break;
      least = least_of(least, k, x, y);
    }
    return of_order_key(least);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION std::int32_t least_of(std::int32_t least, int k, float x, float y) const {
    const auto squared = [&](const Position& p) { return order_key(about_square(p.x - x, p.y - y)); };
    least = lesser(lesser(least, squared(disk(k))), squared(disk(k + 1)));
    return lesser(lesser(least, squared(disk(k + 2))), squared(disk(k + 3)));
  }
};

}  // namespace tessera::disks
