// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <tessera/core/kokkos_ext/functor_as_argument.hpp>
#include <tessera/core/kokkos_ext/scratch.hpp>
#include <tessera/kmc/kernels/advance_tile.hpp>
#include <tessera/kmc/kernels/sparse_steps.hpp>
#include <tessera/kmc/kernels/tile_runs.hpp>
#include <tessera/kmc/step_state.hpp>

namespace tessera::kmc {

/// The steps of algorithm 1 for all replicas at once, as a sequence of launches that the host need not look at:
///
///     advance   every tile of every active replica (algorithm 2); where events are few, SparseSteps first
///     compare   every tile's ring with its owners; disagreeing tiles and their partners are listed
///     repair    the listed tiles are run again from the front buffer with a wider halo, in the first round with one
///               half as much wider; what has been run again is compared again [repair_rounds times]
///     decide    per replica: accept or reject, next step size
///     commit    make what an accepted step has written the present
///
/// A repaired step is as exact as one that needed no repair: it passes the same comparison.
template <class ExecutionSpace, Model M>
struct TileSteps {
  using MemorySpace = typename ExecutionSpace::memory_space;
  using TeamPolicy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>>;
  using Team = typename TeamPolicy::member_type;
  static constexpr int lanes = lanes_per_tile<ExecutionSpace>;

  TileSteps(const ExecutionSpace& space, const State<MemorySpace, M>& state, const M& model, const TileSizes& sizes,
            const StepRules& rules, int repair_rounds)
      : space_(space),
        work_{state, model, lazy_default, lanes > 1},
        geometry_(state.geometry),
        sizes_(sizes),
        rules_(rules),
        rounds_(rules.repair ? repair_rounds : 0),
        runs_(geometry_, rounds_),
        steps("tessera::kmc::steps", static_cast<std::size_t>(geometry_.replicas)),
        records("tessera::kmc::records", static_cast<std::size_t>(geometry_.replicas),
                static_cast<std::size_t>(records_per_look)) {
    sparse_offered_ = lanes > 1 && SparseSteps<ExecutionSpace, M>::offered(sizes.tile, sizes.halo);
    if (sparse_offered_) make_sparse();
  }

  /// Lets every replica run to `stop`: chooses the end of its first step.
  void aim(double stop) const {
    const auto s = steps;
    const auto rules = rules_;
    Kokkos::parallel_for(
        "tessera::kmc::aim", Kokkos::RangePolicy<ExecutionSpace>(space_, 0, geometry_.replicas),
        KOKKOS_LAMBDA(int replica) {
          s(replica).stop = stop;
          rules.aim(s(replica));
        });
  }

  /// One step of every active replica; `record` is the column of `records` that it fills, if there are any.
  void step(int record) const {
    if (sparsely_) {
      sparse_->advance(steps, runs_, sizes_.halo);
      run_left();
    } else {
      advance_all();
    }
    runs_.compare_all(space_, steps, halo_of_round(1), side_mask_);
    for (int round = 1; round <= rounds_; ++round) {
      if constexpr (lanes == 1) {  // a host can look
        space_.fence("tessera::kmc::repair");
        if (runs_.count(round) == 0) break;
      }
      repair(round);
      runs_.compare_listed(space_, round, halo_of_round(round + 1), side_mask_);
    }
    if (rules_.event_goal != ~std::uint64_t{0}) runs_.find_last_events(space_, steps, rules_.event_goal);
    decide(record);
    commit();
  }

  /// Compares only the sides in this bit mask (bit k: neighbour k). For tests that show what the check protects from.
  void check_only(unsigned side_mask) { side_mask_ = side_mask; }

  /// See AdvanceTile::several_at_once; by default where a team has several lanes.
  void perform_several_at_once(bool several) { work_.several_at_once = several; }

  /// See AdvanceTile::lazy_below.
  void read_streams_lazily_below(int events) { work_.lazy_below = events; }

  /// Tells how many events a step has in the mean in a tile's window, which decides how the next steps are made, and
  /// nothing else.
  void expect_events(double in_window) {
    if (!told_how_) sparsely_ = sparse_offered_ && SparseSteps<ExecutionSpace, M>::pays(geometry_, in_window);
  }

  /// Whether tiles with up to so many events in sight are advanced sparsely, however many are expected; for tests.
  void advance_sparsely(bool sparsely, int most_due) {
    if (!sparse_) make_sparse();
    told_how_ = true;
    sparsely_ = sparsely && SparseSteps<ExecutionSpace, M>::offered(sizes_.tile, sizes_.halo);
    sparse_->take_up_to(most_due);
  }

  /// Bytes allocated on the device.
  std::size_t bytes() const {
    return (sparse_ ? sparse_->bytes() : 0) + runs_.bytes() + steps.span() * sizeof(StepState) +
           records.span() * sizeof(StepRecord);
  }

  void make_sparse() { sparse_.emplace(space_, work_.state, work_.model); }

  static constexpr int lazy_default = 8;
  /// Kokkos' host backends give 32 KiB at level 0; to them the levels are the same memory.
  static constexpr int scratch_level = lanes > 1 ? 0 : 1;

  auto tile_policy(std::int64_t league, std::size_t scratch) const {
    return functor_as_argument(
        with_scratch(TeamPolicy(space_, static_cast<int>(league), lanes), scratch, 16, scratch_level));
  }
  auto tile_policy(std::int64_t league, int halo) const {
    return tile_policy(league, team_bytes(sizes_.tile, halo, lanes));
  }

  KOKKOS_FUNCTION static char* scratch_of(const Team& team, const AdvanceTile<ExecutionSpace, M>& work, int halo) {
    return scratch_array<char>(team, team_bytes(work.state.geometry.tile, halo, lanes), 16, int{scratch_level});
  }

  /// Whether a tile of this replica has found the step too long, for all lanes alike.
  KOKKOS_FORCEINLINE_FUNCTION static bool too_long(const Team& team, const TileRuns<ExecutionSpace, M>& runs,
                                                   int replica) {
    return min_over_lanes(team, std::uint32_t{runs.too_long(replica)}) != 0;
  }

  /// Runs a tile; the report is every lane's.
  KOKKOS_FUNCTION static TileReport run(const Team& team, char* scratch, const AdvanceTile<ExecutionSpace, M>& work,
                                        const StepState& s, int replica, int tile, int halo, std::uint64_t* checksums) {
    const TileReport report = work.run(team, scratch, replica, tile, halo, s.time, s.target, checksums);
    if (team.team_rank() == 0)
      work.state.written(std::int64_t{replica} * work.state.geometry.tiles() + tile) = report.touched;
    return report;
  }

  void advance_all() const {
    const auto work = work_;
    const auto s = steps;
    const auto runs = runs_;
    const int halo = sizes_.halo;
    Kokkos::parallel_for(
        "tessera::kmc::advance", tile_policy(geometry_.all_tiles(), halo), KOKKOS_LAMBDA(const Team& team) {
          const int index = team.league_rank();
          const int replica = index / work.state.geometry.tiles(), tile = index % work.state.geometry.tiles();
          if (!s(replica).active || too_long(team, runs, replica)) return;
          const TileReport report =
              run(team, scratch_of(team, work, halo), work, s(replica), replica, tile, halo, runs.checksums(index));
          if (team.team_rank() == 0) runs.keep(index, replica, report, halo);
        });
  }

  /// Teams for the tiles on a list: those that are run again in the first round, and others, of which there are hardly
  /// any as a rule.
  int league_of_round(int round) const {
    return static_cast<int>(std::min(geometry_.all_tiles(), std::int64_t{round == 1 ? 2048 : 512}));
  }

  /// Runs the tiles that SparseSteps::advance() has left.
  void run_left() const {
    const auto work = work_;
    const auto s = steps;
    const auto runs = runs_;
    const auto list = sparse_->left();
    const auto count = sparse_->count();
    const int halo = sizes_.halo;
    Kokkos::parallel_for(
        "tessera::kmc::advance_listed", tile_policy(league_of_round(0), halo), KOKKOS_LAMBDA(const Team& team) {
          char* const scratch = scratch_of(team, work, halo);
          for (int i = team.league_rank(); i < count(0); i += team.league_size()) {
            const int index = list(i);
            const int replica = index / work.state.geometry.tiles(), tile = index % work.state.geometry.tiles();
            if (too_long(team, runs, replica)) continue;
            const TileReport report = run(team, scratch, work, s(replica), replica, tile, halo, runs.checksums(index));
            if (team.team_rank() == 0) runs.keep(index, replica, report, halo);
            sync_lanes(team);
          }
        });
  }

  /// The halo of the tiles that are run again in a round; 0 behind the last round.
  int halo_of_round(int round) const {
    if (round > rounds_) return 0;
    if (round == 1 && rounds_ > 1) return sizes_.first_repair_halo;
    return round > 2 && (lanes == 1 || sparsely_) ? sizes_.last_repair_halo : sizes_.repair_halo;
  }

  /// Runs the tiles again that the last comparison has listed: where the step has looked for events, those with few of
  /// them sparsely.
  void repair(int round) const {
    const int halo = halo_of_round(round);
    if (!sparsely_ || !SparseSteps<ExecutionSpace, M>::offered(sizes_.tile, halo))
      repair_densely(round, halo);
    else if (round == 1 && rounds_ > 1)
      sparse_->repair(steps, runs_, round, halo, league_of_round(round));
    else
      repair_sparsely_or_densely(round, halo);
  }

  void repair_densely(int round, int halo) const {
    const auto work = work_;
    const auto s = steps;
    const auto runs = runs_;
    const auto list = runs_.list(round);
    Kokkos::parallel_for(
        "tessera::kmc::repair", tile_policy(league_of_round(round), halo), KOKKOS_LAMBDA(const Team& team) {
          char* const scratch = scratch_of(team, work, halo);
          for (int i = team.league_rank(); i < runs.count(round); i += team.league_size()) {
            const int index = list(i);
            const int replica = index / work.state.geometry.tiles(), tile = index % work.state.geometry.tiles();
            if (too_long(team, runs, replica)) continue;
            const TileReport report = run(team, scratch, work, s(replica), replica, tile, halo, runs.checksums(index));
            if (team.team_rank() == 0) runs.keep_again(index, replica, report, halo);
            sync_lanes(team);
          }
        });
  }

  /// Sparsely what can be; the rest with the widest halo up to this one that there is always scratch for. The scratch
  /// suffices for both ways: not many teams have room at the same time, nor are there many tiles after the first round.
  void repair_sparsely_or_densely(int round, int halo) const {
    using Sparse = AdvanceSparsely<ExecutionSpace, M>;
    const auto work = work_;
    const Sparse sparse = sparse_->work_of_repairs();
    const auto s = steps;
    const auto runs = runs_;
    const auto list = runs_.list(round);
    const int dense_halo = std::min(halo, sizes_.repair_halo);
    const std::size_t bytes = std::max(team_bytes(sizes_.tile, dense_halo, lanes),
                                       Sparse::Touched::bytes(sizes_.tile + 2 * halo, sparse.room));
    Kokkos::parallel_for(
        "tessera::kmc::repair_sparsely_or_densely", tile_policy(league_of_round(round), bytes),
        KOKKOS_LAMBDA(const Team& team) {
          char* const scratch = scratch_array<char>(team, bytes, 16, int{scratch_level});
          for (int i = team.league_rank(); i < runs.count(round); i += team.league_size()) {
            const int index = list(i), replica = index / work.state.geometry.tiles();
            const int tile = index - replica * work.state.geometry.tiles();
            if (too_long(team, runs, replica)) continue;
            TileReport report;
            const bool done =
                sparse.run(team, scratch, replica, tile, halo, s(replica).target, runs.checksums(index), report);
            sync_lanes(team);
            if (!done) report = run(team, scratch, work, s(replica), replica, tile, dense_halo, runs.checksums(index));
            if (team.team_rank() == 0) runs.keep_again(index, replica, report, done ? halo : dense_halo);
            sync_lanes(team);
          }
        });
  }

  void decide(int record) const {
    const auto s = steps;
    const auto runs = runs_;
    const auto history = records;
    const bool sparsely = sparsely_;
    const auto left = sparsely ? sparse_->count() : typename TileRuns<ExecutionSpace, M>::List();
    const auto rules = rules_;
    Kokkos::parallel_for(
        "tessera::kmc::decide", functor_as_argument(Kokkos::RangePolicy<ExecutionSpace>(space_, 0, geometry_.replicas)),
        KOKKOS_LAMBDA(int replica) {
          StepState state = s(replica);
          const StepReport report = runs.take_report(replica);
          if (replica == 0) {
            runs.clear_lists();
            if (sparsely) left(0) = 0;
          }
          StepRecord line{state.time, state.target - state.time, static_cast<double>(report.repaired) / rules.tiles,
                          report.too_long ? 0 : report.events, -1};
          state.accept = 0;
          if (state.active) {
            rules.decide(state, report);
            line.accepted = state.accept;
            rules.aim(state);
          }
          s(replica) = state;
          if (static_cast<std::size_t>(record) < history.extent(1)) history(replica, record) = line;
        });
  }

  void commit() const {
    if (sparsely_) return sparse_->commit(steps);
    const auto s = steps;
    const auto front = work_.state.front;
    const auto written = work_.state.written;
    const int tiles = geometry_.tiles();
    Kokkos::parallel_for(
        "tessera::kmc::commit", Kokkos::RangePolicy<ExecutionSpace>(space_, 0, geometry_.all_tiles()),
        KOKKOS_LAMBDA(std::int64_t t) {
          if (written(t) != 0 && s(t / tiles).accept) front(t) ^= 1;
        });
  }

  ExecutionSpace space_;
  AdvanceTile<ExecutionSpace, M> work_;
  Geometry geometry_;
  TileSizes sizes_;
  StepRules rules_;
  int rounds_;
  unsigned side_mask_ = ~0u;
  std::optional<SparseSteps<ExecutionSpace, M>> sparse_;
  bool sparse_offered_ = false, sparsely_ = false;
  bool told_how_ = false;  ///< by advance_sparsely()
  TileRuns<ExecutionSpace, M> runs_;

  Kokkos::View<StepState*, MemorySpace> steps;      ///< [replicas]
  Kokkos::View<StepRecord**, MemorySpace> records;  ///< [replicas, steps between two looks of the host]
};

}  // namespace tessera::kmc
