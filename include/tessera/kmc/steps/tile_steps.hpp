// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <tessera/kmc/steps/rank_borders.hpp>
#include <tessera/kmc/steps/tile_launches.hpp>
#include <tessera/kmc/steps/tile_set.hpp>

namespace tessera::kmc {

/// Steps of algorithm 1 for all replicas at once, as a sequence of kernels for which the host does not wait:
///
///     advance   all tiles of the active replicas (algorithm 2). The comparison detects events in a halo that
///               occurred out of causal order and affect the tile
///     compare   the ring of each tile with the owners of its cells; lists tiles that disagree, and their partners
///     repair    reruns the listed tiles from the front buffer with a wider halo (in the first of several rounds one
///               half as much wider), and compares again [repair_rounds times; the last rounds share one launch]
///     decide    accepts or rejects the step of each replica, and sets the next step size; with few replicas on a
///               GPU the last repairing team does it
///     commit    copies the cells that an accepted step has changed to the front buffer; with teams of several lanes
///               decide swaps the buffers instead
///
/// Replicas that fit into a single tile need no comparison (AdvanceReplica). Ranks of a divided lattice repair until no
/// rank has listed a tile, and decide from the sum of their reports (RankBorders).
template <class ExecutionSpace, Model M>
struct TileSteps : TileLaunches<ExecutionSpace, M> {
  using Launches = TileLaunches<ExecutionSpace, M>;
  using Borders = RankBorders<ExecutionSpace, M>;
  using Launches::single_lane;
  using typename Launches::MemorySpace;

  TileSteps(const ExecutionSpace& space, const State<MemorySpace, M>& state, const M& model, const TileSizes& sizes,
            const StepRules& rules, int repair_rounds, const std::shared_ptr<Borders>& borders = {})
      : Launches(space, state, model, sizes, rules, repair_rounds), borders_(borders) {}

  /// Makes `count` steps of every active replica, at most as many as `records` has columns. `may_be_fewer`: see
  /// advance_replicas().
  void run(int count, bool may_be_fewer = false) const {
    if (this->sizes_.whole()) return this->advance_replicas(count, may_be_fewer);
    for (int i = 0; i < count; ++i) step(i);
    if constexpr (!single_lane) this->swap_back();
  }

  /// Makes one step of every active replica, and writes column `record` of `records`.
  void step(int record) const {
    const Geometry& g = this->geometry_;
    advance_all();
    this->compare(1);
    // Number of repair rounds that have a launch of their own.
    const int last = single_lane ? this->rounds_
                                 : std::min(repair_launches(std::int64_t{g.whole_tiles()} * g.replicas), this->rounds_);
    const bool decides = !single_lane && !borders_ && last > 0 && g.replicas <= this->sizes_.repair_lanes;
    for (int round = 1; may_be_listed(round, last); ++round) {
      const bool is_last = !borders_ && round == last;
      this->repair(round, is_last ? this->rounds_ : round, decides && is_last ? record : this->none);
      if (!borders_) continue;
      borders_->exchange_checksums(g, this->runs_);
      this->compare(round + 1);
    }
    if (borders_) borders_->share_reports(this->space_, this->runs_);
    if (!decides) this->decide(record);
    this->commit();
  }

  /// Collective. Copies the current cells of the neighbours to the ghost ring.
  void fill_ghosts() const {
    borders_->fill_ghosts(this->work_.state);
    set_sums_of_ghosts(this->space_, this->work_.state, this->work_.model);
  }

  /// Compares only the sides in this bit mask (bit k: neighbour k). For tests that show which errors the comparison
  /// detects.
  void check_only(unsigned side_mask) { this->side_mask_ = side_mask; }

  /// Sets the expected number of events per site and step, which selects the fastest mapping.
  void set_events_per_site(double events_per_site) { this->events_per_site_ = events_per_site; }

  /// See AdvanceTile::first_order; by default EventOrder::local.
  void set_first_order(EventOrder order) { this->work_.first_order = order; }

  /// Time of the last event of a replica, now in state `its`, that had it in its last batch of steps.
  double last_event(int replica, const StepState& its) const {
    return this->sizes_.whole() ? its.last_event : this->runs_.last_event(this->space_, replica);
  }

 private:
  void advance_all() const {
    const Geometry& g = this->geometry_;
    if (!borders_) return this->advance(this->space_, TileSet::own(g));
    const int halo = this->advance_halo();
    borders_->advance(
        this->work_.state, this->runs_, [&] { this->advance(this->space_, TileSet::inner(g, halo)); },
        [&](const ExecutionSpace& beside) {
          set_sums_of_ghosts(beside, this->work_.state, this->work_.model);
          this->advance(beside, TileSet::border(g, halo));
        });
  }

  /// Whether tiles may be listed for this round. On a GPU the host does not wait for their number.
  bool may_be_listed(int round, int last) const {
    if (borders_) return is_listed_on_any_rank(round, last);
    if (round > last) return false;
    if constexpr (single_lane) {
      this->space_.fence("tessera::kmc::repair");
      return this->runs_.count(round) > 0;
    }
    return true;
  }

  bool is_listed_on_any_rank(int round, int last) const {
    // Two rounds without work take less time than a sum over all ranks.
    if (round <= std::min(last, 2)) return true;
    const std::int64_t tiles = borders_->listed(this->space_, this->runs_, round);
    if (tiles == 0) return false;
    if (round <= last || tiles <= most_tiles_of_a_team) return true;
    this->give_up(round);
    borders_->listed(this->space_, this->runs_, round);
    return false;
  }

  std::shared_ptr<Borders> borders_;  ///< if the lattice is divided among ranks
};

}  // namespace tessera::kmc
