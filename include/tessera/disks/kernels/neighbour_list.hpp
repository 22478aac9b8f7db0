// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_BitManipulation.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <tessera/disks/overlap.hpp>
#include <tessera/disks/state.hpp>
#include <tessera/disks/trial_moves.hpp>

namespace tessera::disks {

/// Of a disk that is not to be met.
inline constexpr Position nowhere{1e15f, 0};

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
  static constexpr std::size_t bytes_a_lane = size * sizeof(Position) + (moves_of_a_group + 1) * sizeof(SquarePoint);

  Position* data;
  SquarePoint* points;

  /// Of this lane, in the scratch of a team.
  KOKKOS_FORCEINLINE_FUNCTION NeighbourList(void* scratch, int lane)
      : data(static_cast<Position*>(scratch) + lane),
        points(reinterpret_cast<SquarePoint*>(static_cast<Position*>(scratch) + size * lanes) + lane) {}

  KOKKOS_FORCEINLINE_FUNCTION Position& disk(int k) const { return data[k * lanes]; }

  /// Disks and points are also addressed by their offset in bytes, from one of a lane to its next one these:
  static constexpr unsigned bytes_to_next = lanes * sizeof(Position);
  static constexpr int bytes_to_next_point = lanes * sizeof(SquarePoint);
  KOKKOS_FORCEINLINE_FUNCTION Position& disk_at(unsigned offset) const {
    return *reinterpret_cast<Position*>(reinterpret_cast<char*>(data) + offset);
  }
  KOKKOS_FORCEINLINE_FUNCTION SquarePoint& point_at(int offset) const {
    return *reinterpret_cast<SquarePoint*>(reinterpret_cast<char*>(points) + offset);
  }

  /// Before disks are listed, and after the last one, before `end`.
  KOKKOS_FORCEINLINE_FUNCTION void prepare() const {
    for (int k = most_in_a_cell; k < read_at_least; ++k) disk(k) = nowhere;
  }
  KOKKOS_FORCEINLINE_FUNCTION void finish(unsigned end) const {
    for (unsigned k = 0; k < read_together - 1; ++k) disk_at(end + k * bytes_to_next) = nowhere;
  }

  /// Whether a disk at `to` overlaps none of `all` disks. `asked` saves the trouble if it does not matter: false then.
  KOKKOS_FORCEINLINE_FUNCTION bool has_room(int all, const Position& to, bool asked = true) const {
    std::int32_t least = Kokkos::bit_cast<std::int32_t>(4.0f);
    for (int k = 0; k < read_at_least; k += read_together) least = least_of(least, k, to);
    for (int k = read_at_least; k < size; k += read_together) {
      if (k >= all) break;
      least = least_of(least, k, to);
    }
    const auto closest = Kokkos::bit_cast<float>(least);
    if (asked && closest >= surely_overlap && closest <= surely_apart) return has_room_exactly(all, to);
    return asked && closest > surely_apart;
  }

 private:
  /// The least of `least` and the squared distances of four disks, as the bits of floats, which are in the order of the
  /// floats since none is negative: GPUs find the least of three integers at once.
  KOKKOS_FORCEINLINE_FUNCTION std::int32_t least_of(std::int32_t least, int k, const Position& to) const {
    const auto squared = [&](const Position& p) {
      return Kokkos::bit_cast<std::int32_t>(about_square(p.x - to.x, p.y - to.y));
    };
    const auto lesser = [](std::int32_t a, std::int32_t b) { return a < b ? a : b; };
    least = lesser(lesser(least, squared(disk(k))), squared(disk(k + 1)));
    return lesser(lesser(least, squared(disk(k + 2))), squared(disk(k + 3)));
  }

  KOKKOS_FORCEINLINE_FUNCTION bool has_room_exactly(int all, const Position& to) const {
    for (int k = 0; k < all; ++k) {
      const Position p = disk(k);
      if (p.x != nowhere.x && overlap(p.x - to.x, p.y - to.y)) return false;
    }
    return true;
  }
};

}  // namespace tessera::disks
