// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <tessera/kmc/advance_tile.hpp>
#include <tessera/kmc/sparse_steps.hpp>
#include <tessera/kmc/step_state.hpp>
#include <tessera/kmc/tile_run.hpp>

namespace tessera::kmc {

/// The steps of algorithm 1 for all replicas at once, as a sequence of launches that the host need not look at:
///
///     advance   every tile of every active replica (algorithm 2); where events are few, SparseSteps first
///     compare   every tile's ring with its owners; disagreeing tiles and their partners are listed
///     repair    the listed tiles are run again from the front buffer with a wider halo; compare again
///               [repair_rounds times]
///     decide    per replica: accept or reject, next step size
///     commit    make what an accepted step has written the present
///
/// A repaired step is as exact as one that needed no repair: it passes the same comparison. In `compare` several
/// threads may list the same tile; an atomic exchange lets the first one do it, and the order of the list has no
/// influence on the result.
template <class ExecutionSpace, Model M>
struct TileSteps {
  using MemorySpace = typename ExecutionSpace::memory_space;
  using TeamPolicy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>>;
  using Team = typename TeamPolicy::member_type;
  static constexpr int lanes = lanes_per_tile<ExecutionSpace>;
  static constexpr int checks = kmc::checksums<M>;

  TileSteps(const ExecutionSpace& space, const State<MemorySpace, M>& state, const M& model, const TileSizes& sizes,
            const StepRules& rules, int repair_rounds, int records_per_look)
      : space_(space),
        work_{state, model, lazy_default, lanes > 1},
        geometry_(state.geometry),
        sizes_(sizes),
        rules_(rules),
        rounds_(rules.repair ? repair_rounds : 0),
        tiles_("tessera::kmc::tile_runs", static_cast<std::size_t>(geometry_.all_tiles())),
        checksums_("tessera::kmc::checksums", static_cast<std::size_t>(geometry_.all_tiles()) * checks),
        to_repair_("tessera::kmc::to_repair", rounds_ == 0 ? 0 : static_cast<std::size_t>(geometry_.all_tiles())),
        to_repair_count_("tessera::kmc::to_repair_count", static_cast<std::size_t>(rounds_) + 1),
        reports_("tessera::kmc::reports", static_cast<std::size_t>(geometry_.replicas)),
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
      sparse_->advance(steps, tiles_, checksums_, sizes_.halo);
      run_listed("tessera::kmc::advance_listed", sparse_->left(), sparse_->count(), 0, sizes_.halo, 0);
    } else {
      advance_all();
    }
    compare(0);
    for (int round = 1; round <= rounds_; ++round) {
      repair(round);
      compare(round);
    }
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
    sparsely_ = sparse_offered_ && SparseSteps<ExecutionSpace, M>::pays(geometry_, in_window);
  }

  /// Whether tiles with up to so many events in sight are advanced sparsely, however many are expected; for tests.
  void advance_sparsely(bool sparsely, int most_in_sight) {
    if (!sparse_) make_sparse();
    sparse_offered_ = false;
    sparsely_ = sparsely && SparseSteps<ExecutionSpace, M>::offered(sizes_.tile, sizes_.halo);
    sparse_->take_up_to(most_in_sight);
  }

  /// Bytes allocated on the device.
  std::size_t bytes() const {
    return (sparse_ ? sparse_->bytes() : 0) + tiles_.span() * sizeof(TileRun) + checksums_.span() * 8 +
           to_repair_.span() * 4 + to_repair_count_.span() * 4 + steps.span() * sizeof(StepState) +
           reports_.span() * sizeof(StepReport) + records.span() * sizeof(StepRecord);
  }

  void make_sparse() { sparse_.emplace(space_, work_.state, work_.model); }

  static constexpr int lazy_default = 8;
  /// Kokkos' host backends give 32 KiB at level 0; to them the levels are the same memory.
  static constexpr int scratch_level = lanes > 1 ? 0 : 1;

  TeamPolicy tile_policy(std::int64_t league, int halo) const {
    TeamPolicy policy(space_, static_cast<int>(league), lanes);
    policy.set_scratch_size(scratch_level,
                            Kokkos::PerTeam(static_cast<int>(team_bytes(sizes_.tile, halo, lanes) + 16)));
    return policy;
  }

  KOKKOS_FUNCTION static char* scratch_of(const Team& team, const AdvanceTile<ExecutionSpace, M>& work, int halo) {
    return static_cast<char*>(
        team.team_scratch(int{scratch_level}).get_shmem_aligned(team_bytes(work.state.geometry.tile, halo, lanes), 16));
  }

  /// Runs a tile and keeps its report.
  KOKKOS_FUNCTION static void run(const Team& team, char* scratch, const AdvanceTile<ExecutionSpace, M>& work,
                                  const StepState& s, int replica, int tile, int halo, int round,
                                  const Kokkos::View<TileRun*, MemorySpace>& tiles,
                                  const Kokkos::View<std::uint64_t*, MemorySpace>& checksums) {
    const std::int64_t index = std::int64_t{replica} * work.state.geometry.tiles() + tile;
    const TileReport report =
        work.run(team, scratch, replica, tile, halo, s.time, s.target, &checksums(index * checks));
    if (team.team_rank() == 0) {
      work.state.written(index) = report.touched;
      tiles(index) = {report.last_event, report.events, round, 0};
    }
  }

  void advance_all() const {
    const auto work = work_;
    const auto s = steps;
    const auto tiles = tiles_;
    const auto checksums = checksums_;
    const int halo = sizes_.halo;
    Kokkos::parallel_for(
        "tessera::kmc::advance", tile_policy(geometry_.all_tiles(), halo), KOKKOS_LAMBDA(const Team& team) {
          const int replica = team.league_rank() / work.state.geometry.tiles();
          const int tile = team.league_rank() % work.state.geometry.tiles();
          if (!s(replica).active) return;
          run(team, scratch_of(team, work, halo), work, s(replica), replica, tile, halo, 0, tiles, checksums);
        });
  }

  /// Teams for the tiles on a list, which are few as a rule.
  int listed_league() const { return static_cast<int>(std::min(geometry_.all_tiles(), std::int64_t{2048})); }

  /// Runs the listed tiles, count(place) of them.
  void run_listed(const char* label, const Kokkos::View<std::int32_t*, MemorySpace>& list,
                  const Kokkos::View<std::int32_t*, MemorySpace>& count, int place, int halo, int round) const {
    const auto work = work_;
    const auto s = steps;
    const auto tiles = tiles_;
    const auto checksums = checksums_;
    Kokkos::parallel_for(
        label, tile_policy(listed_league(), halo), KOKKOS_LAMBDA(const Team& team) {
          char* const scratch = scratch_of(team, work, halo);
          for (int i = team.league_rank(); i < count(place); i += team.league_size()) {
            const int replica = list(i) / work.state.geometry.tiles();
            const int tile = list(i) % work.state.geometry.tiles();
            run(team, scratch, work, s(replica), replica, tile, halo, round, tiles, checksums);
            sync_lanes(team);
          }
        });
  }

  /// Runs the tiles again that the last comparison has listed: where the step has looked for events, those with few of
  /// them sparsely.
  void repair(int round) const {
    const int halo = sizes_.repair_halo, place = round - 1;
    if (!sparsely_ || !SparseSteps<ExecutionSpace, M>::offered(sizes_.tile, halo))
      return run_listed("tessera::kmc::repair", to_repair_, to_repair_count_, place, halo, round);
    using Sparse = AdvanceSparsely<ExecutionSpace, M>;
    const auto work = work_;
    const Sparse sparse = sparse_->repair();
    const auto s = steps;
    const auto tiles = tiles_;
    const auto checksums = checksums_;
    const auto list = to_repair_;
    const auto count = to_repair_count_;
    const std::size_t bytes =
        std::max(team_bytes(sizes_.tile, halo, lanes), Sparse::Touched::bytes(sizes_.tile + 2 * halo, sparse.room));
    TeamPolicy policy(space_, listed_league(), lanes);
    policy.set_scratch_size(scratch_level, Kokkos::PerTeam(static_cast<int>(bytes + 16)));
    Kokkos::parallel_for(
        "tessera::kmc::repair_sparsely", policy, KOKKOS_LAMBDA(const Team& team) {
          char* const scratch = static_cast<char*>(team.team_scratch(int{scratch_level}).get_shmem_aligned(bytes, 16));
          for (int i = team.league_rank(); i < count(place); i += team.league_size()) {
            const int index = list(i), replica = index / work.state.geometry.tiles();
            const int tile = index - replica * work.state.geometry.tiles();
            TileReport report;
            const bool done = sparse.run(team, scratch, replica, tile, halo, s(replica).target,
                                         &checksums(static_cast<std::size_t>(index) * checks), report);
            sync_lanes(team);
            if (!done) {
              run(team, scratch, work, s(replica), replica, tile, halo, round, tiles, checksums);
            } else if (team.team_rank() == 0) {
              tiles(index) = {report.last_event, report.events, round, 0};
            }
            sync_lanes(team);
          }
        });
  }

  /// Compares every ring with its owners after round `round`. Before the last round, lists what is to be run again;
  /// after it, reports inconsistent tiles and adds up the events.
  void compare(int round) const {
    const auto g = geometry_;
    const auto s = steps;
    const auto tiles = tiles_;
    const auto checksums = checksums_;
    const auto list = to_repair_;
    const auto count = to_repair_count_;
    const auto reports = reports_;
    const bool last = round == rounds_;
    const unsigned side_mask = side_mask_;
    constexpr int chunk = 128;
    const int chunks = (g.tiles() + chunk - 1) / chunk;
    const int team_size = lanes == 1 ? 1 : chunk;
    Kokkos::parallel_for(
        "tessera::kmc::compare", TeamPolicy(space_, chunks * g.replicas, team_size), KOKKOS_LAMBDA(const Team& team) {
          const int replica = team.league_rank() / chunks;
          if (!s(replica).active || (round > 0 && !last && count(round - 1) == 0)) return;
          const int first = team.league_rank() % chunks * chunk;
          const std::int64_t offset = std::int64_t{replica} * g.tiles();
          const int end = first + chunk < g.tiles() ? first + chunk : g.tiles();
          std::uint64_t events = 0;
          Kokkos::parallel_reduce(
              Kokkos::TeamThreadRange(team, first, end),
              [&](int t, std::uint64_t& sum) {
                sum += tiles(offset + t).events;
                bool consistent = true;
                for (int k = 0; k < sides<M>; ++k) {
                  const int owner = g.beside(t, k);
                  if ((side_mask >> k & 1u) == 0) continue;
                  if (checksums((offset + t) * checks + sides<M> + k) ==
                      checksums((offset + owner) * checks + opposite(k)))
                    continue;
                  consistent = false;
                  if (last) continue;
                  for (const int partner : {t, owner}) {
                    TileRun& tile = tiles(offset + partner);
                    if (tile.round > 0 || Kokkos::atomic_exchange(&tile.listed, 1) != 0) continue;
                    list(Kokkos::atomic_fetch_add(&count(round), 1)) = static_cast<int>(offset + partner);
                    Kokkos::atomic_inc(&reports(replica).repaired);
                  }
                }
                if (last && !consistent) Kokkos::atomic_inc(&reports(replica).inconsistent);
              },
              events);
          if (!last) return;
          std::uint64_t latest = 0;
          Kokkos::parallel_reduce(
              Kokkos::TeamThreadRange(team, first, end),
              [&](int t, std::uint64_t& bits) {
                const std::uint64_t its = tiles(offset + t).events > 0 ? bits_of(tiles(offset + t).last_event) : 0;
                bits = its > bits ? its : bits;
              },
              Kokkos::Max<std::uint64_t>(latest));
          Kokkos::single(Kokkos::PerTeam(team), [&] {
            Kokkos::atomic_add(&reports(replica).events, events);
            Kokkos::atomic_max(&reports(replica).last_event_bits, latest);
          });
        });
  }

  void decide(int record) const {
    const auto s = steps;
    const auto reports = reports_;
    const auto history = records;
    const auto count = to_repair_count_;
    const bool sparsely = sparsely_;
    const auto left = sparsely ? sparse_->count() : to_repair_count_;
    const auto rules = rules_;
    Kokkos::parallel_for(
        "tessera::kmc::decide", Kokkos::RangePolicy<ExecutionSpace>(space_, 0, geometry_.replicas),
        KOKKOS_LAMBDA(int replica) {
          StepState state = s(replica);
          const StepReport report = reports(replica);
          if (replica == 0) {
            for (std::size_t round = 0; round < count.extent(0); ++round) count(round) = 0;
            if (sparsely) left(0) = 0;
          }
          StepRecord line{state.time, state.target - state.time, static_cast<double>(report.repaired) / rules.tiles,
                          report.events, -1};
          state.accept = 0;
          if (state.active) {
            rules.decide(state, report);
            line.accepted = state.accept;
            rules.aim(state);
            reports(replica) = StepReport{};
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
  Kokkos::View<TileRun*, MemorySpace> tiles_;            ///< [replicas * tiles]
  Kokkos::View<std::uint64_t*, MemorySpace> checksums_;  ///< [replicas * tiles * checks]
  Kokkos::View<std::int32_t*, MemorySpace> to_repair_;   ///< [replicas * tiles]
  Kokkos::View<std::int32_t*, MemorySpace> to_repair_count_;
  Kokkos::View<StepReport*, MemorySpace> reports_;  ///< [replicas]

  Kokkos::View<StepState*, MemorySpace> steps;      ///< [replicas]
  Kokkos::View<StepRecord**, MemorySpace> records;  ///< [replicas, steps between two looks of the host]
};

}  // namespace tessera::kmc
