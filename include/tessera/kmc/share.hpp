// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tessera/core/host_array.hpp>
#include <tessera/kmc/parameters.hpp>
#include <tessera/kmc/state.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/rank_grid.hpp>
#include <tessera/parallel/rank_zero.hpp>
#include <utility>
#include <vector>

/// How ranks share out a lattice.
namespace tessera::kmc {

/// Tiles of the ghost ring: as many as the widest window of a tile reaches into.
inline int ghost_tiles(const TileSizes& sizes, StepControl control) {
  if (sizes.whole()) return 1;
  const int widest =
      control == StepControl::repair ? std::max(sizes.repair_halo, sizes.last_repair_halo) : sizes.wide_halo;
  return (std::max(widest, sizes.halo) + sizes.tile - 1) / sizes.tile;
}

/// What is cut: the tiles; a block is no smaller than the ghost ring, which has cells of one neighbour alone then.
inline parallel::UnitLattice units_of(const Parameters& p, const TileSizes& sizes) {
  return {p.nx / sizes.tile, p.ny / sizes.tile, ghost_tiles(sizes, p.step_control),
          "tiles",           "lattice",         ", a larger --size or a smaller --tile"};
}

/// Ranks that share out a lattice; one process alone, unless told otherwise.
struct Share {
  parallel::Communicator ranks;
  parallel::RankGrid grid;
  std::vector<Geometry> blocks;  ///< of all ranks

  /// On the grid given, or on that with the shortest borders. Throws InputError if the lattice cannot be cut so.
  Share(const Parameters& p, const TileSizes& sizes, const parallel::Communicator& of,
        const std::optional<parallel::GridShape>& shape = {})
      : ranks(of), grid(of, units_of(p, sizes), shape) {
    for (int rank = 0; rank < of.size(); ++rank) blocks.push_back(block(p, sizes, units_of(p, sizes), rank));
  }

  bool alone() const { return ranks.size() == 1; }
  const Geometry& own() const { return blocks[static_cast<std::size_t>(ranks.rank())]; }

 private:
  Geometry block(const Parameters& p, const TileSizes& sizes, const parallel::UnitLattice& units, int rank) const {
    const auto columns = grid.columns(units, rank), rows = grid.rows(units, rank);
    const int ghosts = static_cast<int>(units.least), ghost_x = grid.cut_x() ? ghosts : 0,
              ghost_y = grid.cut_y() ? ghosts : 0;
    const int tiles_x = static_cast<int>(columns.size()) + 2 * ghost_x,
              tiles_y = static_cast<int>(rows.size()) + 2 * ghost_y;
    return {tiles_x * sizes.tile,
            tiles_y * sizes.tile,
            sizes.tile,
            tiles_x,
            tiles_y,
            p.replicas,
            ghost_x,
            ghost_y,
            (static_cast<int>(columns.first) - ghost_x) * sizes.tile,
            (static_cast<int>(rows.first) - ghost_y) * sizes.tile,
            p.nx,
            p.ny};
  }
};

/// The rows of a block without its ghost ring, in the whole lattice and in memory.
struct OwnCells {
  Geometry block;

  int width() const { return block.nx - 2 * block.ghost_x * block.tile; }
  int first_x() const { return block.first_x + block.ghost_x * block.tile; }
  /// Whether row y of the whole is one of them.
  bool has(int y) const {
    const int row = y - block.first_y - block.ghost_y * block.tile;
    return row >= 0 && row < block.ny - 2 * block.ghost_y * block.tile;
  }
  /// Where it begins in memory.
  std::size_t begin(int replica, int y) const {
    return static_cast<std::size_t>(replica * block.sites() + std::int64_t{y - block.first_y} * block.nx +
                                    block.ghost_x * block.tile);
  }
};

/// Calls what(first, end) for rows of all replicas, counted one after the other, as many at a time as travel at once.
template <class T, class What>
void in_slabs(const Geometry& g, std::size_t first_row, std::size_t end_row, const What& what) {
  const std::size_t most =
      std::max(std::size_t{1}, parallel::bytes_at_once / (sizeof(T) * static_cast<std::size_t>(g.whole_nx)));
  for (std::size_t row = first_row; row < end_row; row += most) what(row, std::min(end_row, row + most));
}

/// All ranks: `count` cells from number `first` of the whole lattices on, which rank 0 gets.
template <class T, class ExecutionSpace, class View>
void gather_cells(const ExecutionSpace& space, const Share& share, const View& view, std::size_t first,
                  std::size_t count, std::span<T> to) {
  const Geometry& own = share.own();
  const auto nx = static_cast<std::size_t>(own.whole_nx), ny = static_cast<std::size_t>(own.whole_ny),
             end = first + count;
  in_slabs<T>(own, first / nx, (end + nx - 1) / nx, [&](std::size_t begin_row, std::size_t end_row) {
    std::vector<T> cells;
    const OwnCells mine{own};
    const auto width = static_cast<std::size_t>(mine.width());
    for (std::size_t row = begin_row; row < end_row; ++row) {
      if (!mine.has(static_cast<int>(row % ny))) continue;
      cells.resize(cells.size() + width);
      const std::size_t from = mine.begin(static_cast<int>(row / ny), static_cast<int>(row % ny));
      copy_and_wait(space, host_array(std::span(cells).last(width)),
                    Kokkos::subview(view, Kokkos::pair(from, from + width)));
    }
    const auto all = share.ranks.gather(std::as_bytes(std::span(cells)));
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
      const OwnCells its{share.blocks[rank]};
      const auto* next = reinterpret_cast<const T*>(all[rank].data());
      for (std::size_t row = begin_row; row < end_row; ++row) {
        if (!its.has(static_cast<int>(row % ny))) continue;
        const std::size_t at = row * nx + static_cast<std::size_t>(its.first_x());
        for (std::size_t i = 0; i < static_cast<std::size_t>(its.width()); ++i, ++next)
          if (at + i >= first && at + i < end) to[at + i - first] = *next;
      }
    }
  });
}

/// All ranks: what rank 0 has in `whole`, nothing elsewhere, to the blocks, without their ghost rings.
template <class T, class ExecutionSpace, class View>
void scatter_cells(const ExecutionSpace& space, const Share& share, const View& view, std::span<const T> whole) {
  const Geometry& own = share.own();
  const OwnCells mine{own};
  const auto nx = static_cast<std::size_t>(own.whole_nx), ny = static_cast<std::size_t>(own.whole_ny),
             width = static_cast<std::size_t>(mine.width());
  in_slabs<T>(own, 0, ny * static_cast<std::size_t>(own.replicas), [&](std::size_t begin_row, std::size_t end_row) {
    std::vector<T> cells((end_row - begin_row) * nx);
    if (share.ranks.rank() == 0)
      std::copy_n(whole.begin() + static_cast<std::ptrdiff_t>(begin_row * nx), cells.size(), cells.begin());
    share.ranks.broadcast(std::as_writable_bytes(std::span(cells)));
    for (std::size_t row = begin_row; row < end_row; ++row) {
      if (!mine.has(static_cast<int>(row % ny))) continue;
      const std::size_t to = mine.begin(static_cast<int>(row / ny), static_cast<int>(row % ny)),
                        from = (row - begin_row) * nx + static_cast<std::size_t>(mine.first_x());
      copy_and_wait(space, Kokkos::subview(view, Kokkos::pair(to, to + width)),
                    host_array(std::span(cells).subspan(from, width)));
    }
  });
}

}  // namespace tessera::kmc
