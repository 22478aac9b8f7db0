// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <tessera/core/host_array.hpp>
#include <tessera/core/kokkos_ext/functor_as_argument.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/exchange.hpp>
#include <tessera/parallel/rank_grid.hpp>
#include <utility>

namespace tessera::parallel {

/// A rank's part of a distributed table in memory: for each replica a block, with ghosts in each divided direction.
struct TableShape {
  int nx, ny;            ///< entries in memory
  int ghost_x, ghost_y;  ///< ghost columns and rows at either end; 0: this direction is not divided
  int replicas;

  std::int64_t ghosts() const {
    return replicas * (std::int64_t{nx} * ny - std::int64_t{nx - 2 * ghost_x} * (ny - 2 * ghost_y));
  }
};

/// Entries to send to the neighbour in direction (dx, dy), and the equal number of ghosts to receive from it.
struct Border {
  int from_x, from_y, to_x, to_y, width, height;

  KOKKOS_FORCEINLINE_FUNCTION Border(const TableShape& table, int dx, int dy) {
    along(dx, table.nx, table.ghost_x, from_x, to_x, width);
    along(dy, table.ny, table.ghost_y, from_y, to_y, height);
    if (dx == 0 && dy == 0) width = height = 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t size() const { return std::int64_t{width} * height; }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static void along(int side, int all, int ghosts, int& from, int& to, int& size) {
    const int own = all - 2 * ghosts;
    from = side > 0 ? own : ghosts;
    to = side < 0 ? 0 : (side > 0 ? own + ghosts : ghosts);
    size = side == 0 ? own : ghosts;
  }
};

/// Calls what(replica, x, y) for entry i of all borders, with its position among the own entries or the ghosts.
template <class What>
KOKKOS_FORCEINLINE_FUNCTION void at_border(const TableShape& table, std::int64_t i, bool own, const What& what) {
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      const Border border(table, dx, dy);
      const std::int64_t number = border.size() * table.replicas;
      if (i >= number) {
        i -= number;
        continue;
      }
      const std::int64_t row = i / border.width;
      const auto column = static_cast<int>(i - row * border.width), replica = static_cast<int>(row / border.height),
                 y = static_cast<int>(row - std::int64_t{replica} * border.height);
      return what(replica, (own ? border.from_x : border.to_x) + column, (own ? border.from_y : border.to_y) + y);
    }
}

/// Exchange of ghosts of distributed tables between neighbouring ranks.
template <class ExecutionSpace>
class Ghosts {
 public:
  Ghosts(const ExecutionSpace& space, const Communicator& ranks, const RankGrid& grid)
      : space_(space), grid_(grid), exchange_(space, ranks) {}

  /// All ranks: copies every ghost from the rank that owns the entry. table.get(replica, x, y) and table.put(replica,
  /// x, y, entry) are called on the device, with coordinates in memory.
  template <class Table>
  void exchange(const TableShape& shape, const Table& table) {
    send(shape, table);
    receive(shape, table);
  }

  /// First part of the exchange: packs the entries that neighbours need.
  template <class Table>
  void send(const TableShape& shape, const Table& table) {
    using Entry = decltype(table.get(0, 0, 0));
    if (shape.ghosts() == 0) return;
    const auto bytes = static_cast<std::size_t>(shape.ghosts()) * sizeof(Entry);
    for (Bytes* buffer : {&sent_, &received_})
      if (buffer->extent(0) < bytes)
        *buffer = Bytes("tessera::parallel::ghosts", bytes);  // zeros, as padding of entries is not written
    auto* const out = reinterpret_cast<Entry*>(sent_.data());
    Kokkos::parallel_for(
        "tessera::parallel::pack_borders", policy(shape), KOKKOS_LAMBDA(std::int64_t i) {
          at_border(shape, i, true, [&](int replica, int x, int y) { out[i] = table.get(replica, x, y); });
        });
  }
  /// Second part of the exchange: sends the entries and writes the ghosts. Other work may lie between the two parts.
  template <class Table>
  void receive(const TableShape& shape, const Table& table) {
    using Entry = decltype(table.get(0, 0, 0));
    if (shape.ghosts() == 0) return;
    announce(shape, sizeof(Entry));
    exchange_.start();
    exchange_.wait();
    const auto* const in = reinterpret_cast<const Entry*>(received_.data());
    Kokkos::parallel_for(
        "tessera::parallel::unpack_ghosts", policy(shape), KOKKOS_LAMBDA(std::int64_t i) {
          at_border(shape, i, false, [&](int replica, int x, int y) { table.put(replica, x, y, in[i]); });
        });
  }

 private:
  using Bytes = Kokkos::View<std::byte*, typename ExecutionSpace::memory_space>;

  auto policy(const TableShape& shape) const {
    return functor_as_argument(Indices<ExecutionSpace>(space_, 0, shape.ghosts()));
  }

  void announce(const TableShape& shape, std::size_t entry) {
    const auto tag = [](int dx, int dy) { return 3 * (dy + 1) + dx + 1; };  // one tag per direction
    std::size_t begin = 0;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        const auto bytes = static_cast<std::size_t>(Border(shape, dx, dy).size() * shape.replicas) * entry;
        if (bytes == 0) continue;
        const auto part = std::pair(begin, begin + bytes);
        exchange_.send(grid_.neighbour(dx, dy), tag(dx, dy), Kokkos::subview(sent_, part));
        exchange_.receive(grid_.neighbour(dx, dy), tag(-dx, -dy), Kokkos::subview(received_, part));
        begin += bytes;
      }
  }

  ExecutionSpace space_;
  RankGrid grid_;
  Exchange<ExecutionSpace> exchange_;
  Bytes sent_, received_;
};

}  // namespace tessera::parallel
