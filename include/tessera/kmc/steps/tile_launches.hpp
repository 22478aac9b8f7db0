// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <tessera/core/host_array.hpp>
#include <tessera/core/kokkos_ext/functor_as_argument.hpp>
#include <tessera/core/kokkos_ext/lanes.hpp>
#include <tessera/core/kokkos_ext/team_scratch.hpp>
#include <tessera/kmc/kernels/advance_tile.hpp>
#include <tessera/kmc/state/clock.hpp>
#include <tessera/kmc/state/tile_sizes.hpp>
#include <tessera/kmc/steps/advance_replica.hpp>
#include <tessera/kmc/steps/step_state.hpp>
#include <tessera/kmc/steps/tile_runs.hpp>
#include <tessera/kmc/steps/tile_set.hpp>

namespace tessera::kmc {

/// Launch policy and scratch memory of teams that simulate one window each.
template <class ExecutionSpace>
struct TileTeams {
  /// On CPUs a team is one lane.
  static constexpr bool single_lane = lanes_per_tile<ExecutionSpace> == 1;
  /// At most 128 registers per lane of a GPU, as many as the kernels use: a multiprocessor holds 512 lanes. A bound for
  /// 640 lanes is slower, because it moves registers to memory.
  using Policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::LaunchBounds<256, 2>>;
  using Team = typename Policy::member_type;

  /// Policy for `league` teams with this scratch memory.
  static auto policy(const ExecutionSpace& space, std::int64_t league, int lanes, const ScratchBytes& bytes) {
    const auto policy = with_scratch(Policy(space, static_cast<int>(league), lanes), bytes.level0, 16, level0);
    return functor_as_argument(single_lane ? policy : with_scratch(policy, bytes.level1, 16, level1));
  }

  /// Scratch memory of the calling team.
  KOKKOS_FORCEINLINE_FUNCTION static TileScratch scratch(const Team& team, const ScratchBytes& bytes) {
    return {scratch_array<char>(team, bytes.level0, 16, int{level0}),
            single_lane ? nullptr : scratch_array<char>(team, bytes.level1, 16, int{level1})};
  }

 private:
  /// Kokkos limits level 0 to 32 KiB on CPUs, where both levels are the same memory.
  static constexpr int level0 = single_lane ? 1 : 0, level1 = 1;
};

/// Kernels of the steps (TileSteps), each for all active replicas.
template <class ExecutionSpace, Model M>
struct TileLaunches {
  using MemorySpace = typename ExecutionSpace::memory_space;
  using Teams = TileTeams<ExecutionSpace>;
  using Team = typename Teams::Team;
  using Counted = Kokkos::View<std::uint64_t**, Kokkos::LayoutRight, MemorySpace>;
  static constexpr bool single_lane = Teams::single_lane;

  TileLaunches(const ExecutionSpace& space, const State<MemorySpace, M>& state, const M& model, const TileSizes& sizes,
               const StepRules& rules, int repair_rounds)
      : space_(space),
        work_{state, model},
        geometry_(state.geometry),
        sizes_(sizes),
        rules_(rules),
        rounds_(rules.repair ? repair_rounds : 0),
        runs_(geometry_, rounds_, groups_of(model)),
        steps("tessera::kmc::steps", static_cast<std::size_t>(geometry_.replicas)),
        counted("tessera::kmc::counted", runs_.counted().extent(0), runs_.counted().extent(1)),
        records("tessera::kmc::records", static_cast<std::size_t>(geometry_.replicas),
                static_cast<std::size_t>(most_steps_of_batch)),
        passages("tessera::kmc::passages", static_cast<std::size_t>(geometry_.replicas)),
        earliest("tessera::kmc::earliest", static_cast<std::size_t>(geometry_.replicas)) {}

  /// The widest halo of first runs.
  int advance_halo() const { return std::max(sizes_.halo, sizes_.wide_halo); }

  /// Runs these tiles of all active replicas.
  void advance(const ExecutionSpace& space, const TileSet& tiles) const {
    if (tiles.size() == 0) return;
    if (!single_lane && events_per_site_ >= sizes_.level0_from)
      launch_advance<!single_lane>(space, tiles);
    else
      launch_advance<false>(space, tiles);
  }
  /// `streams_in_level0`: streams are in level-0 scratch memory (TeamWindow).
  template <bool streams_in_level0>
  void launch_advance(const ExecutionSpace& space, const TileSet& tiles) const {
    const int count = tiles.size();
    const auto work = work_;
    const auto s = steps;
    const auto runs = runs_;
    const int halo = sizes_.halo, wide_halo = sizes_.wide_halo;
    const bool halo_counts = rounds_ == 0;
    const ScratchBytes bytes(sizes_.tile, advance_halo(), sizes_.lanes, streams_in_level0, sizes_.reach);
    Kokkos::parallel_for(
        "tessera::kmc::advance", Teams::policy(space, std::int64_t{count} * geometry_.replicas, sizes_.lanes, bytes),
        KOKKOS_LAMBDA(const Team& team) {
          const Geometry& g = work.state.geometry;
          const int replica =
              static_cast<int>(static_cast<unsigned>(team.league_rank()) / static_cast<unsigned>(count));
          const StepState& its = s(replica);
          const bool is_active = its.active != 0, is_wide = its.wide != 0, after_accepted = its.accept != 0;
          const double begin = its.time, end = its.target;
          if (!is_active) return;
          const int tile = tiles.tile(g, team.league_rank() - replica * count);
          const std::int64_t index = std::int64_t{replica} * g.tiles() + tile;
          const int width = is_wide ? wide_halo : halo;
          const TileReport<M> report =
              work.template run<streams_in_level0>(team, Teams::scratch(team, bytes), replica, tile, width, begin, end,
                                                   runs.checksums(index), runs.too_long(replica), halo_counts);
          if (team.team_rank() == 0) runs.store_first_run(index, replica, report, width, after_accepted);
          runs.add_counted(team, work.state, index, replica);
        });
  }

  /// Compares all tiles, and lists those to run in this round.
  void compare(int round) const {
    runs_.compare_all(space_, steps, halo_of_round(sizes_, round, rounds_), side_mask_, round);
  }

  /// Makes `count` steps of replicas of a single tile each. As they wait for the last of them, there may be fewer: most
  /// replicas then end when they have had three quarters of the events that are expected of a replica.
  void advance_replicas(int count, bool may_be_fewer) const {
    const double expected = 0.75 * events_per_site_ * rules_.sites * count;
    const double share = may_be_fewer && expected > 0 ? expected : std::numeric_limits<double>::infinity();
    const AdvanceReplica<ExecutionSpace, M> work{work_.state, work_.model, rules_, work_.first_order};
    const auto s = steps;
    const auto history = records;
    const auto totals = counted;
    const ScratchBytes bytes(sizes_.tile, 0, sizes_.lanes, false, sizes_.reach);
    Kokkos::parallel_for(
        "tessera::kmc::advance_replicas", Teams::policy(space_, geometry_.replicas, sizes_.lanes, bytes),
        KOKKOS_LAMBDA(const Team& team) {
          const int replica = team.league_rank();
          StepState its = s(replica);
          sync_team(team);
          work.run(team, Teams::scratch(team, bytes), replica, count, share, its,
                   totals.data() + replica * totals.extent(1),
                   [&](int step, const StepRecord& line) { history(replica, step) = line; });
          if (team.team_rank() == 0) s(replica) = its;
        });
  }

  /// Halo of repair round `round` of `rounds`; 0 after the last round.
  KOKKOS_FUNCTION static int halo_of_round(const TileSizes& sizes, int round, int rounds) {
    if (round > rounds) return 0;
    if (round == 1 && rounds > 1) return (sizes.wide_halo + sizes.repair_halo + 1) / 2;
    return round > 2 ? sizes.last_repair_halo : sizes.repair_halo;
  }

  static constexpr int none = -1;  ///< without a column of `records`

  /// Repairs and compares the tiles that the last comparison has listed: in round `first` with many teams; in the later
  /// rounds, up to `last`, with the team that finishes the previous round last. This team also decides if `record` is a
  /// column of `records`.
  void repair(int first, int last, int record = none) const {
    const int widest = halo_of_round(sizes_, last, rounds_);
    if (!single_lane && fits(sizes_.tile, widest, sizes_.repair_lanes, true, sizes_.reach))
      launch_repair<!single_lane>(first, last, widest, record);
    else
      launch_repair<false>(first, last, widest, record);
  }
  template <bool streams_in_level0>
  void launch_repair(int first, int last, int widest, int record) const {
    const auto work = work_;
    const auto runs = runs_;
    const auto sizes = sizes_;
    const int rounds = rounds_;
    const bool is_block = geometry_.is_block();
    const unsigned side_mask = side_mask_;
    const Decide decide = deciding(record);
    const ScratchBytes bytes(sizes_.tile, widest, sizes_.repair_lanes, streams_in_level0, sizes_.reach);
    const std::int64_t league = repair_teams(geometry_.all_tiles(), single_lane);
    Kokkos::parallel_for(
        "tessera::kmc::repair", Teams::policy(space_, league, sizes.repair_lanes, bytes),
        KOKKOS_LAMBDA(const Team& team) {
          const int tiles = work.state.geometry.tiles(), teams = team.league_size();
          const TileScratch scratch = Teams::scratch(team, bytes);
          int begin = team.league_rank(), stride = teams;
          for (int round = first; round <= last; ++round) {
            const int count = runs.count(round), halo = halo_of_round(sizes, round, rounds);
            if (count == 0 && (round > first || begin == 0)) break;  // the first team stays to decide
            if (round > first && count > most_tiles_of_a_team) {
              runs.give_up(team, round);
              break;
            }
            for (int i = begin; i < count; i += stride) {
              const int index = runs.listed(round, i), replica = index / tiles;
              const StepState& its = decide.steps(replica);
              sync_team(team);
              runs.add_counted(team, work.state, index, replica, ~std::uint64_t{0});
              const TileReport<M> report =
                  work.template run<streams_in_level0>(team, scratch, replica, index - replica * tiles, halo, its.time,
                                                       its.target, runs.checksums(index), runs.too_long(replica));
              if (team.team_rank() == 0) runs.store_repair(index, replica, report, halo);
              runs.add_counted(team, work.state, index, replica);
            }
            if (is_block) return;
            if (round == first) {
              if (begin >= count || !runs.last_to_finish(team, round, count < teams ? count : teams)) return;
              begin = 0;
              stride = 1;
            }
            sync_team(team);
            runs.compare_listed(team, round, halo_of_round(sizes, round + 1, rounds), side_mask);
          }
          if (decide.record == none) return;
          Kokkos::memory_fence();  // before reading the reports of other teams
          sync_team(team);
          const int replicas = work.state.geometry.replicas;
          for (int replica = team.team_rank(); replica < replicas; replica += team.team_size()) decide(runs, replica);
          sync_team(team);
          for (int replica = 0; replica < replicas; ++replica)
            decide.count(runs, replica, team.team_rank(), team.team_size());
        });
  }

  /// Reports the tiles listed for a round as inconsistent.
  void give_up(int round) const {
    const auto runs = runs_;
    Kokkos::parallel_for(
        "tessera::kmc::give_up", typename Teams::Policy(space_, 1, lanes_per_tile<ExecutionSpace>),
        KOKKOS_LAMBDA(const Team& team) { runs.give_up(team, round); });
  }

  /// Accepts or rejects the step of a replica, and chooses the next one.
  struct Decide {
    Kokkos::View<StepState*, MemorySpace> steps;
    Kokkos::View<StepRecord**, MemorySpace> records;
    Kokkos::View<std::int32_t*, MemorySpace> swapped;
    Counted counted;
    StepRules rules;
    int record;

    KOKKOS_FUNCTION void operator()(const TileRuns<ExecutionSpace, M>& runs, int replica) const {
      StepState state = steps(replica);
      const StepReport report = runs.take_report(replica);
      if (replica == 0) runs.clear_lists();
      StepRecord line{state.time, state.target - state.time, static_cast<double>(report.repaired) / rules.tiles,
                      report.events, -1};
      state.accept = 0;
      if (state.active) {
        rules.decide(state, report);
        line.accepted = state.accept;
        rules.aim(state);
        if (!single_lane && state.accept) swapped(replica) = 1 - swapped(replica);
      }
      steps(replica) = state;
      if (static_cast<std::size_t>(record) < records.extent(1)) records(replica, record) = line;
    }
    /// Then adds its events of the groups `first`, `first + stride`, ... if the step is accepted.
    KOKKOS_FUNCTION void count(const TileRuns<ExecutionSpace, M>& runs, int replica, int first, int stride) const {
      for (int g = first, end = static_cast<int>(counted.extent(1)); g < end; g += stride) {
        const std::uint64_t of_step = runs.take_counted(replica, g);
        if (steps(replica).accept) counted(replica, g) += of_step;
      }
    }
  };
  Decide deciding(int record) const { return {steps, records, work_.state.swapped, counted, rules_, record}; }

  /// The same for all replicas, as a kernel.
  void decide(int record) const {
    const auto runs = runs_;
    const Decide decide = deciding(record);
    Kokkos::parallel_for(
        "tessera::kmc::decide", functor_as_argument(Kokkos::RangePolicy<ExecutionSpace>(space_, 0, geometry_.replicas)),
        KOKKOS_LAMBDA(int replica) {
          decide(runs, replica);
          decide.count(runs, replica, 0, 1);
        });
  }

  /// Copies the changes of accepted steps to the front buffer, for teams of one lane, whose buffers are not swapped.
  void commit() const {
    if constexpr (single_lane) {
      const auto s = steps;
      const auto state = work_.state;
      const int tiles = geometry_.tiles();
      Kokkos::parallel_for(
          "tessera::kmc::commit", Indices<ExecutionSpace>(space_, 0, geometry_.all_tiles()),
          KOKKOS_LAMBDA(std::int64_t index) {
            const auto replica = static_cast<int>(index / tiles),
                       tile = static_cast<int>(index - std::int64_t{replica} * tiles);
            if (s(replica).accept) state.commit(replica, tile);
          });
    }
  }

  /// Makes the first buffer the front one again, without the ghost ring, which is filled before its next use.
  void swap_back() const {
    const auto state = work_.state;
    const std::int64_t sites = geometry_.sites();
    Kokkos::parallel_for(
        "tessera::kmc::swap_back", Indices<ExecutionSpace>(space_, 0, sites * geometry_.replicas),
        KOKKOS_LAMBDA(std::int64_t i) {
          const Geometry& g = state.geometry;
          const auto replica = static_cast<int>(i / sites), site = static_cast<int>(i - replica * sites);
          const int row = site / g.nx, tile = row / g.tile * g.tiles_x + (site - row * g.nx) / g.tile;
          if (!state.swapped(replica) || !g.owns(tile) || state.same(std::int64_t{replica} * g.tiles() + tile)) return;
          state.copy(state.index(replica, site) + state.to_second(), state.index(replica, site));
        });
    Kokkos::deep_copy(space_, state.swapped, 0);
  }

  /// Changes all waiting times of replicas by their `passages`, to the rates of the model from those of `before`. The
  /// ghost ring must be filled; it is not valid afterwards.
  void cross(const M& before) const {
    const auto work = work_;
    const auto runs = runs_;
    const auto passage_of = passages;
    const std::int64_t sites = geometry_.sites();
    Kokkos::parallel_for(
        "tessera::kmc::cross", Indices<ExecutionSpace>(space_, 0, sites * geometry_.replicas),
        KOKKOS_LAMBDA(std::int64_t i) {
          const std::int64_t replica = i / sites, site = i - replica * sites;
          const Passage its = passage_of(replica);
          if (!its.passes) return;
          const Geometry& g = work.state.geometry;
          const int y = static_cast<int>(site) / g.nx, x = static_cast<int>(site) - y * g.nx;
          const RatesFrom<M> n = work.state.rate_from(i - site, x, y);
          work.state.times(i) = passed(its, work.state.times(i), mean_waiting_time(before, n),
                                       mean_waiting_time(work.model, n), work.state.streams(i));
          if (site >= g.tiles()) return;
          runs.set_last_event(replica * g.tiles() + site, its.to);
          work.state.same(replica * g.tiles() + site) = 0;
        });
  }

  ExecutionSpace space_;
  AdvanceTile<ExecutionSpace, M> work_;
  Geometry geometry_;
  TileSizes sizes_;
  StepRules rules_;
  int rounds_;
  unsigned side_mask_ = ~0u;
  double events_per_site_ = 0;
  TileRuns<ExecutionSpace, M> runs_;

  Kokkos::View<StepState*, MemorySpace> steps;      ///< [replicas]
  Counted counted;                                  ///< events of each group in accepted steps [replicas, groups]
  Kokkos::View<StepRecord**, MemorySpace> records;  ///< [replicas, most_steps_of_batch]
  Kokkos::View<Passage*, MemorySpace> passages;     ///< of cross() [replicas]
  Kokkos::View<double*, MemorySpace> earliest;      ///< of find_earliest_times() [replicas]
};

}  // namespace tessera::kmc
