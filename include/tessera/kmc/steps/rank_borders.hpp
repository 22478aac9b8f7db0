// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tessera/core/kokkos_ext/side_stream.hpp>
#include <tessera/kmc/state/state.hpp>
#include <tessera/kmc/steps/step_state.hpp>
#include <tessera/kmc/steps/tile_runs.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/ghosts.hpp>
#include <tessera/parallel/rank_grid.hpp>
#include <vector>

namespace tessera::kmc {

/// Communication of the ranks of a lattice in a step: cells at the borders, checksums of the tiles there, and the
/// number of listed tiles and the reports of the whole lattice. All functions are collective. Both ranks at a border
/// compare the same checksums, and each lists its own tile. The number of tiles and the reports are summed in one
/// message, because each sum waits for the device and for all ranks.
template <class ExecutionSpace, Model M>
class RankBorders {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;
  using Runs = TileRuns<ExecutionSpace, M>;

  /// `groups`: groups_of() the model.
  RankBorders(const ExecutionSpace& space, const parallel::Communicator& ranks, const parallel::RankGrid& grid,
              int replicas, int groups)
      : ranks_(ranks),
        side_stream_(space),
        ghosts_(side_stream_.space(), ranks, grid),
        count_("tessera::kmc::count_of_rank", 1),
        reports_("tessera::kmc::reports_of_rank", static_cast<std::size_t>(replicas)),
        counted_("tessera::kmc::counted_of_rank", static_cast<std::size_t>(replicas),
                 static_cast<std::size_t>(groups)) {}

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
    Kokkos::deep_copy(space, count_, Kokkos::subview(runs.counts(), Kokkos::pair(round - 1, round)));
    Kokkos::deep_copy(space, reports_, runs.reports());
    if constexpr (counts_events<M>) Kokkos::deep_copy(space, counted_, runs.counted());
    space.fence("tessera::kmc::agree");
    sums_.assign(1, static_cast<std::uint64_t>(count_(0)));
    for (std::size_t r = 0; r < reports_.extent(0); ++r)
      sums_.insert(sums_.end(),
                   {reports_(r).events, reports_(r).inconsistent, reports_(r).repaired, reports_(r).too_long});
    sums_.insert(sums_.end(), counted_.data(), counted_.data() + counted_.span());
    ranks_.sum(std::span(sums_));
    return static_cast<std::int64_t>(sums_[0]);
  }

  /// Gives all ranks the sums of the last call of listed(), so that they make the same decision.
  void share_reports(const ExecutionSpace& space, const Runs& runs) {
    for (std::size_t r = 0; r < reports_.extent(0); ++r) {
      const std::uint64_t* const sum = &sums_[1 + 4 * r];
      reports_(r) = StepReport{.events = sum[0],
                               .inconsistent = static_cast<std::uint32_t>(sum[1] != 0),
                               .repaired = static_cast<std::uint32_t>(sum[2]),
                               .too_long = static_cast<std::uint32_t>(sum[3] != 0)};
    }
    Kokkos::deep_copy(space, runs.reports(), reports_);
    if constexpr (counts_events<M>) {
      std::copy_n(&sums_[1 + 4 * reports_.extent(0)], counted_.span(), counted_.data());
      Kokkos::deep_copy(space, runs.counted(), counted_);
    }
  }

 private:
  template <class T>
  using Pinned = Kokkos::View<T*, Kokkos::SharedHostPinnedSpace>;

  template <class Table>
  void exchange(const parallel::TableShape& shape, const Table& table) {
    side_stream_.fork();
    ghosts_.exchange(shape, table);
    side_stream_.join();
  }

  parallel::Communicator ranks_;
  SideStream<ExecutionSpace> side_stream_;
  parallel::Ghosts<ExecutionSpace> ghosts_;

  Pinned<std::int32_t> count_;                                                                 ///< [1]
  Pinned<StepReport> reports_;                                                                 ///< [replicas]
  Kokkos::View<std::uint64_t**, Kokkos::LayoutRight, Kokkos::SharedHostPinnedSpace> counted_;  ///< [replicas, groups]
  std::vector<std::uint64_t> sums_;  ///< sums over the ranks: the count, four values per report, events of each group
};

}  // namespace tessera::kmc
