// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/streams.hpp>
#include <tessera/kmc/impl/concerned.hpp>
#include <tessera/kmc/model.hpp>
#include <type_traits>

/// The consistency check of section 2.1, extended to a sufficient one.
///
/// The ring of a tile T consists of the halo cells on which the rates of T's cells depend. T evolves correctly if the
/// history of the ring, as simulated with T, equals the history that the owners of its cells simulated. (A comparison
/// of the events at shared edges, as in equations 3 and 4, is not sufficient: a wrong event in the ring makes an edge
/// cell redraw its waiting time, even if the edge cell has no event.) For each side, and for each corner if the model
/// has diagonal neighbours, a tile keeps one checksum of the events in its own boundary cells, and one of the events in
/// the ring, which must equal the owner's. A checksum is the sum modulo 2^64 of a hash of (cell, time, new state): it
/// does not depend on the order of events or on rounding, and two different histories have the same one with
/// probability 2^-64.
///
/// An event that concerns cells at a distance of two counts for a side, or a corner, once for each cell beyond it that
/// the event concerns (concerned.hpp). Owner and neighbour compute the same sum; with fewer terms some wrong histories
/// would agree.
namespace tessera::kmc {

/// Number of sides and corners with a checksum, in the order of Neighbourhood::around.
template <Model M>
inline constexpr int sides = Concerned<M>::reach > 1 ? 8 : M::neighbours;

/// Number of checksums per tile: of its own boundary cells at each side, then of the ring beyond each side.
template <Model M>
inline constexpr int checksums = 2 * sides<M>;

/// Result of a tile's last run for the comparison with its neighbours, as sent between ranks.
template <Model M>
struct TileChecksums {
  std::uint64_t checksums[kmc::checksums<M>];
  std::int64_t halo;
};

/// The side of the neighbouring tile that touches side k.
KOKKOS_FORCEINLINE_FUNCTION constexpr int opposite(int k) { return k ^ 1; }

/// Term of an event in a checksum.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t event_hash(std::int64_t site, double time, std::int64_t new_state) {
  return mix(Kokkos::bit_cast<std::uint64_t>(time) ^ (static_cast<std::uint64_t>(site) * 0x9e3779b97f4a7c15ULL +
                                                      static_cast<std::uint64_t>(new_state) * 0xd6e8feb86659fd93ULL));
}

/// Running checksums of a tile. The pairs of the event's cell and its neighbours determine the sums to which an event
/// contributes. An event in the tile whose neighbour k lies beyond side k contributes to the tile's own side k; an
/// event in the ring whose neighbour k lies in the tile contributes to the ring at the opposite side; likewise for
/// diagonal k at a corner. A lane keeps the sums of one neighbour, or of all if it works alone.
template <Model M, bool SingleLane>
class Checksums {
 public:
  /// Whether a cell lies outside the tile, in x and in y.
  struct Outside {
    bool outside_x, outside_y;
    KOKKOS_FORCEINLINE_FUNCTION bool inside() const { return !outside_x && !outside_y; }
  };

  /// Whether an event at `here`, with neighbour k at `there`, contributes to the tile's own side k.
  KOKKOS_FORCEINLINE_FUNCTION static bool counts_as_own(const Outside& here, const Outside& there, int k) {
    return here.inside() && (k < 4 ? !there.inside() : there.outside_x && there.outside_y);
  }

  /// Whether it contributes to the ring at the side opposite to k.
  KOKKOS_FORCEINLINE_FUNCTION static bool counts_as_ring(const Outside& here, const Outside& there, int k) {
    return there.inside() && (k < 4 ? !here.inside() : here.outside_x && here.outside_y);
  }

  /// Adds an event to the sums of neighbour k.
  KOKKOS_FORCEINLINE_FUNCTION void add(int k, bool own, std::uint64_t event) {
    const int i = SingleLane ? k : 0;
    own_[i] += own ? event : 0;
    ring_[i] += own ? 0 : event;
  }

  /// The sums of a lane in a team of several.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t own() const { return own_[0]; }
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t ring() const { return ring_[0]; }

  /// Writes all sums of a lane that works alone to result[0 .. checksums<M>).
  KOKKOS_FORCEINLINE_FUNCTION void store(std::uint64_t* result) const {
    for (int k = 0; k < sides<M>; ++k) {
      result[k] = own_[k];
      result[sides<M> + opposite(k)] = ring_[k];
    }
  }

 private:
  static constexpr int share = SingleLane ? sides<M> : 1;
  std::uint64_t own_[share] = {}, ring_[share] = {};
};

/// Checksums for models whose events concern cells at a distance of two. The lanes of a team add to common sums in
/// scratch memory. Each sum consists of two 32-bit sums without carry, because GPUs have atomic 32-bit additions in
/// shared memory.
template <bool SingleLane>
class CommonChecksums {
 public:
  static constexpr int count = 16;

  /// `common`: `count` zeros in the scratch memory of a team of several lanes.
  KOKKOS_FORCEINLINE_FUNCTION explicit CommonChecksums(std::uint64_t* common) : common_(common) {}

  /// Adds an event to the sum of the tile's own events at this side, or of the events in the ring beyond it.
  KOKKOS_FORCEINLINE_FUNCTION void add(int side, bool own, std::uint64_t event) {
    const int i = own ? side : 8 + side;
    if constexpr (SingleLane) {
      constexpr std::uint64_t high = 0xffffffff00000000ULL;
      sums_[i] = ((sums_[i] & high) + (event & high)) | ((sums_[i] + event) & ~high);
    } else {
      auto* const halves = reinterpret_cast<std::uint32_t*>(common_ + i);
      Kokkos::atomic_add(halves, static_cast<std::uint32_t>(event));
      Kokkos::atomic_add(halves + 1, static_cast<std::uint32_t>(event >> 32));
    }
  }

  /// Sum i. Teams of several lanes must synchronise before.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t operator[](int i) const {
    if constexpr (SingleLane)
      return sums_[i];
    else
      return common_[i];
  }

 private:
  std::uint64_t* common_;
  std::uint64_t sums_[SingleLane ? count : 1] = {};
};

/// The side or corner of a tile at which a cell lies, from its position outside the tile in x and y: -1, 0 or 1.
KOKKOS_FORCEINLINE_FUNCTION constexpr int side_at(int x, int y) {
  return static_cast<int>(0x735180426ULL >> (4 * (3 * (y + 1) + x + 1)) & 15u);
}
static_assert(side_at(-1, 0) == 0 && side_at(1, 0) == 1 && side_at(0, -1) == 2 && side_at(0, 1) == 3 &&
              side_at(1, -1) == 4 && side_at(-1, 1) == 5 && side_at(-1, -1) == 6 && side_at(1, 1) == 7);

template <Model M, bool SingleLane>
using ChecksumsOf =
    std::conditional_t<(Concerned<M>::reach > 1), CommonChecksums<SingleLane>, Checksums<M, SingleLane>>;

}  // namespace tessera::kmc
