// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <tessera/core/kokkos_ext/beside.hpp>
#include <tessera/kmc/impl/agreement.hpp>
#include <tessera/kmc/impl/state.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/ghosts.hpp>
#include <tessera/parallel/rank_grid.hpp>

namespace tessera::kmc {

/// What the ranks of a lattice exchange in a step: the present of the cells at the borders, the checksums of the tiles
/// there, and how many tiles of the whole lattice are listed. All ranks call the same functions. Of two tiles on both
/// sides of a border each rank compares the same checksums, and lists its own tile.
template <class ExecutionSpace, Model M>
class RankBorders {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;
  using Runs = TileRuns<ExecutionSpace, M>;

  RankBorders(const ExecutionSpace& space, const parallel::Communicator& ranks, const parallel::RankGrid& grid,
              int replicas)
      : ranks_(ranks), beside_(space), ghosts_(beside_.space(), ranks, grid), agreement_(replicas) {}

  /// Gives the ghost ring the present of its cells.
  void fill_ghosts(const State<MemorySpace, M>& state) {
    exchange(state.geometry.table_of_sites(), PresentCells<MemorySpace, M>{state});
  }

  /// Gives the ghost ring the checksums of its tiles.
  void exchange_checksums(const Geometry& geometry, const Runs& runs) { exchange(geometry.table_of_tiles(), runs); }

  /// Sends the cells at the borders; calls inner(), whose work needs no ghosts, and then border(space), whose work
  /// begins in an execution space beside once the ghosts are there; sends the checksums.
  template <class Inner, class Border>
  void advance(const State<MemorySpace, M>& state, const Runs& runs, const Inner& inner, const Border& border) {
    const parallel::TableShape sites = state.geometry.table_of_sites();
    const PresentCells<MemorySpace, M> present{state};
    beside_.follow();
    ghosts_.send(sites, present);
    inner();
    ghosts_.receive(sites, present);
    border(beside_.space());
    ghosts_.exchange(state.geometry.table_of_tiles(), runs);
    beside_.join();
  }

  /// The number of tiles of the whole lattice that are listed for a round. Adds up the reports of the ranks.
  std::int64_t listed(const ExecutionSpace& space, const Runs& runs, int round) {
    return agreement_.look(space, ranks_, runs, round);
  }

  /// Gives every rank the sums of the last call of listed(), so that all ranks decide alike.
  void share_reports(const ExecutionSpace& space, const Runs& runs) { agreement_.share_reports(space, runs); }

  /// Bytes allocated on the device.
  std::size_t bytes() const { return ghosts_.bytes(); }

 private:
  template <class Table>
  void exchange(const parallel::TableShape& shape, const Table& table) {
    beside_.follow();
    ghosts_.exchange(shape, table);
    beside_.join();
  }

  parallel::Communicator ranks_;
  Beside<ExecutionSpace> beside_;
  parallel::Ghosts<ExecutionSpace> ghosts_;
  Agreement<ExecutionSpace, M> agreement_;
};

}  // namespace tessera::kmc
