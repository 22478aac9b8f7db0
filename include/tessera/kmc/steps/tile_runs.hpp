// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/kokkos_ext/functor_as_argument.hpp>
#include <tessera/core/kokkos_ext/lanes.hpp>
#include <tessera/core/kokkos_ext/team_scratch.hpp>
#include <tessera/kmc/kernels/checksums.hpp>
#include <tessera/kmc/kernels/tile_report.hpp>
#include <tessera/kmc/state/state.hpp>
#include <tessera/kmc/steps/step_state.hpp>

namespace tessera::kmc {

/// Results of the tiles' runs in the current step, and lists of the tiles to repair.
///
/// All tiles are compared with their neighbours once; later only the repaired ones, because the others have not
/// changed. Two tiles that disagree are listed, except those already run with the halo of the next round. If several
/// threads list a tile, an atomic exchange selects one. The order of a list does not affect the result. If neither tile
/// can be listed, the step is inconsistent.
template <class ExecutionSpace, Model M>
class TileRuns {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;
  using TeamPolicy = Kokkos::TeamPolicy<ExecutionSpace>;
  static constexpr int lanes = lanes_per_tile<ExecutionSpace>;
  static constexpr int checks = kmc::checksums<M>;
  using List = Kokkos::View<std::int32_t*, MemorySpace>;

  /// `groups`: groups_of() the model.
  TileRuns(const Geometry& g, int rounds, int groups)
      : geometry_(g),
        runs_("tessera::kmc::tile_runs", static_cast<std::size_t>(g.all_tiles())),
        checksums_("tessera::kmc::checksums", static_cast<std::size_t>(g.all_tiles()) * checks),
        reports_("tessera::kmc::reports", static_cast<std::size_t>(g.replicas)),
        counted_("tessera::kmc::counted_of_step", static_cast<std::size_t>(g.replicas),
                 static_cast<std::size_t>(groups)),
        count_("tessera::kmc::to_repair_count", static_cast<std::size_t>(rounds) + 1),
        finished_("tessera::kmc::repairing_teams", static_cast<std::size_t>(rounds) + 1) {
    for (auto& list : lists_)
      list = List("tessera::kmc::to_repair", rounds == 0 ? 0 : static_cast<std::size_t>(g.all_tiles()));
  }

  /// Results of a tile in Geometry::table_of_tiles(), for the exchange between ranks.
  KOKKOS_FORCEINLINE_FUNCTION TileChecksums<M> get(int replica, int x, int y) const {
    const std::size_t tile = index_of(replica, x, y);
    TileChecksums<M> results;
    for (int i = 0; i < checks; ++i) results.checksums[i] = checksums_(tile * checks + static_cast<std::size_t>(i));
    results.halo = runs_(tile).halo;
    return results;
  }
  /// Sets the results of a tile in the ghost ring.
  KOKKOS_FORCEINLINE_FUNCTION void put(int replica, int x, int y, const TileChecksums<M>& results) const {
    const std::size_t tile = index_of(replica, x, y);
    for (int i = 0; i < checks; ++i) checksums_(tile * checks + static_cast<std::size_t>(i)) = results.checksums[i];
    runs_(tile) = {0, 0, static_cast<std::int32_t>(results.halo), 0};
  }

  KOKKOS_FORCEINLINE_FUNCTION std::size_t index_of(int replica, int x, int y) const {
    const Geometry& g = geometry_;
    const int row = y + g.spare_tiles(g.ghost_y), column = x + g.spare_tiles(g.ghost_x);
    return static_cast<std::size_t>((std::int64_t{replica} * g.tiles_y + row) * g.tiles_x + column);
  }

  /// Memory for the checksums of a tile.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t* checksums(std::int64_t tile) const { return &checksums_(tile * checks); }

  /// Whether a tile of the replica has found the step too long; the other tiles need not be run.
  KOKKOS_FORCEINLINE_FUNCTION bool too_long(int replica) const {
    // On a GPU an atomic load is an atomic addition of 0, which serialises the teams. An outdated value is harmless.
    KOKKOS_IF_ON_DEVICE((return reports_(replica).too_long != 0;))
    KOKKOS_IF_ON_HOST((return Kokkos::atomic_load(&reports_(replica).too_long) != 0;))
  }

  /// Stores the report of a tile's first run in this step. The time of its last event stays that of an earlier step if
  /// this one has none, except that of a step that was not accepted.
  KOKKOS_FORCEINLINE_FUNCTION void store_first_run(std::int64_t tile, int replica, const TileReport<M>& report,
                                                   int halo, bool after_accepted) const {
    if (report.too_long) return Kokkos::atomic_store(&reports_(replica).too_long, 1u);
    const bool keeps = after_accepted && report.events == 0;
    runs_(tile) = {keeps ? runs_(tile).last_event : report.last_event, report.events, halo, 0};
  }
  /// Stores the report of a repair run.
  KOKKOS_FORCEINLINE_FUNCTION void store_repair(std::int64_t tile, int replica, const TileReport<M>& report,
                                                int halo) const {
    if (report.too_long) return Kokkos::atomic_store(&reports_(replica).too_long, 1u);
    add_events(replica, std::uint64_t{report.events} - runs_(tile).events);  // a decrease wraps modulo 2^64
    runs_(tile) = {report.last_event, report.events, halo, 2};
  }

  /// Adds the events of each group in the last run of a tile to the current step of its replica; `factor`: -1, modulo
  /// 2^64, to subtract them before the next run. Called by all lanes.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void add_counted(const Team& team, const State<MemorySpace, M>& state, std::int64_t tile,
                                               int replica, std::uint64_t factor = 1) const {
    state.visit_counted(team, tile, [&](int group, std::uint32_t count) {
      if (count != 0) Kokkos::atomic_add(&counted_(replica, group), factor * count);
    });
  }

  /// Tile number i < count(round) to run in round `round`, counted from 1.
  KOKKOS_FORCEINLINE_FUNCTION int listed(int round, int i) const { return lists_[round & 1](i); }
  KOKKOS_FORCEINLINE_FUNCTION int count(int round) const {
    return static_cast<const volatile std::int32_t&>(count_(round - 1));  // volatile: other teams may increase it
  }

  /// Compares all tiles of active replicas with their neighbours, lists the tiles to run in round `next_round` with the
  /// halo `next_halo` (0: no such round), and, before round 1, sums the events. With several ranks it is called after
  /// each round, for the tiles of the rank's block. `side_mask`: see TileSteps::check_only().
  void compare_all(const ExecutionSpace& space, const Kokkos::View<StepState*, MemorySpace>& steps, int next_halo,
                   unsigned side_mask, int next_round = 1) const {
    const TileRuns its = *this;
    const Geometry g = geometry_;
    constexpr int chunk = lanes == 1 ? 128 : lanes;
    const int chunks = (g.tiles() + chunk - 1) / chunk;
    Kokkos::parallel_for(
        "tessera::kmc::compare", functor_as_argument(TeamPolicy(space, chunks * g.replicas, lanes)),
        KOKKOS_LAMBDA(const typename TeamPolicy::member_type& team) {
          const int replica = team.league_rank() / chunks;
          if (!steps(replica).active || its.too_long(replica)) return;
          const int first = team.league_rank() % chunks * chunk;
          const int end = first + chunk < g.tiles() ? first + chunk : g.tiles();
          const std::int64_t offset = std::int64_t{replica} * g.tiles();
          std::uint64_t events = 0;
          Kokkos::parallel_reduce(
              Kokkos::TeamThreadRange(team, first, end),
              [&](int t, std::uint64_t& sum) {
                if (!g.owns(t)) return;
                if (next_round == 1) sum += its.runs_(offset + t).events;
                its.compare(replica, t, next_round, next_halo, side_mask);
              },
              events);
          Kokkos::single(Kokkos::PerTeam(team), [&] { its.add_events(replica, events); });
        });
  }

  /// Whether this team is the last of `teams` to finish a round. Each team calls this once. Writes of the other teams
  /// are visible to the last one.
  template <class Team>
  KOKKOS_FUNCTION bool last_to_finish(const Team& team, int round, int teams) const {
    std::int32_t* const count = &finished_(round - 1);
    sync_team(team);
    std::int32_t before = 0;
    if (team.team_rank() == 0) {
      Kokkos::memory_fence();
      before = Kokkos::atomic_fetch_add(count, 1);
      Kokkos::memory_fence();
    }
    if (team.team_size() > 1) team.team_broadcast(before, 0);
    return before == teams - 1;
  }

  /// Compares the tiles of round `round` with their neighbours, and lists the tiles of the next round. Called by all
  /// lanes of one team.
  template <class Team>
  KOKKOS_FUNCTION void compare_listed(const Team& team, int round, int next_halo, unsigned side_mask) const {
    const Geometry& g = geometry_;
    const int tiles = count(round);
    for (int i = team.team_rank(); i < tiles; i += team.team_size()) {
      const int index = listed(round, i), replica = index / g.tiles();
      if (too_long(replica)) continue;
      compare(replica, index - replica * g.tiles(), round + 1, next_halo, side_mask);
    }
    sync_team(team);
  }

  /// Reports the tiles listed for a round as inconsistent.
  template <class Team>
  KOKKOS_FUNCTION void give_up(const Team& team, int round) const {
    for (int i = team.team_rank(); i < count(round); i += team.team_size())
      Kokkos::atomic_inc(&reports_(listed(round, i) / geometry_.tiles()).inconsistent);
  }

  /// Sets the time of the last event of a tile, at the end of an epoch or window.
  KOKKOS_FORCEINLINE_FUNCTION void set_last_event(std::int64_t tile, double time) const {
    runs_(tile).last_event = time;
  }

  /// Time of the last event of a replica that has ended with its last step, or in which no event is possible any more.
  double last_event(const ExecutionSpace& space, int replica) const {
    const auto runs = runs_;
    const std::int64_t first = std::int64_t{replica} * geometry_.tiles();
    double last = 0;
    Kokkos::parallel_reduce(
        "tessera::kmc::last_event", Kokkos::RangePolicy<ExecutionSpace>(space, 0, geometry_.tiles()),
        KOKKOS_LAMBDA(int t, double& latest) {
          latest = runs(first + t).last_event > latest ? runs(first + t).last_event : latest;
        },
        Kokkos::Max<double>(last));
    return last;
  }

  /// Returns and clears the report of a replica on the current step. If the step was too long, the counts depend on
  /// timing and are set to 0.
  KOKKOS_FORCEINLINE_FUNCTION StepReport take_report(int replica) const {
    StepReport report = reports_(replica);
    reports_(replica) = StepReport{};
    if (report.too_long) report.events = report.repaired = 0;
    return report;
  }

  /// Returns and clears the number of events of a group in the current step of a replica.
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t take_counted(int replica, int group) const {
    const std::uint64_t counted = counted_(replica, group);
    counted_(replica, group) = 0;
    return counted;
  }

  /// Number of listed tiles by round, reports by replica, and events by replica and group, for reads by the host.
  const auto& counts() const { return count_; }
  const auto& reports() const { return reports_; }
  const auto& counted() const { return counted_; }

  /// Clears all lists.
  KOKKOS_FUNCTION void clear_lists() const {
    for (std::size_t round = 0; round < count_.extent(0); ++round) count_(round) = finished_(round) = 0;
  }

 private:
  /// Whether the history of the ring beyond side k, as simulated with tile t, equals that of its owner.
  KOKKOS_FORCEINLINE_FUNCTION bool agrees_with_owner(std::int64_t offset, int t, int k, int owner) const {
    return checksums_((offset + t) * checks + sides<M> + k) == checksums_((offset + owner) * checks + opposite(k));
  }

  /// Adds events to the report of a replica.
  KOKKOS_FORCEINLINE_FUNCTION void add_events(int replica, std::uint64_t events) const {
    if (events != 0) Kokkos::atomic_add(&reports_(replica).events, events);
  }

  /// Compares a tile with its neighbours, and lists tiles that disagree for round `round` with this halo.
  KOKKOS_FORCEINLINE_FUNCTION void compare(int replica, int t, int round, int halo, unsigned side_mask) const {
    const std::int64_t offset = std::int64_t{replica} * geometry_.tiles();
    unsigned differ = 0;  // bit k: side k; all loads are issued before tiles are listed
    for (int k = 0; k < sides<M>; ++k) {
      const int other = geometry_.neighbour_tile(t, k);
      const bool ours = (side_mask >> k & 1u) == 0 || agrees_with_owner(offset, t, k, other);
      const bool theirs = (side_mask >> opposite(k) & 1u) == 0 || agrees_with_owner(offset, other, opposite(k), t);
      differ |= (ours & theirs) ? 0u : 1u << k;
    }
    for (int k = 0; k < sides<M>; ++k)
      if ((differ >> k & 1u) != 0) disagree(replica, offset + t, offset + geometry_.neighbour_tile(t, k), round, halo);
  }

  /// Lists two tiles for round `round`.
  KOKKOS_FORCEINLINE_FUNCTION void disagree(int replica, std::int64_t one, std::int64_t other, int round,
                                            int halo) const {
    bool listed = false;
    for (const std::int64_t tile : {one, other}) {
      TileRun& run = runs_(tile);
      if (run.halo >= halo) continue;
      listed = true;
      if (!geometry_.owns(static_cast<int>(tile % geometry_.tiles()))) continue;  // its own rank lists it
      const int before = Kokkos::atomic_exchange(&run.listed, 1);
      if (before == 1) continue;
      if (before == 0) Kokkos::atomic_inc(&reports_(replica).repaired);
      lists_[round & 1](Kokkos::atomic_fetch_add(&count_(round - 1), 1)) = static_cast<std::int32_t>(tile);
    }
    if (!listed) Kokkos::atomic_inc(&reports_(replica).inconsistent);
  }

  Geometry geometry_;
  Kokkos::View<TileRun*, MemorySpace> runs_;             ///< [replicas * tiles]
  Kokkos::View<std::uint64_t*, MemorySpace> checksums_;  ///< [replicas * tiles * checks]
  Kokkos::View<StepReport*, MemorySpace> reports_;       ///< [replicas]
  /// Events of each group in the current step [replicas, groups].
  Kokkos::View<std::uint64_t**, Kokkos::LayoutRight, MemorySpace> counted_;
  List lists_[2];  ///< of odd and even rounds [replicas * tiles]
  List count_;     ///< number of tiles listed for each round
  List finished_;  ///< number of teams that have finished each round
};

}  // namespace tessera::kmc
