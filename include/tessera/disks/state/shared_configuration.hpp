// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tessera/disks/configuration.hpp>
#include <tessera/disks/state/geometry.hpp>
#include <tessera/disks/state/subdomains.hpp>
#include <tessera/parallel/rank_zero.hpp>
#include <vector>

/// Disks of a distributed grid, gathered at rank 0 or scattered from there by collective functions.
namespace tessera::disks {

/// The cells of each rank in the whole grid.
inline std::vector<parallel::Pieces> pieces_of_cells(const Geometry& part, const parallel::Distribution& distribution) {
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  return distribution.pieces(size(part.replicas), {{size(part.own_columns()), size(part.own_rows())}});
}

/// Copies coordinates from `own` of each rank to `whole` of rank 0, or back. `counts`: of own cells; at rank 0 of all.
template <bool to_whole>
void transfer_positions(const std::vector<parallel::Pieces>& pieces, const parallel::Distribution& distribution,
                        std::span<const std::uint8_t> counts, std::span<float> whole, std::span<float> own) {
  const parallel::Communicator& ranks = distribution.ranks;
  const auto [nx, ny] = distribution.grid.shape();
  const auto rows = static_cast<std::int64_t>(pieces.front().tables[0].rows);
  std::size_t at = 0, next = 0, next_own = 0;
  for (std::int64_t row = 0; at < counts.size(); ++row)
    for (int x = 0; x < nx; ++x) {
      const int y = static_cast<int>(parallel::part_of(rows / 2, ny, row % rows / 2)), rank = y * nx + x;
      const bool is_own = rank == ranks.rank();
      if (!distribution.is_first() && !is_own) continue;
      const std::size_t cells = pieces[static_cast<std::size_t>(rank)].tables[0].own_columns;
      const std::size_t n = coordinates_of(counts.subspan(at, cells));
      at += cells;
      if (n == 0) continue;
      const auto mine = own.subspan(next_own, is_own ? n : 0), all = whole.subspan(next, whole.empty() ? 0 : n);
      next_own += mine.size();
      next += all.size();
      if (is_own && distribution.is_first())
        std::ranges::copy(to_whole ? mine : all, (to_whole ? all : mine).begin());
      else if (is_own == to_whole)
        ranks.send(is_own ? 0 : rank, std::as_bytes(is_own ? mine : all));
      else
        ranks.receive(is_own ? 0 : rank, std::as_writable_bytes(is_own ? mine : all));
    }
}

/// The configuration of the whole grid at rank 0. `own`: of the rank's subdomain, with the moves of the whole grid.
inline Configuration gather_configuration(Configuration own, const Geometry& whole,
                                          const parallel::Distribution& distribution) {
  const auto pieces = pieces_of_cells(part_of(whole, distribution), distribution);
  Configuration c;
  if (distribution.is_first()) c = {std::vector<std::uint8_t>(pieces.front().size()), {}, own.origins, own.moves};
  parallel::gather_elements(
      distribution.ranks, pieces, 0, pieces.front().size(), std::span(c.counts),
      [&](std::size_t first, std::span<std::uint8_t> part) { std::copy_n(&own.counts[first], part.size(), &part[0]); });
  c.positions.resize(coordinates_of(c.counts));
  transfer_positions<true>(pieces, distribution, distribution.is_first() ? c.counts : own.counts, c.positions,
                           own.positions);
  return c;
}

/// The part of rank 0's configuration in this rank's subdomain. All ranks pass its origins and moves; rank 0 keeps the
/// moves, the others begin at 0.
inline Configuration scatter_configuration(Configuration c, const Geometry& whole,
                                           const parallel::Distribution& distribution) {
  const auto pieces = pieces_of_cells(part_of(whole, distribution), distribution);
  Configuration own;
  own.origins = c.origins;
  own.moves = c.moves;
  if (!distribution.is_first()) std::ranges::fill(own.moves, 0);
  own.counts.resize(pieces[static_cast<std::size_t>(distribution.ranks.rank())].own_size());
  parallel::scatter_elements<std::uint8_t>(
      distribution.ranks, pieces, c.counts,
      [&](std::size_t first, std::span<const std::uint8_t> part) { std::ranges::copy(part, &own.counts[first]); });
  own.positions.resize(coordinates_of(own.counts));
  transfer_positions<false>(pieces, distribution, distribution.is_first() ? c.counts : own.counts, c.positions,
                            own.positions);
  return own;
}

/// Box coordinates of the disks of a configuration, replica by replica: origin + cell corner + position, in [0, box).
inline std::vector<std::vector<Point>> points_of(const Configuration& c, const Geometry& g) {
  std::vector<std::vector<Point>> points(static_cast<std::size_t>(g.replicas));
  const std::uint8_t* count = c.counts.data();
  const float* next = c.positions.data();
  for (std::size_t r = 0; r < points.size(); ++r) {
    points[r].reserve(c.positions.size() / 2 / points.size());
    for (int y = 0; y < g.rows; ++y)
      for (int x = 0; x < g.columns; ++x, ++count)
        for (int slot = 0; slot < *count; ++slot, next += 2) {
          const Origin at = steps_in_box(g, x, y, {next[0], next[1]}, {c.origins[2 * r], c.origins[2 * r + 1]});
          points[r].push_back(
              {static_cast<double>(at.x) / steps_per_diameter, static_cast<double>(at.y) / steps_per_diameter});
        }
  }
  return points;
}

}  // namespace tessera::disks
