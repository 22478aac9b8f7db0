// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Macros.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

/// Sizes of tiles, halos and teams: the defaults of a backend, and the limits of its scratch memory. They do not affect
/// trajectories.
namespace tessera::kmc {

/// Distances of a model's events, in x or y, in cells.
struct EventReach {
  int reads = 1;            ///< of the states on which a rate depends
  int reach = 1;            ///< of the cells concerned by an event
  int positions = 5;        ///< number of cells that may be concerned
  int bytes = 4;            ///< of a state in scratch memory
  int sums = 0;             ///< number of sums that a model keeps for each cell
  int of_events = 0;        ///< bytes of the events that a team of several lanes performs at once, with their checksums
  bool keeps_sums = false;  ///< whether the model keeps sums, so that teams of several lanes need no states
  int least_side = 0;       ///< smallest side of a lattice, if the model defines it; 0: from the distances
  bool counts = false;      ///< whether the model counts events of groups, as models from files do

  bool operator==(const EventReach&) const = default;  ///< member by member
  /// The narrowest halo: the fixed boundary and the reach.
  constexpr int narrowest_halo() const { return reads + reach; }
  /// The smallest side of a lattice in which an event concerns each cell at most once. With a reach of 1 twice is
  /// possible.
  constexpr int smallest_side() const {
    if (least_side > 0) return least_side;
    return reach == 1 ? 2 : (positions <= 8 ? 4 : (reach <= 3 ? 3 + reach : 2 * reach + 1));
  }
  /// Blocks (TeamLayout) on each side of a block from which other events keep away.
  constexpr int blocks_away() const { return (2 * reach + 3) / 4; }
  /// The smallest side of a tile in which an event concerns cells of adjacent tiles only.
  constexpr int smallest_tile() const { return std::max(2, reach); }
};

/// Sides of tiles and widths of halos, in cells, with the lanes of their teams.
struct TileSizes {
  int tile = 0, halo = 0;           ///< side, and width of the halo; halo 0: the whole lattice
  int wide_halo = 0;                ///< for steps with few events (StepRules)
  int repair_halo = 0;              ///< halo of repair runs
  int lanes = 0;                    ///< lanes of a team that advances a tile
  int first_repair_halo = 0;        ///< halo of the first of several repair rounds: half as much wider
  int last_repair_halo = 0;         ///< halo from the third repair round on
  int repair_lanes = 0;             ///< lanes of a team that repairs a tile
  double wide_below = 0;            ///< events per site and step below which the wide halo is faster; 0: it is not used
  double narrow_from = 0;           ///< events per site and step from which on the narrow halo is faster
  double repair_fraction = 0;       ///< target fraction of repaired tiles in a step
  double wide_repair_fraction = 0;  ///< the same with the wide halo
  double level0_from = 0;           ///< events per site and step from which on streams are in level-0 scratch memory
  EventReach reach = {};            ///< of the model's events

  /// Whether the tile is the whole lattice, without a halo.
  KOKKOS_FORCEINLINE_FUNCTION bool whole() const { return halo == 0; }
};

inline constexpr double never_in_level0 = std::numeric_limits<double>::infinity();  ///< level0_from

/// An entry of a table of default sizes. The first entry applies that has the tile chosen by the user or, without a
/// choice, whose `from` is at most the number of sites, whose tile divides both sides, at least twice, and whose window
/// fits into scratch memory with a wider halo for repairs. The last entry, with tile 0, always applies.
struct DefaultSizes {
  /// Lanes of a team.
  struct Lanes {
    int advance = 1, repair = 1;  ///< that advances, or repairs, a tile
  };
  /// A second halo, for steps with few events.
  struct Wide {
    int halo = 0;                       ///< its width
    double below = 0, narrow_from = 0;  ///< events per site and step: the narrow halo permits longer steps
    double repaired = 0;                ///< 0: as with the other halo
  };
  std::int64_t from = 0;  ///< least number of sites in all replicas
  int tile = 0, halo;     ///< side, and width of the halo with repair; without repair it is wider (tile_sizes())
  Wide wide = {};         ///< the halo with repair for steps with few events; 0: the same
  Lanes lanes = {};       ///< a warp performs six events at once; more lanes where a window has more events
  double repaired;        ///< target fraction of repaired tiles
  double level0_from = never_in_level0;  ///< TileSizes::level0_from
  int far_halo = 0;                      ///< halo for events that reach further than two cells; 0: from `halo`
};
/// On a busy GPU a repaired tile costs as much as any other, and the time per event is what matters. On a partly idle
/// GPU a repair takes as long as the advance of all tiles, so that few steps should need one. Streams in level-0
/// scratch memory have less latency, but permit seven teams per multiprocessor instead of eight, too few to advance the
/// 1024 tiles of 1024^2 sites at the same time.
inline constexpr DefaultSizes sizes_on_gpus[] = {
    {.from = 4194304, .tile = 32, .halo = 6, .lanes = {64, 128}, .repaired = 0.03, .level0_from = 0.08},
    {.from = 1048576, .tile = 32, .halo = 7, .wide = {8, 0.2, 0.3}, .lanes = {64, 256}, .repaired = 0.001},
    {.from = 262144, .tile = 32, .halo = 9, .lanes = {64, 256}, .repaired = 0.001, .level0_from = 0.08},
    {.tile = 16, .halo = 8, .lanes = {32, 128}, .repaired = 0.004, .level0_from = 0},
    {.halo = 4, .wide = {6, 0.085, 0.25, 0.00375}, .lanes = {32, 128}, .repaired = 0.015, .level0_from = 0}};
/// Larger tiles than on GPUs: fewer suffice for all cores, and they repeat fewer events in their halos.
inline constexpr DefaultSizes sizes_on_hosts[] = {
    {.from = 1048576, .tile = 64, .halo = 6, .wide = {12, 0.08, 0.4}, .repaired = 0.03},
    {.tile = 32, .halo = 6, .wide = {8, 0.06, 0.25}, .repaired = 0.015},
    {.halo = 4, .repaired = 0.015}};
/// For models whose events concern cells at a distance of two: halos are wider, and wider by 2 for each cell by which
/// they reach further. An event that may change two cells takes eight lanes, so that a warp performs four at once.
/// The first entry is for models from files: larger tiles have more events at once, and repeat fewer in their halos.
inline constexpr DefaultSizes sizes_of_far_events_on_gpus[] = {
    {.from = 16777216, .tile = 64, .halo = 8, .lanes = {128, 256}, .repaired = 0.015, .far_halo = 12},
    {.from = 4194304, .tile = 32, .halo = 8, .lanes = {96, 256}, .repaired = 0.015, .level0_from = 0.03},
    {.from = 262144, .tile = 32, .halo = 10, .lanes = {128, 256}, .repaired = 0.001, .level0_from = 0.08},
    {.tile = 16, .halo = 10, .lanes = {64, 128}, .repaired = 0.004, .level0_from = 0},
    {.halo = 6, .wide = {8, 0.085, 0.25, 0.00375}, .lanes = {64, 128}, .repaired = 0.015, .level0_from = 0}};
/// The same on CPUs.
inline constexpr DefaultSizes sizes_of_far_events_on_hosts[] = {
    {.from = 1048576, .tile = 64, .halo = 8, .wide = {14, 0.08, 0.4}, .repaired = 0.03},
    {.tile = 32, .halo = 8, .wide = {10, 0.06, 0.25}, .repaired = 0.015},
    {.halo = 5, .repaired = 0.015}};
/// Side of the largest lattice that CPUs advance as a single tile. One core does so twice as fast as by tiles, which
/// repeat the events in their halos; several cores for each lattice advance larger ones faster by tiles.
constexpr double widest_whole_on_hosts(int cores, int replicas) {
  const double of_each = static_cast<double>(cores) * ((replicas + cores - 1) / cores) / replicas;
  return of_each <= 1 ? 256 : std::max(36.0, 192 / of_each);
}
/// Side of the largest lattice that GPUs advance as a single tile, if tiles of 16 divide it: one team takes up to twice
/// as long for a larger one as teams for its tiles, unless it is one of several.
constexpr int widest_whole_on_gpus(int replicas) { return replicas > 4 ? std::numeric_limits<int>::max() : 72; }
/// Number of repair rounds that have a launch of their own. Later rounds rarely have tiles, and a launch costs as much
/// as a step of a small lattice.
constexpr int repair_launches(std::int64_t tiles) { return tiles >= 16384 ? 3 : (tiles >= 2048 ? 2 : 1); }
/// Number of teams in a repair launch. Few on a GPU, so that a launch without listed tiles ends early.
constexpr std::int64_t repair_teams(std::int64_t tiles, bool on_host) {
  return std::min(tiles, std::clamp<std::int64_t>(on_host ? tiles : tiles / 16, 32, 2048));
}
/// Largest number of tiles that one team repairs in sequence. If more remain, the step is far too long.
inline constexpr int most_tiles_of_a_team = 64;
/// Tiles for other lattices (tile 0 above). The first that divides both sides is used.
inline constexpr int other_tiles[] = {16, 8, 4, 12, 10, 6, 5, 7, 9, 11, 13, 14, 15};

/// Scratch memory of a team: level 0 for data in constant use, level 1 for the rest.
struct TileScratch {
  char* level0;  ///< first byte
  char* level1;  ///< first byte
};

/// Layout of the scratch memory of a team of several lanes (TeamWindow).
struct TeamLayout {
  static constexpr int block_width = 4, block_height = 4;  ///< cells of a block (DueCells)
  static constexpr int most_firing = 48;                   ///< most events that a team performs at once
  static constexpr int most_lanes = 256;                   ///< most lanes of a team
  static constexpr int words_shared = 8;                   ///< counters and flags
  /// Most events of so many bytes that a team performs at once, where all lanes share their cells (LaneShare).
  template <std::size_t bytes>
  static constexpr int most_shared = static_cast<int>(bytes < 60 ? 32 : 1920 / bytes);  // a lane draws each
  static constexpr int most_parts = 8;                                                  ///< parts of a step (DueCells)
  /// Bytes in level 1 for each cell inside the boundary, but for the sums that a model keeps.
  KOKKOS_INLINE_FUNCTION static constexpr int bytes_of_redrawn(bool streams_in_level0) {
    return streams_in_level0 ? 8 : 16;
  }

  int side;                ///< side of the window
  int stride, rows;        ///< of the window, rounded up to whole blocks
  int blocks_x, blocks_y;  ///< blocks that cover the window
  int cells;               ///< cells of these blocks
  int live_cells;          ///< cells of the window inside its boundary
  int bordered_x;          ///< blocks_x with a border, rounded up to an even number
  int bordered_blocks;     ///< blocks with the border

  /// Of a tile and its halo, in cells.
  KOKKOS_INLINE_FUNCTION constexpr TeamLayout(int tile, int halo)
      : side(tile + 2 * halo),
        stride((side + block_width - 1) / block_width * block_width),
        rows((side + block_height - 1) / block_height * block_height),
        blocks_x(stride / block_width),
        blocks_y(rows / block_height),
        cells(stride * rows),
        live_cells(halo == 0 ? side * side : (side - 2) * (side - 2)),
        bordered_x((blocks_x + 3) / 2 * 2),
        bordered_blocks(bordered_x * (blocks_y + 2)) {}

  /// Limit of a team's level-0 scratch memory. On CUDA Kokkos permits 48 KiB, which include static shared memory of the
  /// kernel and some bytes per lane.
  static constexpr std::size_t limit() {
    constexpr std::size_t alignment = 16, of_kernel = 256;
    return 48 * 1024 - 8 * (most_lanes + 2) - alignment - of_kernel;
  }
};

/// Places of arrays in the level-0 scratch memory of a team, one after another, in bytes from its begin.
struct ScratchArrays {
  std::int64_t bytes = 0;  ///< of all arrays

 protected:
  KOKKOS_INLINE_FUNCTION constexpr int take(std::int64_t of_each, std::int64_t count) {
    const auto begin = static_cast<int>(bytes);
    bytes += of_each * count;
    return begin;
  }
};

/// Those of a team of several lanes (TeamWindow).
struct TeamArrays : ScratchArrays {
  int words, states, streams, column_x, row_site;               ///< those of TeamCells
  int block_words, earliest, part_keys, counts, fired, events;  ///< those of DueCells, and the present events

  /// Of a window with this layout.
  KOKKOS_INLINE_FUNCTION constexpr TeamArrays(const TeamLayout& layout, const EventReach& reach, bool streams_in_level0)
      : words(take(4, layout.cells)),
        states(take(reach.keeps_sums ? 0 : reach.bytes, layout.cells)),
        streams(take(streams_in_level0 ? 8 : 0, layout.live_cells)),
        column_x(take(4, layout.side)),
        row_site(take(4, layout.side)),
        block_words(take(4, layout.bordered_blocks)),
        earliest(take(8, 4)),
        part_keys(take(4, TeamLayout::most_parts)),
        counts(take(4, TeamLayout::words_shared)),
        fired(take(4, TeamLayout::most_firing)),
        events(take(1, reach.of_events)) {}
};

/// Those of a team of one lane (SingleLaneWindow).
struct SingleLaneArrays : ScratchArrays {
  int buckets = 64;  ///< buckets of the queue (DueBuckets), one per four cells
  int filled, times, streams, sums, first, following, column_x, row_site, states;

  /// Of a window with this side, states of so many bytes, and so many sums that the model keeps for a cell.
  KOKKOS_INLINE_FUNCTION constexpr SingleLaneArrays(std::int64_t side, int bytes_of_state, int kept) {
    const std::int64_t cells = side * side;
    while (buckets < 4096 && 4 * buckets < cells) buckets *= 2;
    filled = take(8, buckets / 64);
    times = take(8, cells);
    streams = take(8, cells);
    sums = take(8 * kept, cells);
    first = take(4, buckets);
    following = take(4, cells + cells % 2);
    column_x = take(4, side);
    row_site = take(4, side);
    states = take(bytes_of_state, cells);
  }
};

/// Bytes of scratch memory, aligned to 16, that a team of `lanes` lanes needs for a window. `streams_in_level0`:
/// streams are in level 0, for teams of several lanes, which need at least two numbers per lane.
struct ScratchBytes {
  std::size_t level0, level1;  ///< bytes

  /// Of a tile and its halo.
  KOKKOS_INLINE_FUNCTION constexpr ScratchBytes(int tile, int halo, int lanes, bool streams_in_level0 = false,
                                                const EventReach& reach = {})
      : level0(0), level1(0) {
    const TeamLayout team(tile, halo);
    const std::int64_t of_team = TeamArrays(team, reach, streams_in_level0).bytes;
    level0 = lanes > 1 ? static_cast<std::size_t>(of_team > 16 * lanes ? of_team : 16 * lanes)
                       : static_cast<std::size_t>(SingleLaneArrays(team.side, reach.bytes, reach.sums).bytes);
    const int of_cell = TeamLayout::bytes_of_redrawn(streams_in_level0) + 8 * reach.sums;
    level1 = lanes > 1 ? static_cast<std::size_t>(of_cell) * static_cast<std::size_t>(team.live_cells) : 0;
  }
};

/// Whether a window fits into the scratch memory of a team with the most lanes. On a host (`lanes` = 1), whether it
/// fits into a core's second-level cache.
constexpr bool fits(int tile, int halo, int lanes, bool streams_in_level0 = false, const EventReach& reach = {}) {
  if (lanes == 1) return ScratchBytes(tile, halo, 1, false, reach).level0 + 16 <= 2 * 1024 * 1024;
  return ScratchBytes(tile, halo, TeamLayout::most_lanes, streams_in_level0, reach).level0 <= TeamLayout::limit();
}

/// Width of the widest halo that fits().
constexpr int widest_halo(int tile, int lanes, const EventReach& reach = {}) {
  int halo = 0;
  while (fits(tile, halo + 1, lanes, false, reach)) ++halo;
  return halo;
}

/// Whether a square lattice fits into a single tile, in which a team of several lanes can keep its events apart.
constexpr bool fits_whole(int side, int lanes, const EventReach& reach) {
  const int blocks = std::max(3, 1 + reach.blocks_away());
  const bool apart = side % TeamLayout::block_width == 0 && side >= blocks * TeamLayout::block_width;
  return (lanes == 1 || apart) && fits(side, 0, lanes, false, reach);
}

}  // namespace tessera::kmc
