// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <tessera/disks/configuration.hpp>
#include <tessera/disks/kernels/cell_layout.hpp>
#include <tessera/disks/ranks.hpp>
#include <tessera/disks/state.hpp>
#include <tessera/parallel/exchange.hpp>
#include <utility>

namespace tessera::disks {

/// A rectangle of cells that is sent to a neighbour, and one of the same size that comes from there.
struct Strip {
  int rank, send_tag, receive_tag;
  int from_x, from_y, to_x, to_y, width, height;
  std::int64_t begin;  ///< of its cells among those of all strips

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t stored(const Geometry& g, std::int64_t i, bool from) const {
    const std::int64_t row = (i - begin) / width;
    const auto column = static_cast<int>(i - begin - row * width), replica = static_cast<int>(row / height),
               y = static_cast<int>(row - std::int64_t{replica} * height);
    return g.index(replica, (from ? from_x : to_x) + column, (from ? from_y : to_y) + y);
  }
};

/// The up to eight strips along the borders of a rank's part, those of all replicas.
struct Strips {
  static constexpr int most = 8;
  Strip of[most] = {};
  int number = 0;
  std::int64_t cells = 0;

  Strips() = default;
  Strips(const Geometry& g, const parallel::RankGrid& grid) {
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        if ((dx == 0 && dy == 0) || (dx != 0 && !grid.cut_x()) || (dy != 0 && !grid.cut_y())) continue;
        const Range x(dx, g.ghost_x, g.own_columns()), y(dy, g.ghost_y, g.own_rows());
        of[number++] = {
            grid.neighbour(dx, dy), tag(dx, dy), tag(-dx, -dy), x.from, y.from, x.to, y.to, x.size, y.size, cells};
        cells += std::int64_t{x.size} * y.size * g.replicas;
      }
  }
  std::int64_t end(int i) const { return i + 1 < number ? of[i + 1].begin : cells; }

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t stored(const Geometry& g, std::int64_t cell, bool from) const {
    int i = 0;
    while (i + 1 < number && cell >= of[i + 1].begin) ++i;
    return of[i].stored(g, cell, from);
  }

 private:
  /// Along an axis: of own cells after `ghosts` of others.
  struct Range {
    int from, to, size;
    Range(int side, int ghosts, int own)
        : from(side > 0 ? own : ghosts),
          to(side < 0   ? 0
             : side > 0 ? own + ghosts
                        : ghosts),
          size(side == 0 ? own : ghosts) {}
  };
  /// By the direction in which a message goes.
  static int tag(int dx, int dy) { return 3 * (dy + 1) + dx + 1; }
};

/// Gives the cells along the borders of a rank's part to its neighbours, and puts theirs around it.
template <class ExecutionSpace>
class Ghosts {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;

  Ghosts(const ExecutionSpace& space, const Geometry& part, const Ranks& ranks)
      : space_(space),
        strips_(ranks.alone() ? Strips() : Strips(part, ranks.grid)),
        sent_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "tessera::disks::sent"),
              static_cast<std::size_t>(strips_.cells)),
        received_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "tessera::disks::received"),
                  static_cast<std::size_t>(strips_.cells)),
        exchange_(space, ranks.communicator) {}

  std::size_t bytes() const { return 2 * sizeof(Position[most_in_a_cell]) * static_cast<std::size_t>(strips_.cells); }

  /// All ranks.
  void exchange(const Cells<MemorySpace>& cells) {
    if (strips_.number == 0) return;
    pack(cells);
    for (int i = 0; i < strips_.number; ++i) {
      const Strip& strip = strips_.of[i];
      const std::pair part(strip.begin, strips_.end(i));
      exchange_.send(strip.rank, strip.send_tag, Kokkos::subview(sent_, part, Kokkos::ALL));
      exchange_.receive(strip.rank, strip.receive_tag, Kokkos::subview(received_, part, Kokkos::ALL));
    }
    exchange_.start();
    exchange_.wait();
    unpack(cells);
  }

  // Public for CUDA, which makes no kernel of a private function.

  void pack(const Cells<MemorySpace>& cells) const {
    const Strips strips = strips_;
    const auto sent = sent_;
    Kokkos::parallel_for(
        "tessera::disks::pack_borders", Numbers<ExecutionSpace>(space_, 0, strips.cells),
        KOKKOS_LAMBDA(std::int64_t i) {
          const std::int64_t cell = strips.stored(cells.geometry, i, true);
          const int n = cells.counts(cell);
          for (int slot = 0; slot < most_in_a_cell; ++slot)
            sent(i, slot) = slot < n ? cells.position(slot, cell) : absent;
        });
  }
  void unpack(const Cells<MemorySpace>& cells) const {
    const Strips strips = strips_;
    const auto received = received_;
    Kokkos::parallel_for(
        "tessera::disks::unpack_ghosts", Numbers<ExecutionSpace>(space_, 0, strips.cells),
        KOKKOS_LAMBDA(std::int64_t i) {
          int n = 0;
          while (n < most_in_a_cell && is_there(received(i, n))) ++n;
          put_disks(cells, strips.stored(cells.geometry, i, false), n, [&](int slot) { return received(i, slot); });
        });
  }

 private:
  using Packed = Kokkos::View<Position* [most_in_a_cell], Kokkos::LayoutRight, MemorySpace>;

  ExecutionSpace space_;
  Strips strips_;
  Packed sent_, received_;
  parallel::Exchange<ExecutionSpace> exchange_;
};

}  // namespace tessera::disks
