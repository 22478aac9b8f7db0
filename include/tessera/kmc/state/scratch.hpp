// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Macros.hpp>
#include <cstddef>
#include <cstdint>
#include <tessera/kmc/neighbourhood.hpp>

/// Scratch memory of the teams that advance tiles, and what fits into it.
namespace tessera::kmc {

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
