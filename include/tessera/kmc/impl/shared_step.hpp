// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tessera/core/kokkos_ext/beside.hpp>
#include <tessera/kmc/impl/agreement.hpp>
#include <tessera/kmc/impl/state.hpp>
#include <tessera/kmc/impl/tile_set.hpp>
#include <tessera/kmc/impl/tile_sizes.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/ghosts.hpp>
#include <tessera/parallel/rank_grid.hpp>

namespace tessera::kmc {

/// The steps of a lattice that ranks share out: those of TileSteps, with what ranks have to tell each other.
///
///     send cells        the present of the cells at the borders to the neighbours
///     advance           the inner tiles, which need no ghosts, and meanwhile:
///       ghosts          what the neighbours have sent; the tiles at the borders are advanced
///       checksums       of these tiles to the neighbours
///     compare           every tile's ring with its owners; what is listed is repaired, its checksums are sent, and
///                       all is compared again, until no rank has listed a tile
///     share reports     so that all ranks decide alike
///     decide, commit
///
/// Two ranks see the same of two tiles on both sides of their border, and each lists its own one.
template <class ExecutionSpace, Model M>
class SharedStep {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;

  SharedStep(const ExecutionSpace& space, const parallel::Communicator& ranks, const parallel::RankGrid& grid,
             int replicas)
      : ranks_(ranks), beside_(space), ghosts_(beside_.space(), ranks, grid), agreement_(replicas) {}

  /// All ranks: gives the ghost ring the present of its cells.
  void fill_ghosts(const State<MemorySpace, M>& state) {
    beside_.follow();
    ghosts_.exchange(state.geometry.table_of_sites(), PresentCells<MemorySpace, M>{state});
    beside_.join();
  }

  /// All ranks: one step of every active replica; `record`: see TileSteps::step().
  template <class Steps>
  void step(const Steps& steps, int record) {
    advance(steps);
    steps.compare(1);
    const Geometry& g = steps.state().geometry;
    const int launches = steps.launches(std::int64_t{g.whole_tiles()} * g.replicas);
    // Two rounds that may have nothing to do take less time than all ranks take to see whether they have.
    const int unseen = std::min(launches, 2);
    for (int round = 1;; ++round) {
      if (round > unseen) {
        const std::int64_t tiles = look(steps, round);
        if (tiles == 0) break;
        if (round > launches && tiles > most_tiles_of_a_team) {  // one process gives up there
          steps.give_up(round);
          look(steps, round);
          break;
        }
      }
      steps.repair(round, round);
      beside_.follow();
      send_checksums(steps);
      beside_.join();
      steps.compare(round + 1);
    }
    agreement_.share_reports(steps.space(), steps.runs());
    steps.decide(record);
    steps.commit();
  }

  /// Bytes allocated on the device.
  std::size_t bytes() const { return ghosts_.bytes(); }

 private:
  template <class Steps>
  void advance(const Steps& steps) {
    const State<MemorySpace, M>& state = steps.state();
    const int halo = steps.advance_halo();
    beside_.follow();
    ghosts_.send(state.geometry.table_of_sites(), PresentCells<MemorySpace, M>{state});
    steps.advance(steps.space(), TileSet::inner(state.geometry, halo));
    ghosts_.receive(state.geometry.table_of_sites(), PresentCells<MemorySpace, M>{state});
    steps.advance(beside_.space(), TileSet::border(state.geometry, halo));
    send_checksums(steps);
    beside_.join();
  }
  template <class Steps>
  void send_checksums(const Steps& steps) {
    ghosts_.exchange(steps.state().geometry.table_of_tiles(), steps.runs());
  }
  template <class Steps>
  std::int64_t look(const Steps& steps, int round) {
    return agreement_.look(steps.space(), ranks_, steps.runs(), round);
  }

  parallel::Communicator ranks_;
  Beside<ExecutionSpace> beside_;
  parallel::Ghosts<ExecutionSpace> ghosts_;
  Agreement<ExecutionSpace, M> agreement_;
};

}  // namespace tessera::kmc
