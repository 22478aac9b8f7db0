// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <tessera/core/kokkos_ext/functor_as_argument.hpp>
#include <tessera/core/kokkos_ext/scratch.hpp>
#include <tessera/kmc/kernels/advance_sparsely.hpp>
#include <tessera/kmc/kernels/back_buffer_updates.hpp>
#include <tessera/kmc/kernels/due_events.hpp>
#include <tessera/kmc/kernels/tile_runs.hpp>
#include <tessera/kmc/step_state.hpp>

namespace tessera::kmc {

/// The first part of a step where events are few: all tiles are looked through for events in sight, and those with few
/// in their window are advanced from what was seen (AdvanceSparsely). Tiles with more come on a list, for AdvanceTile.
template <class ExecutionSpace, Model M>
class SparseSteps {
 public:
  static constexpr int lanes = lanes_per_tile<ExecutionSpace>;
  using MemorySpace = typename ExecutionSpace::memory_space;
  /// Bounds the registers of a lane, so that a multiprocessor has room for 32 teams. (Stated as so many teams at least,
  /// the bound would be refused where the scratch of a wide window leaves no room for them.)
  using TeamPolicy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>,
                                        Kokkos::LaunchBounds<lanes == 1 ? 1 : 32 * lanes, 1>>;
  using Team = typename TeamPolicy::member_type;
  using Work = AdvanceSparsely<ExecutionSpace, M>;

  /// More events than this in sight of a tile are too many: AdvanceTile is faster.
  static constexpr int most_due = 64, most_due_of_repair = 128;
  /// Room for touched cells of a tile: with the default halo of a repairing run, as much as leaves room for 32 teams on
  /// a multiprocessor.
  static constexpr int room = 128;

  SparseSteps(const ExecutionSpace& space, const State<MemorySpace, M>& state, const M& model)
      : space_(space),
        work_{state,    model, DueEvents<MemorySpace>(state.geometry), BackBufferUpdates<MemorySpace>(state.geometry),
              most_due, room},
        too_many_("tessera::kmc::too_many_due", static_cast<std::size_t>(state.geometry.all_tiles())),
        too_many_count_("tessera::kmc::too_many_due_count", 1) {}

  /// Whether tiles and halo of these sizes can be advanced so.
  static bool offered(int tile, int halo) { return halo <= WindowLayout::widest_sparse_halo(tile); }

  /// Whether they should be, with so many events in a tile's window in the mean: fewer tiles than these leave a GPU
  /// time to wait for more launches.
  static bool pays(const Geometry& g, double events_in_window) {
    return g.all_tiles() >= 4096 && events_in_window < 16;
  }

  /// Advances what can be, and keeps what it has reported.
  void advance(const Kokkos::View<StepState*, MemorySpace>& steps, const TileRuns<ExecutionSpace, M>& runs,
               int halo) const {
    work_.due.look(space_, work_.state, steps);
    const auto work = work_;
    const auto list = too_many_;
    const auto count = too_many_count_;
    const std::size_t bytes = Work::Touched::bytes(work_.state.geometry.tile + 2 * halo, work_.room);
    const TeamPolicy policy(space_, static_cast<int>(work_.state.geometry.all_tiles()), lanes);
    Kokkos::parallel_for(
        "tessera::kmc::advance_sparsely", functor_as_argument(with_scratch(policy, bytes, 16)),
        KOKKOS_LAMBDA(const Team& team) {
          const Geometry& g = work.state.geometry;
          const int index = team.league_rank();
          const int replica = index / g.tiles(), tile = index - replica * g.tiles();
          if (!steps(replica).active) return;
          TileReport report;
          const bool done = work.run(team, scratch_array<char>(team, bytes, 16), replica, tile, halo,
                                     steps(replica).target, runs.checksums(index), report);
          if (team.team_rank() != 0) return;
          if (done) {
            runs.keep(index, replica, report, halo);
          } else {
            list(Kokkos::atomic_fetch_add(&count(0), 1)) = index;
          }
        });
  }

  /// The tiles that advance() has left, [count()(0)] of [replicas * tiles]; the count is for the caller to reset.
  const Kokkos::View<std::int32_t*, MemorySpace>& left() const { return too_many_; }
  const Kokkos::View<std::int32_t*, MemorySpace>& count() const { return too_many_count_; }

  /// Runs the tiles again, after advance(), that are listed for a round; those that this is too much for are put on the
  /// list of the next one.
  void repair(const Kokkos::View<StepState*, MemorySpace>& steps, const TileRuns<ExecutionSpace, M>& runs, int round,
              int halo, int league) const {
    const Work work = work_of_repairs();
    const auto list = runs.list(round);
    const std::size_t bytes = Work::Touched::bytes(work_.state.geometry.tile + 2 * halo, work.room);
    const TeamPolicy policy(space_, league, lanes);
    Kokkos::parallel_for(
        "tessera::kmc::repair_sparsely", functor_as_argument(with_scratch(policy, bytes, 16)),
        KOKKOS_LAMBDA(const Team& team) {
          char* const scratch = scratch_array<char>(team, bytes, 16);
          for (int i = team.league_rank(); i < runs.count(round); i += team.league_size()) {
            const int index = list(i), replica = index / work.state.geometry.tiles();
            const int tile = index - replica * work.state.geometry.tiles();
            TileReport report;
            const bool done =
                work.run(team, scratch, replica, tile, halo, steps(replica).target, runs.checksums(index), report);
            if (team.team_rank() == 0) {
              if (done)
                runs.keep_again(index, replica, report, halo);
              else
                runs.pass_on(index, round);
            }
            sync_lanes(team);
          }
        });
  }

  /// What runs a tile again, with another halo, after advance(): scratch of Touched::bytes() with its room.
  Work work_of_repairs() const {
    Work work = work_;
    work.room = Work::Touched::most;
    work.most_due = most_in_repair_;
    return work;
  }

  /// Makes what an accepted step has written the present.
  void commit(const Kokkos::View<StepState*, MemorySpace>& steps) const {
    work_.changes.commit(space_, work_.state, steps);
  }

  /// With this number of events in sight a tile is still advanced, if there is room; for tests.
  void take_up_to(int due_events) {
    work_.most_due = std::min(due_events, work_.room);
    most_in_repair_ = std::min(due_events, int{Work::Touched::most});
  }

  std::size_t bytes() const {
    return work_.due.bytes() + work_.changes.bytes() + too_many_.span() * 4 + too_many_count_.span() * 4;
  }

 private:
  ExecutionSpace space_;
  Work work_;
  int most_in_repair_ = most_due_of_repair;
  Kokkos::View<std::int32_t*, MemorySpace> too_many_, too_many_count_;
};

}  // namespace tessera::kmc
