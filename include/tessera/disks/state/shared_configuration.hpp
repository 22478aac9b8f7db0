// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <tessera/disks/configuration.hpp>
#include <tessera/disks/parameters.hpp>
#include <tessera/disks/state/geometry.hpp>
#include <tessera/disks/state/points.hpp>
#include <tessera/disks/state/subdomains.hpp>
#include <tessera/parallel/rank_zero.hpp>
#include <vector>

/// Gathers the disks of a distributed grid at rank 0, and scatters them.
namespace tessera::disks {

/// Number of coordinates of the disks in cells with these counts.
inline std::size_t coordinates_of(std::span<const std::uint8_t> counts) {
  return 2 * std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

/// The cells of each rank within the whole grid.
inline std::vector<parallel::Pieces> pieces_of_cells(const Geometry& part, const parallel::Distribution& distribution) {
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  return distribution.pieces(size(part.replicas), {{size(part.own_columns()), size(part.own_rows())}});
}

/// Calls what(rank, coordinates) for each rank's cells of a row of the grid, in order: the number of coordinates of
/// their disks. `counts`: those of the whole grid at rank 0; those of the rank's own cells at others, which skip the
/// cells of other ranks.
template <class What>
void for_each_row(const std::vector<parallel::Pieces>& pieces, const parallel::Distribution& distribution,
                  std::span<const std::uint8_t> counts, const What& what) {
  const auto [nx, ny] = distribution.grid.shape();
  const auto rows = static_cast<std::int64_t>(pieces.front().tables[0].rows);
  std::size_t at = 0;
  for (std::int64_t row = 0; at < counts.size(); ++row)
    for (int x = 0; x < nx; ++x) {
      const int y = static_cast<int>(parallel::part_of(rows / 2, ny, row % rows / 2)), rank = y * nx + x;
      if (!distribution.is_first() && rank != distribution.ranks.rank()) continue;
      const std::size_t cells = pieces[static_cast<std::size_t>(rank)].tables[0].own_columns;
      if (const std::size_t n = coordinates_of(counts.subspan(at, cells)); n > 0) what(rank, n);
      at += cells;
    }
}

/// All ranks: returns the configuration of the whole grid at rank 0, an empty one elsewhere. `own` is that of this
/// rank's subdomain, with the moves of the whole grid.
inline Configuration gather_configuration(const Configuration& own, const Geometry& whole,
                                          const parallel::Distribution& distribution) {
  const parallel::Communicator& ranks = distribution.ranks;
  const auto pieces = pieces_of_cells(part_of(whole, distribution), distribution);
  Configuration c;
  if (distribution.is_first()) c = {std::vector<std::uint8_t>(pieces.front().size()), {}, own.origins, own.moves};
  parallel::gather_elements(
      ranks, pieces, 0, pieces.front().size(), std::span(c.counts),
      [&](std::size_t first, std::span<std::uint8_t> part) { std::copy_n(&own.counts[first], part.size(), &part[0]); });
  c.positions.resize(coordinates_of(c.counts));
  std::size_t next = 0, next_own = 0;
  const auto add_row = [&](int rank, std::size_t n) {
    const std::span to(c.positions.data() + next, distribution.is_first() ? n : 0);
    next += to.size();
    if (rank != ranks.rank()) return ranks.receive(rank, std::as_writable_bytes(to));
    const std::span from(own.positions.data() + next_own, n);
    next_own += n;
    if (distribution.is_first())
      std::ranges::copy(from, to.begin());
    else
      ranks.send(0, std::as_bytes(from));
  };
  for_each_row(pieces, distribution, distribution.is_first() ? c.counts : own.counts, add_row);
  return c;
}

/// All ranks: returns this rank's subdomain of rank 0's configuration. All ranks have its origins and moves; rank 0
/// gets the moves of earlier sweeps.
inline Configuration scatter_configuration(const Configuration& c, const Geometry& whole,
                                           const parallel::Distribution& distribution) {
  const parallel::Communicator& ranks = distribution.ranks;
  const auto pieces = pieces_of_cells(part_of(whole, distribution), distribution);
  Configuration own;
  own.origins = c.origins;
  own.moves = c.moves;
  if (!distribution.is_first()) std::ranges::fill(own.moves, 0);
  own.counts.resize(pieces[static_cast<std::size_t>(ranks.rank())].own_size());
  parallel::scatter_elements<std::uint8_t>(
      ranks, pieces, c.counts,
      [&](std::size_t first, std::span<const std::uint8_t> part) { std::ranges::copy(part, &own.counts[first]); });
  own.positions.resize(coordinates_of(own.counts));
  std::size_t next = 0, next_own = 0;
  const auto take_row = [&](int rank, std::size_t n) {
    const std::span from(c.positions.data() + next, distribution.is_first() ? n : 0);
    next += from.size();
    if (rank != ranks.rank()) return ranks.send(rank, std::as_bytes(from));
    const std::span to(own.positions.data() + next_own, n);
    next_own += n;
    if (distribution.is_first())
      std::ranges::copy(from, to.begin());
    else
      ranks.receive(0, std::as_writable_bytes(to));
  };
  for_each_row(pieces, distribution, distribution.is_first() ? c.counts : own.counts, take_row);
  return own;
}

/// Box coordinates of the disks of a configuration, replica by replica, as in the other points_of().
inline std::vector<std::vector<Point>> points_of(const Configuration& c, const Geometry& g) {
  std::vector<std::vector<Point>> points(static_cast<std::size_t>(g.replicas));
  for (auto& of_replica : points) of_replica.reserve(c.positions.size() / 2 / points.size());
  std::size_t disk = 0;
  for (std::size_t number = 0; number < c.counts.size(); ++number) {
    const NumberedCell cell(g, static_cast<std::int64_t>(number));
    const auto r = static_cast<std::size_t>(cell.replica);
    for (int slot = 0; slot < c.counts[number]; ++slot, ++disk)
      points[r].push_back({in_box(cell.x, g.width, c.positions[2 * disk], c.origins[2 * r], g.steps_x()),
                           in_box(cell.y, g.height, c.positions[2 * disk + 1], c.origins[2 * r + 1], g.steps_y())});
  }
  return points;
}

/// All ranks: broadcasts the points of rank 0, [replica][disk].
inline void share_points(std::vector<std::vector<Point>>& points, const Parameters& p,
                         const parallel::Communicator& ranks) {
  points.resize(static_cast<std::size_t>(p.replicas));
  for (auto& of_replica : points) {
    of_replica.resize(static_cast<std::size_t>(p.particles));
    parallel::share(ranks, std::span(of_replica));
  }
}

}  // namespace tessera::disks
