// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/exchange.hpp>
#include <tessera/parallel/rank_grid.hpp>
#include <utility>

namespace tessera::kmc {

/// Some columns or rows of a table in memory, of several replicas one after the other.
struct TableStrip {
  std::size_t first_x, first_y, width, height;

  /// Where entry number i of the strip stands in the table, of `nx` columns and `entries` entries of a replica.
  KOKKOS_FORCEINLINE_FUNCTION std::size_t operator()(std::size_t i, std::size_t nx, std::size_t entries) const {
    const std::size_t replica = i / (width * height), rest = i - replica * width * height, y = rest / width;
    return replica * entries + (first_y + y) * nx + first_x + rest - y * width;
  }
};

/// What ranks give each other of the tables that each of them has of its block with the ghost ring around it: of the
/// cells, or of the tiles.
template <class ExecutionSpace>
class GhostRing {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;

  GhostRing(const ExecutionSpace& space, const parallel::Communicator& ranks, const parallel::RankGrid& grid)
      : space_(space), ranks_(ranks), grid_(grid), exchange_(space, ranks) {}

  const parallel::Communicator& ranks() const { return ranks_; }

  /// All ranks: every entry of the ghost ring, so many columns or rows wide, becomes that of the rank that owns it.
  /// table.get(i) and table.put(i, entry) are called on the device; entries are numbered row by row, replica by
  /// replica.
  template <class Table>
  void exchange(int nx, int ny, int ghost_x, int ghost_y, int replicas, const Table& table) {
    const auto size = [](int n) { return static_cast<std::size_t>(n); };
    const std::size_t all_x = size(nx), all_y = size(ny), x = size(ghost_x), y = size(ghost_y);
    // Rows are those of the block and of the ghost ring beside it, which is there by now: so corners get theirs.
    if (x > 0)
      along(grid_.neighbour(-1, 0), grid_.neighbour(1, 0), {x, 0, x, all_y}, {all_x - 2 * x, 0, x, all_y},
            {0, 0, x, all_y}, {all_x - x, 0, x, all_y}, all_x, all_x * all_y, size(replicas), table);
    if (y > 0)
      along(grid_.neighbour(0, -1), grid_.neighbour(0, 1), {0, y, all_x, y}, {0, all_y - 2 * y, all_x, y},
            {0, 0, all_x, y}, {0, all_y - y, all_x, y}, all_x, all_x * all_y, size(replicas), table);
  }

  /// Bytes allocated on the device.
  std::size_t bytes() const { return sent_.extent(0) + received_.extent(0); }

 private:
  template <class Table>
  using Entry = decltype(std::declval<const Table&>().get(std::size_t{0}));
  using Bytes = Kokkos::View<std::byte*, MemorySpace>;

 public:  // for nvcc
  /// Sends the first and last entries of the block in a direction, and receives those before and behind them.
  template <class Table>
  void along(int before, int behind, const TableStrip& first, const TableStrip& last, const TableStrip& to_before,
             const TableStrip& to_behind, std::size_t nx, std::size_t entries, std::size_t replicas,
             const Table& table) {
    const std::size_t count = first.width * first.height * replicas, bytes = count * sizeof(Entry<Table>);
    for (Bytes* buffer : {&sent_, &received_})
      if (buffer->extent(0) < 2 * bytes)
        *buffer = Bytes(Kokkos::view_alloc(Kokkos::WithoutInitializing, "tessera::kmc::ghosts"), 2 * bytes);
    const auto half = [&](const Bytes& of, std::size_t i) {
      return Kokkos::subview(of, Kokkos::pair(i * bytes, (i + 1) * bytes));
    };
    auto* const out = reinterpret_cast<Entry<Table>*>(sent_.data());
    Kokkos::parallel_for(
        "tessera::kmc::pack_strips", policy(2 * count), KOKKOS_LAMBDA(std::size_t i) {
          out[i] = table.get(i < count ? first(i, nx, entries) : last(i - count, nx, entries));
        });
    enum Tag { downwards, upwards };
    exchange_.send(before, downwards, half(sent_, 0));
    exchange_.receive(behind, downwards, half(received_, 0));
    exchange_.send(behind, upwards, half(sent_, 1));
    exchange_.receive(before, upwards, half(received_, 1));
    exchange_.start();
    exchange_.wait();
    const auto* const in = reinterpret_cast<const Entry<Table>*>(received_.data());
    Kokkos::parallel_for(
        "tessera::kmc::unpack_strips", policy(2 * count), KOKKOS_LAMBDA(std::size_t i) {
          table.put(i < count ? to_behind(i, nx, entries) : to_before(i - count, nx, entries), in[i]);
        });
  }

 private:
  auto policy(std::size_t count) const {
    return Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>(space_, 0, count);
  }

  ExecutionSpace space_;
  parallel::Communicator ranks_;
  parallel::RankGrid grid_;
  parallel::Exchange<ExecutionSpace> exchange_;
  Bytes sent_, received_;  ///< what goes down and then up; what comes from behind and then from before
};

}  // namespace tessera::kmc
