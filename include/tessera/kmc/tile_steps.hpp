// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <tessera/kmc/initial_state.hpp>
#include <tessera/kmc/kernels/advance_tile.hpp>
#include <tessera/kmc/kernels/tile_runs.hpp>
#include <tessera/kmc/step_state.hpp>
#include <tessera/kmc/tile_sizes.hpp>
#include <utility>

namespace tessera::kmc {

/// The steps of algorithm 1 for all replicas at once, as a sequence of launches that the host need not look at:
///
///     advance   every tile of every active replica (algorithm 2)
///     compare   every tile's ring with its owners; disagreeing tiles and their partners are listed
///     repair    the listed tiles are run again from the front buffer with a wider halo, in the first round with one
///               half as much wider, and compared again [repair_rounds times, the later ones in one launch]
///     finish    per replica: accept or reject, next step size; make what an accepted step has written the present
///
/// A repaired step is as exact as one that needed no repair: it passes the same comparison.
template <class ExecutionSpace, Model M>
struct TileSteps {
  using MemorySpace = typename ExecutionSpace::memory_space;
  static constexpr bool alone = lanes_per_tile<ExecutionSpace> == 1;
  /// Kokkos hands a GPU a large functor through memory that it has one of, and waits for the launch before: not so with
  /// the hint.
  using PlainPolicy =
      Kokkos::TeamPolicy<ExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>,
                         Kokkos::LaunchBounds<lanes_of_multiprocessor, lanes_of_multiprocessor == 0 ? 0 : 1>>;
  using TeamPolicy = decltype(Kokkos::Experimental::require(std::declval<PlainPolicy>(),
                                                            Kokkos::Experimental::WorkItemProperty::HintLightWeight));
  using Team = typename TeamPolicy::member_type;

  TileSteps(const ExecutionSpace& space, const State<MemorySpace, M>& state, const M& model, const TileSizes& sizes,
            const StepRules& rules, int repair_rounds)
      : space_(space),
        work_{state, model, lazy_default(sizes), EventOrder::local, false},
        geometry_(state.geometry),
        sizes_(sizes),
        rules_(rules),
        rounds_(rules.repair ? repair_rounds : 0),
        runs_(geometry_, rounds_),
        steps("tessera::kmc::steps", static_cast<std::size_t>(geometry_.replicas)),
        records("tessera::kmc::records", static_cast<std::size_t>(geometry_.replicas),
                static_cast<std::size_t>(records_per_look)) {}

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
    advance();
    runs_.compare_all(space_, steps, halo_of_round(sizes_, 1, rounds_), side_mask_);
    for (int round = 1; round <= rounds_; ++round) {
      if constexpr (alone) {  // a host can look
        space_.fence("tessera::kmc::repair");
        if (runs_.count(round) == 0) break;
      }
      const bool is_last_launch = !alone && round == repair_launches(geometry_.all_tiles());
      repair(round, is_last_launch ? rounds_ : round);
      if (is_last_launch) break;
    }
    if (rules_.event_goal != ~std::uint64_t{0}) runs_.find_last_events(space_, steps, rules_.event_goal);
    finish(record);
  }

  /// Compares only the sides in this bit mask (bit k: neighbour k). For tests that show what the check protects from.
  void check_only(unsigned side_mask) { side_mask_ = side_mask; }

  /// See AdvanceTile::first_order; by default EventOrder::local.
  void begin_in_order(EventOrder order) { work_.first_order = order; }

  /// See AdvanceTile::lazy_below.
  void read_streams_lazily_below(int events) { work_.lazy_below = events; }

  /// See AdvanceTile::sparingly; by default as it pays.
  void write_sparingly(bool sparingly) {
    told_how_ = true;
    work_.sparingly = sparingly && !alone;
  }

  /// Tells how many events a site and step there are in the mean, which decides how the next steps are made, and
  /// nothing else.
  void expect_events(double per_site) {
    if (told_how_ || alone) return;
    const bool sparingly = per_site < (work_.sparingly ? 0.05 : 0.03);
    if (work_.sparingly && !sparingly) gather_in_first_buffer(space_, work_.state);
    work_.sparingly = sparingly;
  }

  /// Bytes allocated on the device.
  std::size_t bytes() const {
    return runs_.bytes() + steps.span() * sizeof(StepState) + records.span() * sizeof(StepRecord);
  }

  /// A host reads a row of generators as quickly as a few of them; on a GPU those of other cells are more to read.
  static constexpr int lazy_default(const TileSizes& sizes) {
    const int side = sizes.tile + 2 * sizes.halo;
    return alone ? 8 : side * side / 8;
  }
  /// Kokkos' host backends give 32 KiB at level 0; to them the levels are the same memory.
  static constexpr int scratch_level = alone ? 1 : 0;

  TeamPolicy tile_policy(std::int64_t league, int lanes, std::size_t bytes) const {
    PlainPolicy policy(space_, static_cast<int>(league), lanes);
    policy.set_scratch_size(scratch_level, Kokkos::PerTeam(static_cast<int>(bytes + 16)));
    return Kokkos::Experimental::require(policy, Kokkos::Experimental::WorkItemProperty::HintLightWeight);
  }

  KOKKOS_FUNCTION static char* scratch_of(const Team& team, std::size_t bytes) {
    return static_cast<char*>(team.team_scratch(int{scratch_level}).get_shmem_aligned(bytes, 16));
  }

  void advance() const {
    const auto work = work_;
    const auto s = steps;
    const auto runs = runs_;
    const int halo = sizes_.halo;
    const std::size_t bytes = team_bytes(sizes_.tile, halo, sizes_.lanes);
    Kokkos::parallel_for(
        "tessera::kmc::advance", tile_policy(geometry_.all_tiles(), sizes_.lanes, bytes),
        KOKKOS_LAMBDA(const Team& team) {
          const int index = team.league_rank();
          if (index == 0 && team.team_rank() == 0) runs.clear_lists();
          const int replica = index / work.state.geometry.tiles(), tile = index - replica * work.state.geometry.tiles();
          if (!s(replica).active) return;
          const TileReport report = work.run(team, scratch_of(team, bytes), replica, tile, halo, s(replica).time,
                                             s(replica).target, runs.checksums(index), runs.too_long(replica));
          if (team.team_rank() == 0) runs.keep(index, replica, report, halo);
        });
  }

  /// The halo of the tiles that are run again in round `round` of `rounds`; 0 behind the last round.
  KOKKOS_FUNCTION static int halo_of_round(const TileSizes& sizes, int round, int rounds) {
    if (round > rounds) return 0;
    if (round == 1 && rounds > 1) return sizes.first_repair_halo;
    return round > 2 ? sizes.last_repair_halo : sizes.repair_halo;
  }

  /// Runs the tiles again that the last comparison has listed, and compares them: round `first` by many teams, the
  /// rounds after it, up to `last`, by the team that is the last to finish the one before.
  void repair(int first, int last) const {
    const auto work = work_;
    const auto s = steps;
    const auto runs = runs_;
    const auto sizes = sizes_;
    const int rounds = rounds_;
    const unsigned side_mask = side_mask_;
    const std::size_t bytes =
        team_bytes(sizes.tile, halo_of_round(sizes, last, rounds), sizes.repair_lanes);  // the widest
    const std::int64_t league = std::min(geometry_.all_tiles(), std::int64_t{first == 1 ? 2048 : 512});
    Kokkos::parallel_for(
        "tessera::kmc::repair", tile_policy(league, sizes.repair_lanes, bytes), KOKKOS_LAMBDA(const Team& team) {
          const int tiles = work.state.geometry.tiles(), teams = team.league_size();
          char* const scratch = scratch_of(team, bytes);
          int begin = team.league_rank(), stride = teams;
          for (int round = first; round <= last; ++round) {
            const int count = runs.count(round), halo = halo_of_round(sizes, round, rounds);
            for (int i = begin; i < count; i += stride) {
              const int index = runs.listed(round, i), replica = index / tiles;
              sync_team(team);
              const TileReport report = work.run(team, scratch, replica, index - replica * tiles, halo, s(replica).time,
                                                 s(replica).target, runs.checksums(index), runs.too_long(replica));
              if (team.team_rank() == 0) runs.keep_again(index, replica, report, halo);
            }
            if (round == first) {
              if (begin >= count || !runs.last_to_finish(team, round, count < teams ? count : teams)) return;
              begin = 0;
              stride = 1;
            } else if (count == 0) {
              return;
            }
            sync_team(team);
            runs.compare_listed(team, round, halo_of_round(sizes, round + 1, rounds), side_mask);
          }
        });
  }

  /// Accepts or rejects the step of each replica, commits what it has written, and chooses the next step.
  void finish(int record) const {
    const auto s = steps;
    const auto runs = runs_;
    const auto history = records;
    const auto rules = rules_;
    const auto front = work_.state.front;
    const auto changed = work_.state.changed;
    const auto written = work_.state.written;
    const int tiles = geometry_.tiles(), words_of_tile = geometry_.words_of_tile();
    constexpr int chunk = 128;
    const int chunks = (tiles + chunk - 1) / chunk;
    const PlainPolicy policy(space_, chunks * geometry_.replicas, alone ? 1 : chunk);
    Kokkos::parallel_for(
        "tessera::kmc::finish",
        Kokkos::Experimental::require(policy, Kokkos::Experimental::WorkItemProperty::HintLightWeight),
        KOKKOS_LAMBDA(const Team& team) {
          const int replica = team.league_rank() / chunks, first = (team.league_rank() - replica * chunks) * chunk;
          StepState state = s(replica);
          const StepReport report = runs.report(replica);
          StepRecord line{state.time, state.target - state.time, static_cast<double>(report.repaired) / rules.tiles,
                          report.too_long ? 0 : report.events, -1};
          state.accept = 0;
          if (state.active) {
            rules.decide(state, report);
            line.accepted = state.accept;
            rules.aim(state);
          }
          if (state.accept) {
            const std::int64_t from = std::int64_t{replica} * tiles + first;
            const int words = (tiles - first < chunk ? tiles - first : chunk) * words_of_tile;
            for (int w = team.team_rank(); w < words; w += team.team_size()) {
              using Written = typename State<MemorySpace, M>::Written;
              const std::int64_t word = from * words_of_tile + w;
              const auto what = written(from + w / words_of_tile);
              if (what != Written::nothing) front(word) ^= what == Written::some_cells ? changed(word) : ~0u;
            }
          }
          if (runs.last_to_read(team, replica, chunks) && team.team_rank() == 0) {
            s(replica) = state;
            if (static_cast<std::size_t>(record) < history.extent(1)) history(replica, record) = line;
          }
        });
  }

  ExecutionSpace space_;
  AdvanceTile<ExecutionSpace, M> work_;
  Geometry geometry_;
  TileSizes sizes_;
  StepRules rules_;
  int rounds_;
  unsigned side_mask_ = ~0u;
  bool told_how_ = false;  ///< by write_sparingly()
  TileRuns<ExecutionSpace, M> runs_;

  Kokkos::View<StepState*, MemorySpace> steps;      ///< [replicas]
  Kokkos::View<StepRecord**, MemorySpace> records;  ///< [replicas, steps between two looks of the host]
};

}  // namespace tessera::kmc
