// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Macros.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>

/// Sizes of tile, halo and team: what a backend takes by default and what fits into its scratch memory. None of them
/// changes a trajectory.
namespace tessera::kmc {

struct TileSizes {
  int tile = 0, halo = 0;
  int repair_halo = 0;        ///< of a tile that is run again
  int lanes = 0;              ///< of the team that advances a tile
  int first_repair_halo = 0;  ///< of the first round of several: half as much wider, which is enough for most
  int last_repair_halo = 0;   ///< from the third round on
  int repair_lanes = 0;       ///< of the team that runs a tile again
};

/// A choice for lattices of at least so many sites a side that the tile divides: the first one that applies.
struct DefaultSizes {
  int from, tile, halo;     ///< with repair; without it the halo is twice as wide
  int lanes, repair_lanes;  ///< a warp for some four events at once, and more where there is more to read
};
inline constexpr DefaultSizes sizes_on_gpus[] = {{0, 16, 4, 64, 128}, {0, 0, 4, 64, 128}};
/// Cores need not be many, and a larger tile repeats less in its halo.
inline constexpr DefaultSizes sizes_on_hosts[] = {{256, 32, 4, 1, 1}, {0, 0, 4, 1, 1}};
/// Registers of a lane on a GPU are bounded such that a multiprocessor has room for so many lanes; 0: unbounded.
inline constexpr unsigned lanes_of_multiprocessor = 0;
/// Rounds of repairs with a launch of their own: in what is left for later ones there are hardly any tiles as a rule,
/// and a launch costs as much as a step of a small lattice.
constexpr int repair_launches(std::int64_t tiles) { return tiles >= 16384 ? 3 : (tiles >= 1024 ? 2 : 1); }
/// Tiles for other lattices (tile 0 above): the first that divides both sides.
inline constexpr int other_tiles[] = {16, 8, 4, 12, 10, 6, 5, 7, 9, 11, 13, 14, 15};

/// How the scratch of a team of several lanes is shared out (TeamWindow).
struct TeamLayout {
  static constexpr int most_firing = 64;   ///< events that a team performs at once, at most
  static constexpr int most_lanes = 256;   ///< of a team
  static constexpr int guard = 4;          ///< keys before the first and behind the last cell
  static constexpr int most_cells = 4096;  ///< of a window
  static constexpr int words_shared = 16;  ///< counters and the like

  int streams;  ///< room for generators: of the rows 1 .. side - 2, and for two numbers a lane
  int listed;   ///< room for listed cells, as far as the scratch allows; if it is too small, all cells are looked
                ///< through
  std::size_t bytes;

  KOKKOS_INLINE_FUNCTION constexpr TeamLayout(int tile, int halo, int lanes) : streams(0), listed(0), bytes(0) {
    const int side = tile + 2 * halo, inner = side * (side - 2);
    streams = inner > 2 * lanes ? inner : 2 * lanes;
    const int words = 2 * streams + 2 * most_firing + 2 * side + words_shared + side * side + 2 * guard + 2 * inner +
                      2 * side + side * side;
    const int without_list = 4 * words + 2 * most_firing + 2, left = limit(lanes) - without_list;
    listed = left < 0 ? 0 : (left / 2 < inner ? left / 2 : inner);
    bytes = static_cast<std::size_t>(without_list + 2 * listed);
  }

  /// What a team may have. Kokkos allows 48 KiB at level 0 on CUDA, static shared memory of the kernel included, and
  /// takes some of it for each lane.
  KOKKOS_INLINE_FUNCTION static constexpr int limit(int lanes) {
    constexpr int alignment = 16, of_kernel = 256;
    return 48 * 1024 - 8 * (lanes + 2) - alignment - of_kernel;
  }
};

/// Bytes of scratch, aligned to 16, that a team of `lanes` lanes needs for a window: of one lane 48 bytes a cell
/// that can change and 4 for the state of any cell, of several lanes 16 and 8.
KOKKOS_INLINE_FUNCTION constexpr std::size_t team_bytes(int tile, int halo, int lanes) {
  if (lanes > 1) return TeamLayout(tile, halo, lanes).bytes;
  const int side = tile + 2 * halo;
  return static_cast<std::size_t>(side * (side - 2) * 48 + 4 * side * 4 + side * side * 4);
}

/// Whether a team's scratch suffices, of as many lanes as it may have; on a host, `lanes` = 1, that is what stays in a
/// core's second-level cache.
constexpr bool fits(int tile, int halo, int lanes) {
  const int side = tile + 2 * halo;
  if (lanes == 1) return team_bytes(tile, halo, lanes) + 16 <= 1024 * 1024;
  return side * side <= TeamLayout::most_cells && TeamLayout(tile, halo, TeamLayout::most_lanes).listed >= 2 * side;
}

constexpr int widest_halo(int tile, int lanes) {
  int halo = 0;
  while (fits(tile, halo + 1, lanes)) ++halo;
  return halo;
}

/// The sizes to use, where 0 of tile, halo, repair halo or lanes `asked` for is the default; `lanes`: 1 for teams of
/// one lane, more for others. tile = 0 in the result: no sensible tile divides the lattice.
constexpr TileSizes tile_sizes(TileSizes asked, bool repair, int nx, int ny, int lanes) {
  const auto divides = [&](int tile) { return nx % tile == 0 && ny % tile == 0; };
  const DefaultSizes* defaults = lanes == 1 ? sizes_on_hosts : sizes_on_gpus;
  while (defaults->tile != 0 && !(std::min(nx, ny) >= defaults->from && divides(defaults->tile))) ++defaults;
  TileSizes sizes = asked;
  if (sizes.tile == 0) sizes.tile = defaults->tile;
  for (const int tile : other_tiles)
    if (sizes.tile == 0 && divides(tile)) sizes.tile = tile;
  if (sizes.tile == 0) return sizes;
  const int widest = widest_halo(sizes.tile, lanes);
  if (sizes.halo == 0) sizes.halo = std::min(repair ? defaults->halo : 2 * defaults->halo, std::max(widest, 2));
  sizes.last_repair_halo = sizes.repair_halo;
  if (sizes.repair_halo == 0) {
    sizes.repair_halo = std::max(sizes.halo, std::min(3 * sizes.halo, widest));
    sizes.last_repair_halo = std::max(sizes.repair_halo, std::min(6 * sizes.halo, widest));
  }
  sizes.first_repair_halo = (sizes.halo + sizes.repair_halo + 1) / 2;
  sizes.repair_lanes = lanes == 1 || sizes.lanes == 0 ? defaults->repair_lanes : sizes.lanes;
  sizes.lanes = lanes == 1 || sizes.lanes == 0 ? defaults->lanes : sizes.lanes;
  return sizes;
}

}  // namespace tessera::kmc
