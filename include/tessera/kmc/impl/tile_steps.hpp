// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tessera/kmc/impl/rank_borders.hpp>
#include <tessera/kmc/impl/tile_set.hpp>
#include <tessera/kmc/kernels/tile_launches.hpp>

namespace tessera::kmc {

/// The steps of algorithm 1 for all replicas at once, as a sequence of launches without a wait of the host:
///
///     advance   every tile of every active replica (algorithm 2); the comparison detects events of a halo that come in
///               the wrong order and matter for the tile
///     compare   every tile's ring with its owners; disagreeing tiles and their partners are listed
///     repair    the listed tiles are run again from the front buffer with a wider halo, in the first round with one
///               half as much wider, and compared again [repair_rounds times, the later ones in one launch]
///     decide    per replica: accept or reject, next step size; few replicas on GPUs: by the last team that repairs
///     commit    copy what an accepted step has changed to the front buffer; with teams of several lanes decide swaps
///
/// A repaired step is as exact as one that needed no repair: it passes the same comparison. Replicas that fit into one
/// window need none of this (AdvanceReplica).
///
/// Ranks that divide a lattice exchange cells before they advance the tiles at their borders, and checksums before they
/// compare; they repair until no rank has listed a tile, and decide on the sum of their reports (RankBorders).
template <class ExecutionSpace, Model M>
struct TileSteps : TileLaunches<ExecutionSpace, M> {
  using Launches = TileLaunches<ExecutionSpace, M>;
  using Borders = RankBorders<ExecutionSpace, M>;
  using Launches::alone;
  using typename Launches::MemorySpace;

  TileSteps(const ExecutionSpace& space, const State<MemorySpace, M>& state, const M& model, const TileSizes& sizes,
            const StepRules& rules, int repair_rounds, const std::shared_ptr<Borders>& borders = {})
      : Launches(space, state, model, sizes, rules, repair_rounds), borders_(borders) {}

  /// So many steps of every active replica, no more than `records` has columns for.
  void run(int count) const {
    if (this->sizes_.whole()) return this->advance_replicas(count);
    for (int i = 0; i < count; ++i) step(i);
    if constexpr (!alone) this->swap_back();
  }

  /// One step of every active replica; `record` is the column of `records` that it fills.
  void step(int record) const {
    const Geometry& g = this->geometry_;
    advance_all();
    this->compare(1);
    // Rounds of repairs that have a launch of their own with so many tiles.
    const int last =
        alone ? this->rounds_ : std::min(repair_launches(std::int64_t{g.whole_tiles()} * g.replicas), this->rounds_);
    const bool decides = !alone && !borders_ && last > 0 && g.replicas <= this->sizes_.repair_lanes;
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

  /// All ranks: gives the ghost ring the present of its cells.
  void fill_ghosts() const { borders_->fill_ghosts(this->work_.state); }

  /// Compares only the sides in this bit mask (bit k: neighbour k). For tests that show what the check protects from.
  void check_only(unsigned side_mask) { this->side_mask_ = side_mask; }

  /// The events of a site in a step that are to be expected: what is fastest depends on them.
  void expect(double events_per_site) { this->events_per_site_ = events_per_site; }

  /// See AdvanceTile::first_order; by default EventOrder::local.
  void begin_in_order(EventOrder order) { this->work_.first_order = order; }

  /// The time of the last event in the last step of a replica that is not one window.
  double last_event(int replica) const { return this->runs_.last_event(this->space_, replica); }

  /// Bytes allocated on the device.
  std::size_t bytes() const { return Launches::bytes() + (borders_ ? borders_->bytes() : 0); }

 private:
  void advance_all() const {
    const Geometry& g = this->geometry_;
    if (!borders_) return this->advance(this->space_, TileSet::own(g));
    const int halo = this->advance_halo();
    borders_->advance(
        this->work_.state, this->runs_, [&] { this->advance(this->space_, TileSet::inner(g, halo)); },
        [&](const ExecutionSpace& beside) { this->advance(beside, TileSet::border(g, halo)); });
  }

  /// Whether tiles may be listed for this round. Launches on a GPU go on without the number of them.
  bool may_be_listed(int round, int last) const {
    if (borders_) return is_listed_on_any_rank(round, last);
    if (round > last) return false;
    if constexpr (alone) {
      this->space_.fence("tessera::kmc::repair");
      return this->runs_.count(round) > 0;
    }
    return true;
  }

  bool is_listed_on_any_rank(int round, int last) const {
    // Two rounds that may have nothing to do take less time than a sum over all ranks.
    if (round <= std::min(last, 2)) return true;
    const std::int64_t tiles = borders_->listed(this->space_, this->runs_, round);
    if (tiles == 0) return false;
    if (round <= last || tiles <= most_tiles_of_a_team) return true;
    this->give_up(round);
    borders_->listed(this->space_, this->runs_, round);
    return false;
  }

  std::shared_ptr<Borders> borders_;  ///< of a rank's block
};

}  // namespace tessera::kmc
