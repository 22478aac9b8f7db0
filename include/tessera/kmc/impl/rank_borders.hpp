// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <tessera/core/kokkos_ext/side_stream.hpp>
#include <tessera/kmc/impl/agreement.hpp>
#include <tessera/kmc/impl/state.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/ghosts.hpp>
#include <tessera/parallel/rank_grid.hpp>

namespace tessera::kmc {

/// Communication of the ranks of a lattice in a step: cells at the borders, checksums of the tiles there, and the
/// number of listed tiles of the whole lattice. All functions are collective. Both ranks at a border compare the same
/// checksums, and each lists its own tile.
template <class ExecutionSpace, Model M>
class RankBorders {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;
  using Runs = TileRuns<ExecutionSpace, M>;

  RankBorders(const ExecutionSpace& space, const parallel::Communicator& ranks, const parallel::RankGrid& grid,
              int replicas)
      : ranks_(ranks), side_stream_(space), ghosts_(side_stream_.space(), ranks, grid), agreement_(replicas) {}

  /// Copies the current cells of the neighbours to the ghost ring.
  void fill_ghosts(const State<MemorySpace, M>& state) {
    exchange(state.geometry.table_of_sites(), PresentCells<MemorySpace, M>{state});
  }

  /// Copies the checksums of the neighbours' tiles to the ghost ring.
  void exchange_checksums(const Geometry& geometry, const Runs& runs) { exchange(geometry.table_of_tiles(), runs); }

  /// Sends the cells at the borders; calls inner(), whose kernels need no ghost cells; calls border(space), whose
  /// kernels run in a side stream after the ghost cells have arrived; exchanges the checksums.
  template <class Inner, class Border>
  void advance(const State<MemorySpace, M>& state, const Runs& runs, const Inner& inner, const Border& border) {
    const parallel::TableShape sites = state.geometry.table_of_sites();
    const PresentCells<MemorySpace, M> present{state};
    side_stream_.fork();
    ghosts_.send(sites, present);
    inner();
    ghosts_.receive(sites, present);
    border(side_stream_.space());
    ghosts_.exchange(state.geometry.table_of_tiles(), runs);
    side_stream_.join();
  }

  /// Number of tiles of the whole lattice that are listed for a round. Sums the reports of the ranks.
  std::int64_t listed(const ExecutionSpace& space, const Runs& runs, int round) {
    return agreement_.sum_reports(space, ranks_, runs, round);
  }

  /// Gives all ranks the sums of the last call of listed(), so that they make the same decision.
  void share_reports(const ExecutionSpace& space, const Runs& runs) { agreement_.share_reports(space, runs); }

  /// Bytes allocated on the device.
  std::size_t bytes() const { return ghosts_.bytes(); }

 private:
  template <class Table>
  void exchange(const parallel::TableShape& shape, const Table& table) {
    side_stream_.fork();
    ghosts_.exchange(shape, table);
    side_stream_.join();
  }

  parallel::Communicator ranks_;
  SideStream<ExecutionSpace> side_stream_;
  parallel::Ghosts<ExecutionSpace> ghosts_;
  Agreement<ExecutionSpace, M> agreement_;
};

}  // namespace tessera::kmc
