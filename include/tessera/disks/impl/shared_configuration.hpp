// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <tessera/disks/configuration.hpp>
#include <tessera/disks/impl/geometry.hpp>
#include <tessera/disks/impl/points.hpp>
#include <tessera/disks/impl/subdomains.hpp>
#include <tessera/disks/parameters.hpp>
#include <tessera/parallel/rank_zero.hpp>
#include <vector>

/// Gathers the disks of a distributed grid at rank 0, and scatters them.
namespace tessera::disks {

/// Consecutive cells of a row, with their position in the whole grid and in a rank's subdomain.
struct RowOfPart {
  std::size_t in_whole, in_part, cells;
};

/// Calls what(RowOfPart) for all rows of a subdomain and all replicas, in order.
template <class What>
void for_each_row(const Geometry& whole, const Geometry& part, const What& what) {
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  const std::size_t x = size(part.first_x + part.ghost_x), y = size(part.first_y + part.ghost_y);
  const std::size_t columns = size(part.own_columns()), rows = size(part.own_rows());
  for (std::size_t r = 0; r < size(whole.replicas); ++r)
    for (std::size_t row = 0; row < rows; ++row)
      what(RowOfPart{(r * size(whole.rows) + y + row) * size(whole.columns) + x, (r * rows + row) * columns, columns});
}

/// Number of disks in cells with these counts.
inline std::size_t disks_of(std::span<const std::uint8_t> counts) {
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

/// Positions of the disks of a subdomain's rows in the arrays of the whole grid, computed from the counts of the whole
/// grid.
class RowsInWhole {
 public:
  RowsInWhole(const Geometry& whole, const Subdomains& subdomains, std::span<const std::uint8_t> counts)
      : counts_(counts), blocks_(subdomains.grid.shape().nx), columns_(static_cast<std::size_t>(whole.columns)) {
    std::size_t disks = 0;
    for (std::size_t row = 0; row < counts.size(); row += columns_)
      for (int block = 0; block < blocks_; ++block) {
        const Geometry part = subdomains.part(whole, block);
        before_.push_back(disks);
        disks += disks_of(counts.subspan(row + static_cast<std::size_t>(part.first_x + part.ghost_x),
                                         static_cast<std::size_t>(part.own_columns())));
      }
  }

  /// Calls what(in_whole, in_part, disks) for the disks of each row of a rank's subdomain.
  template <class What>
  void for_each(const Geometry& whole, const Geometry& part, int rank, const What& what) const {
    std::size_t in_part = 0;
    for_each_row(whole, part, [&](const RowOfPart& row) {
      const std::size_t disks = disks_of(counts_.subspan(row.in_whole, row.cells));
      what(before_[row.in_whole / columns_ * static_cast<std::size_t>(blocks_) +
                   static_cast<std::size_t>(rank % blocks_)],
           in_part, disks);
      in_part += disks;
    });
  }

 private:
  std::span<const std::uint8_t> counts_;
  int blocks_;
  std::size_t columns_;
  std::vector<std::size_t> before_;  ///< [all rows][block of columns]
};

namespace detail {
/// Sends to another rank and receives an array of the same length; does nothing if that rank is rank 0 itself.
template <class T>
void send(const parallel::Communicator& ranks, int rank, std::span<const T> values) {
  if (rank == ranks.rank()) return;
  parallel::in_parts(values, [&](std::span<const T> part) { ranks.send(rank, std::as_bytes(part)); });
}
template <class T>
void receive(const parallel::Communicator& ranks, int rank, std::span<T> values) {
  if (rank == ranks.rank()) return;
  parallel::in_parts(values, [&](std::span<T> part) { ranks.receive(rank, std::as_writable_bytes(part)); });
}
}  // namespace detail

/// All ranks: returns the configuration of the whole grid at rank 0, an empty one elsewhere. `own` is that of this
/// rank's subdomain, with the moves of the whole grid.
inline Configuration gather_configuration(const Configuration& own, const Geometry& whole,
                                          const Subdomains& subdomains) {
  const parallel::Communicator& communicator = subdomains.communicator;
  Configuration c;
  if (!subdomains.first()) {
    detail::send<std::uint8_t>(communicator, 0, own.counts);
    detail::send<float>(communicator, 0, own.positions);
    return c;
  }
  c.origins = own.origins;
  c.moves = own.moves;
  c.counts.resize(static_cast<std::size_t>(whole.all_grid_cells()));
  std::vector<std::size_t> disks;
  for (int rank = 0; rank < communicator.size(); ++rank) {
    const Geometry part = subdomains.part(whole, rank);
    std::vector<std::uint8_t> received(rank == 0 ? 0 : static_cast<std::size_t>(part.all_own_cells()));
    detail::receive<std::uint8_t>(communicator, rank, received);
    const auto& counts = rank == 0 ? own.counts : received;
    disks.push_back(disks_of(counts));
    for_each_row(whole, part,
                 [&](const RowOfPart& row) { std::copy_n(&counts[row.in_part], row.cells, &c.counts[row.in_whole]); });
  }
  c.positions.resize(2 * std::accumulate(disks.begin(), disks.end(), std::size_t{0}));
  const RowsInWhole rows(whole, subdomains, c.counts);
  for (int rank = 0; rank < communicator.size(); ++rank) {
    std::vector<float> received(rank == 0 ? 0 : 2 * disks[static_cast<std::size_t>(rank)]);
    detail::receive<float>(communicator, rank, received);
    const float* const positions = rank == 0 ? own.positions.data() : received.data();
    rows.for_each(whole, subdomains.part(whole, rank), rank,
                  [&](std::size_t in_whole, std::size_t in_part, std::size_t n) {
                    std::copy_n(positions + 2 * in_part, 2 * n, c.positions.data() + 2 * in_whole);
                  });
  }
  return c;
}

/// All ranks: returns this rank's subdomain of rank 0's configuration. All ranks have its origins and moves; rank 0
/// gets the moves of earlier sweeps.
inline Configuration scatter_configuration(const Configuration& c, const Geometry& whole,
                                           const Subdomains& subdomains) {
  const parallel::Communicator& communicator = subdomains.communicator;
  const Geometry own_part = subdomains.part(whole);
  Configuration own;
  own.origins = c.origins;
  own.moves = c.moves;
  own.counts.resize(static_cast<std::size_t>(own_part.all_own_cells()));
  if (!subdomains.first()) {
    std::fill(own.moves.begin(), own.moves.end(), 0);
    detail::receive<std::uint8_t>(communicator, 0, own.counts);
    own.positions.resize(2 * disks_of(own.counts));
    detail::receive<float>(communicator, 0, own.positions);
    return own;
  }
  const RowsInWhole rows(whole, subdomains, c.counts);
  for (int rank = communicator.size() - 1; rank >= 0; --rank) {
    const Geometry part = subdomains.part(whole, rank);
    own.counts.resize(static_cast<std::size_t>(part.all_own_cells()));
    for_each_row(whole, part, [&](const RowOfPart& row) {
      std::copy_n(&c.counts[row.in_whole], row.cells, &own.counts[row.in_part]);
    });
    own.positions.resize(2 * disks_of(own.counts));
    rows.for_each(whole, part, rank, [&](std::size_t in_whole, std::size_t in_part, std::size_t n) {
      std::copy_n(c.positions.data() + 2 * in_whole, 2 * n, own.positions.data() + 2 * in_part);
    });
    detail::send<std::uint8_t>(communicator, rank, own.counts);
    detail::send<float>(communicator, rank, own.positions);
  }
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
