// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <tessera/core/host_array.hpp>
#include <tessera/kmc/space/box.hpp>
#include <tessera/kmc/space/models.hpp>
#include <tessera/kmc/space/slab_borders.hpp>
#include <tessera/kmc/space/tile_launches.hpp>
#include <tessera/kmc/space/window.hpp>
#include <tessera/parallel/distribution.hpp>
#include <tuple>
#include <utility>
#include <vector>

namespace tessera::kmc::space {

/// Steps of a replica: its time, and the length of the next step.
struct Progress {
  Step step = {};                                                      ///< the present state
  double length = 0;                                                   ///< of the next step, in ticks
  bool was_too_long = false;                                           ///< any step so far
  std::uint64_t events = 0, accepted = 0, rejected = 0, repaired = 0;  ///< since time 0
  std::uint64_t last_event = 0;                                        ///< its tick, of a model that lists its events
  std::vector<std::uint64_t> counted = {};                             ///< events of its groups
  int rejections = 0;                                                  ///< of this step; each makes it shorter
  std::uint32_t too_few = 0;  ///< a step of this length has too few events for the end of the run
  std::uint32_t enough = 0;   ///< one of this length enough; 0: not known
  bool is_over = false;       ///< no cell has a rate

  std::uint64_t now() const { return step.begin + step.now; }  ///< ticks since time 0
};

/// Steps of all replicas by tiles: exact kinetic Monte Carlo of Darkins, Duffy and Ford (2024) in three dimensions. All
/// tiles are run through the step, from the front buffer to the back buffer, and compared with their 26 neighbours.
/// Tiles that disagree are run again, in eight parts with a wider halo, and compared anew, until all agree. The
/// trajectory is that of the sequential method (Sequential), to the last bit.
template <class ExecutionSpace, Model M>
class TileSteps {
 public:
  using Launches = TileLaunches<ExecutionSpace, M>;
  static constexpr int least_side = Launches::tile + 2 * Launches::halo;  ///< of the box
  /// Step, in ticks.
  static constexpr std::uint32_t longest = Launches::lists ? epoch : CellWord<M>::no_event - 1;

  /// Allocates replicas in a box, which must be even and not smaller than least_side; `distribution`: of its planes, in
  /// pairs. `records`: whether tiles record their events; steps are then so short that no tile has more of them than it
  /// has room for.
  TileSteps(const ExecutionSpace& space, const M& model, const Box& box, int replicas, std::uint64_t seed,
            bool records = false, const parallel::Distribution& distribution = {})
      : launches_(space, model, slab_of(box, distribution), replicas, seed, records,
                  distribution.ranks.sum(std::int64_t{slab_of(box, distribution).all_tiles()})),
        borders_(space, distribution) {}

  /// The part of the cells of all replicas whose states may have events, of models that list their changes.
  double acting_part(const std::vector<Progress>& replicas) {
    write_steps(replicas);
    const auto cells = launches_.cells_;
    const M model = launches_.model_;
    const Box box = launches_.box_;
    std::int64_t count = 0;
    const std::int64_t all = box.own_sites() * cells.replicas;
    Kokkos::parallel_reduce(
        "tessera::kmc::count_acting_in_space", Indices<ExecutionSpace>(launches_.space_, 0, all),
        KOKKOS_LAMBDA(const std::int64_t i, std::int64_t& sum) {
          const auto replica = static_cast<int>(i / box.own_sites());
          const std::int64_t at =
              cells.first(cells.steps(replica).front, replica, box) + box.first_own() + i % box.own_sites();
          if (may_act(model, cells.states(at))) ++sum;
        },
        count);
    return static_cast<double>(borders_.ranks().sum(count)) / (1.0 * box.all * cells.replicas);
  }

  /// Divides the box, for a model that lists its changes, into the largest tiles whose lists have room for an event of
  /// each cell that may have one, if there are enough tiles for all teams.
  void fit_tiles(const std::vector<Progress>& replicas) {
    if constexpr (Launches::lists) {
      const int* const sides = launches_.box_.sides;
      const double part = acting_part(replicas), teams = launches_.space_.concurrency() / (2.0 * Launches::lanes);
      const auto box_for = [&](int side) {
        Box box = launches_.box_;
        box.divide(side - 2 * Launches::halo);
        return box;
      };
      const auto fits = [&](int side) {
        return 0.7 * part * side * side * side <= Launches::Advance::most_listed(side, launches_.model_.bits()) &&
               1.0 * box_for(side).all_tiles() * launches_.cells_.replicas >= teams;
      };
      int side = std::min({largest_window_side(launches_.model_.bits()), sides[0], sides[1], sides[2]}) / 8 * 8;
      while (side > least_side && !fits(side)) side -= 8;
      const Box box = box_for(static_cast<int>(borders_.ranks().min(std::int64_t{side})));
      const std::int64_t whole_tiles = borders_.ranks().sum(std::int64_t{box.all_tiles()});
      if (!std::ranges::equal(box.tiles, launches_.box_.tiles) || whole_tiles != launches_.whole_tiles_)
        launches_.set_tiles(box, whole_tiles);
    }
  }

  /// Advances all replicas whose steps have a length by one step, or not at all, and sets the lengths of the next ones.
  /// `stopping_events`: number of events at which a replica ends.
  void run(std::vector<Progress>& replicas, std::uint64_t stopping_events) {
    write_steps(replicas);
    Kokkos::deep_copy(launches_.space_, launches_.cells_.tallies, Tally{});
    Kokkos::deep_copy(launches_.space_, launches_.counts_, 0u);
    ++launches_.round_;
    launches_.advance();
    share_tiles();
    launches_.compare(false, launches_.all_tiles_);
    for (std::size_t count = take_count(); borders_.ranks().any(count > 0); count = take_count()) {
      if (count > 0) launches_.repair(count);
      if (count > 0) launches_.combine(count);
      const std::uint32_t now = launches_.round_++;
      reset_count(launches_.round_);
      share_tiles();
      // Those of other ranks may have been repaired.
      if (borders_.is_serial())
        launches_.compare(true, count, now);
      else
        launches_.compare(false, launches_.all_tiles_);
    }
    std::vector<std::uint64_t> counted;
    if constexpr (ListsChanges<M>) counted = counted_of_replicas();
    const std::size_t numbers = counted.size() / replicas.size();
    const std::vector<Tally> tallies = sums_of_tallies();
    bool any = false;
    for (std::size_t r = 0; r < replicas.size(); ++r)
      if (replicas[r].step.length > 0)
        any |= conclude(replicas[r], tallies[r], std::span(counted).subspan(r * numbers, numbers), stopping_events);
    if (any) fill_ghosts(replicas);
  }

  /// Length of the next step of a replica, up to tick `until`, the end of the epoch, or, by bisection, the tick after
  /// its last event.
  std::uint32_t next_length(const Progress& one, std::uint64_t until) const {
    if (one.enough > 0) return std::max(one.too_few + 1, one.too_few + (one.enough - one.too_few) / 2);
    const std::uint64_t most = std::min<std::uint64_t>(until - one.now(), epoch - one.step.now);
    return static_cast<std::uint32_t>(std::max(
        1.0, std::min({one.length * std::pow(0.7, one.rejections), double{longest}, static_cast<double>(most)})));
  }

  /// Sets the times of cells without a known event anew at the begin of an epoch, for replicas at the end of theirs,
  /// and whether these are over.
  void begin_epochs(std::vector<Progress>& replicas) {
    bool any = false;
    for (Progress& one : replicas) {
      const bool ends = one.step.now == epoch;
      any |= ends;
      one.step.length = ends ? 1 : 0;  // marks it
      if (!ends) continue;
      one.step.begin += epoch;
      one.step.now = 0;
    }
    if (!any) return;
    write_steps(replicas);
    Kokkos::deep_copy(launches_.space_, launches_.cells_.tallies, Tally{});
    launches_.draw_times(true);
    const std::vector<Tally> tallies = sums_of_tallies();
    fill_ghosts(replicas);
    for (std::size_t r = 0; r < replicas.size(); ++r) {
      replicas[r].is_over = replicas[r].step.length > 0 && tallies[r].events == 0;
      replicas[r].step.length = 0;
    }
  }

  /// Copies the present states and times of all replicas from the ranks around.
  void fill_ghosts(const std::vector<Progress>& replicas) {
    borders_.fill_ghosts(launches_.cells_, launches_.box_, steps_of(replicas));
  }

  /// Makes the initial states and times of all replicas, in buffer 0.
  void start() {
    std::vector<Progress> replicas(static_cast<std::size_t>(launches_.cells_.replicas));
    for (Progress& one : replicas) one.step.length = 1;
    write_steps(replicas);
    launches_.start_states();
    launches_.draw_times(false);
    fill_ghosts(replicas);
  }

  const auto& cells() const { return launches_.cells_; }  ///< states and times
  const Box& box() const { return launches_.box_; }       ///< of this rank
  const SlabBorders<ExecutionSpace>& borders() const { return borders_; }

  /// The numbers that the tiles of each replica have counted in the step [replicas, numbers_counted].
  std::vector<std::uint64_t> counted_of_replicas() {
    const auto cells = launches_.cells_;
    const auto counted = launches_.counted_;
    const auto of_replicas = launches_.counted_of_replicas_;
    const auto tiles = static_cast<std::uint32_t>(launches_.box_.all_tiles());
    Kokkos::deep_copy(launches_.space_, of_replicas, std::uint64_t{0});
    Kokkos::parallel_for(
        "tessera::kmc::count_in_space", Kokkos::RangePolicy<ExecutionSpace>(launches_.space_, 0, launches_.all_tiles_),
        KOKKOS_LAMBDA(const std::size_t number) {
          const std::uint32_t tile = static_cast<std::uint32_t>(number), replica = tile / tiles;
          if (cells.steps(static_cast<int>(replica)).length == 0) return;
          for (int k = 0; k < cells.numbers_counted; ++k) {
            const std::uint64_t its = counted(Launches::first_counted(cells, tile) + k);
            if (its > 0) Launches::add_counted(&of_replicas(std::int64_t{replica} * cells.numbers_counted + k), its, k);
          }
        });
    std::vector<std::uint64_t> all = to_host(launches_.space_, of_replicas);
    if (borders_.is_serial()) return all;
    std::vector<std::int64_t> last;  // number 0 is a maximum
    for (std::size_t i = 0; i < all.size(); i += static_cast<std::size_t>(cells.numbers_counted))
      last.push_back(static_cast<std::int64_t>(all[i]));
    borders_.ranks().sum(std::span(all));
    borders_.ranks().max(std::span(last));
    for (std::size_t r = 0; r < last.size(); ++r)
      all[r * static_cast<std::size_t>(cells.numbers_counted)] = static_cast<std::uint64_t>(last[r]);
    return all;
  }

  /// The events of a replica of the whole array in its last step, in their order.
  std::vector<EventRecord> recorded(std::size_t replica) const {
    const auto cells = launches_.cells_;
    const auto counted = launches_.counted_, events = launches_.events_;
    const Box box = launches_.box_;
    const std::size_t tiles = static_cast<std::size_t>(box.all_tiles());
    const std::vector<std::uint32_t> numbers =
        to_host(launches_.space_, Kokkos::subview(events, std::pair(replica * tiles, (replica + 1) * tiles)));
    const Kokkos::View<EventRecord*, typename Launches::MemorySpace> all(
        Launches::without("recorded"), std::reduce(numbers.begin(), numbers.end(), std::size_t{0}));
    const typename Launches::List used("tessera::kmc::number_recorded", 1);
    Kokkos::parallel_for(
        "tessera::kmc::list_events_in_space",
        Kokkos::RangePolicy<ExecutionSpace>(launches_.space_, replica * tiles, (replica + 1) * tiles),
        KOKKOS_LAMBDA(const std::size_t tile) {
          const std::uint32_t count = events(tile), first = Kokkos::atomic_fetch_add(&used(0), count);
          auto* const records =
              &counted(Launches::first_counted(cells, static_cast<std::uint32_t>(tile))) + cells.numbers_counted;
          for (std::uint32_t i = 0; i < count; ++i) all(first + i) = record_of(records, i);
        });
    std::vector<EventRecord> sorted = borders_.joined(to_host(launches_.space_, all));
    std::ranges::sort(sorted, {}, [&](const EventRecord& one) {
      const Offset at = box.at(one.site);  // in the whole array, too
      return std::tuple(one.key, Box::parities(at.x, at.y, at.z), one.site);
    });
    return sorted;
  }

 private:
  static Box slab_of(const Box& whole, const parallel::Distribution& distribution) {
    if (distribution.is_serial()) return whole;
    const parallel::Block pairs = distribution.grid.rows(distribution.units, distribution.ranks.rank());
    return whole.slab({2 * pairs.first, 2 * pairs.last}, Launches::ghosts, Launches::tile);
  }
  static std::vector<Step> steps_of(const std::vector<Progress>& replicas) {
    std::vector<Step> steps;
    for (const Progress& one : replicas) steps.push_back(one.step);
    return steps;
  }
  void write_steps(const std::vector<Progress>& replicas) {
    copy_and_wait(launches_.space_, launches_.cells_.steps, host_array(steps_of(replicas)));
  }
  std::vector<Tally> sums_of_tallies() const {
    std::vector<Tally> tallies = to_host(launches_.space_, launches_.cells_.tallies);
    borders_.sum(tallies);
    return tallies;
  }
  void share_tiles() {
    borders_.share_tiles(launches_.sums_, launches_.repaired_, launches_.box_, launches_.cells_.replicas,
                         Launches::number_of_sums);
  }
  std::size_t take_count() {
    std::uint32_t count[2];
    copy_and_wait(launches_.space_, Kokkos::View<std::uint32_t[2], Kokkos::HostSpace>(count), launches_.counts_);
    return count[launches_.round_ & 1];
  }
  void reset_count(std::uint32_t round) {
    Kokkos::deep_copy(launches_.space_, Kokkos::subview(launches_.counts_, round & 1), 0u);
  }

  /// Accepts or rejects a step; returns whether it is accepted.
  bool conclude(Progress& one, const Tally& tally, std::span<const std::uint64_t> counted,
                std::uint64_t stopping_events) const {
    const double tiles = static_cast<double>(launches_.whole_tiles_), share = tally.repairs / tiles,
                 target = std::max(0.01, 2 / (tiles * launches_.cells_.replicas));
    // Of several replicas with few tiles, more steps without repairs are faster.
    const bool few = target * tiles < 1;
    const double grow = few ? 1.02 : 1.03, relax = few ? 0.9 : 0.95, far_too_many = few ? 8 / tiles : 4 * target;
    const std::uint32_t length = one.step.length;
    if (tally.inconsistent > 0 || tally.repairs > launches_.most_repairs_) {
      ++one.rejected;
      ++one.rejections;
      if (share > target) {  // else it was a rare chain of events
        one.was_too_long = true;
        one.length = std::max(1.0, one.length * 0.7);
        one.rejections = 0;
      }
      one.enough = one.too_few = 0;
      return false;
    }
    one.repaired += tally.repairs;
    if (one.events + tally.events >= stopping_events && one.too_few + 1 < length) {  // it ends at an earlier tick
      one.enough = length;
      return false;
    }
    if (one.enough > 0 && one.events + tally.events < stopping_events) {
      one.too_few = length;
      return false;
    }
    ++one.accepted;
    one.rejections = 0;
    one.events += tally.events;
    if (!counted.empty() && counted[0] > 0) one.last_event = one.now() + counted[0] - 1;
    for (std::size_t i = 0; i < one.counted.size(); ++i) one.counted[i] += counted[i + 1];
    one.step.front = 1 - one.step.front;
    one.step.now += length;
    one.enough = one.too_few = 0;
    if (share > target || tally.rounds > most_rounds) {
      one.was_too_long = true;
      const double factor = share > far_too_many ? 0.8 : relax;
      one.length = length * std::max(0.5, std::min(factor, most_rounds / (tally.rounds + 1.0)));
    } else if (length + 1.0 >= one.length) {
      const bool is_short = share == 0 && tally.rounds > 0 && 4 * tally.rounds < most_rounds;
      one.length = std::min<double>(length * (one.was_too_long ? grow : (is_short ? 3 : 1.5)) + 1, longest);
    }
    return true;
  }

  /// Of the slowest tile, for which all others wait.
  static constexpr int most_rounds = 48;

  Launches launches_;
  SlabBorders<ExecutionSpace> borders_;
};

}  // namespace tessera::kmc::space
