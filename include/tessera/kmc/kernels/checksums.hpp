// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/streams.hpp>
#include <tessera/kmc/model.hpp>
#include <tessera/kmc/state/concerned.hpp>

/// The consistency check of section 2.1, extended to a sufficient one (docs/kmc_algorithm.md, "The check"): the history
/// of the ring of a tile, the halo cells on which its rates depend, must equal that of the owners of these cells. For
/// each side, and for each corner if the model has diagonal neighbours, a tile keeps one checksum of the events in its
/// own boundary cells, and one of the events in the ring.
///
/// If an event affects cells at a distance of two (concerned.hpp), the checksum of a side, or a corner, includes it
/// once per affected cell beyond. Owner and neighbour compute the same sum; with fewer terms some wrong histories would
/// agree.
namespace tessera::kmc {

/// Number of sides and corners with a checksum, in the order of Neighbourhood::around.
template <Model M>
inline constexpr int sides = Concerned<M>::reach > 1 ? sides_and_corners : M::neighbours;

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

/// Running checksums of a tile: of its own events at each side, then of those in the ring beyond it. The lane that
/// redraws the cell beyond the side adds the event. If events affect neighbours only, lane k keeps the sums of
/// neighbour k. Otherwise the lanes of a team add to common sums in scratch memory. Each of these consists of two
/// 32-bit sums without carry, because GPUs have atomic 32-bit additions in shared memory; a lane alone computes the
/// same.
template <Model M, bool SingleLane>
class Checksums {
 public:
  static constexpr bool of_neighbours = Concerned<M>::reach == 1;  ///< whether events affect neighbours only
  static constexpr bool are_common = !SingleLane && !of_neighbours;

  /// `common`: if sums are common, common_sums zeros in the scratch memory of the team.
  KOKKOS_FORCEINLINE_FUNCTION explicit Checksums(std::uint64_t* common) : common_(common) {}

  /// Adds an event to the sum of the tile's own events at this side, or of the events in the ring beyond it.
  KOKKOS_FORCEINLINE_FUNCTION void add(int side, bool own, std::uint64_t event) {
    const int i = own ? side : sides<M> + side;
    if constexpr (SingleLane && of_neighbours) {
      sums_[i] += event;
    } else if constexpr (SingleLane) {
      constexpr std::uint64_t high = 0xffffffff00000000ULL;
      sums_[i] = ((sums_[i] & high) + (event & high)) | ((sums_[i] + event) & ~high);
    } else if constexpr (are_common) {
      auto* const halves = reinterpret_cast<std::uint32_t*>(common_ + i);
      Kokkos::atomic_add(halves, static_cast<std::uint32_t>(event));
      Kokkos::atomic_add(halves + 1, static_cast<std::uint32_t>(event >> 32));
    } else {
      sums_[0] += own ? event : 0;
      sums_[1] += own ? 0 : event;
    }
  }

  /// Adds the events of a lane, of which the last one is at time `last`, to the common ones.
  KOKKOS_FORCEINLINE_FUNCTION void add_events(std::uint32_t events, double last) const requires are_common {
    Kokkos::atomic_add(reinterpret_cast<std::uint32_t*>(common_ + checksums<M>), events);
    Kokkos::atomic_max(common_ + checksums<M> + 1, Kokkos::bit_cast<std::uint64_t>(last));
  }

  /// Sum i. Teams with common sums must synchronise before. Of a lane of another team: its own events, or the ring.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t operator[](int i) const {
    if constexpr (are_common)
      return common_[i];
    else
      return sums_[i];
  }

 private:
  std::uint64_t* common_;
  std::uint64_t sums_[SingleLane ? checksums<M> : 2] = {};
};

/// The side or corner of a tile at which a cell lies, from its position outside the tile in x and y: -1, 0 or 1.
KOKKOS_FORCEINLINE_FUNCTION constexpr int side_at(int x, int y) {
  constexpr std::uint64_t sides_by_position = [] {
    std::uint64_t all = 0;
    for (int k = 0; k < sides_and_corners; ++k)
      all |= static_cast<std::uint64_t>(k) << 4 * (3 * (neighbour_offsets[k].dy + 1) + neighbour_offsets[k].dx + 1);
    return all;
  }();
  return static_cast<int>(sides_by_position >> (4 * (3 * (y + 1) + x + 1)) & 15u);
}

}  // namespace tessera::kmc
