// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <tessera/core/host_array.hpp>
#include <tessera/core/kokkos_ext/team_scratch.hpp>
#include <tessera/kmc/space/box.hpp>
#include <tessera/kmc/space/listed_window.hpp>
#include <tessera/kmc/space/models.hpp>
#include <tessera/kmc/space/window.hpp>
#include <type_traits>
#include <vector>

namespace tessera::kmc::space {

/// Kernels of a step, and arrays of all tiles (TileSteps), public for nvcc. AMD's GPUs lack registers for five teams.
template <class ExecutionSpace, Model M>
struct TileLaunches {
  using MemorySpace = typename ExecutionSpace::memory_space;            ///< of the state
  static constexpr int lanes = runs_on_host<ExecutionSpace> ? 1 : 256;  ///< of a team
  static constexpr bool single_lane = lanes == 1, lists = ListsChanges<M>;
  static constexpr int tile = lists ? 16 : (single_lane ? 24 : 12), halo = lists ? 8 : 4;  ///< largest or least side
  static constexpr int repair_halo = lists ? 12 : (single_lane ? 10 : 7), margin = 3;      ///< in repairs
  static constexpr int reach = M::moves ? 4 : M::Lattice::neighbours == 12 ? 2 : 3;  ///< of compared events, no lists
  using Advance = std::conditional_t<lists, ListedWindow<M, halo, 0, single_lane>,
                                     Window<M, tile, halo, 0, reach, single_lane>>;  ///< of a tile
  using Repair = std::conditional_t<lists, ListedWindow<M, repair_halo, margin, single_lane>,
                                    Window<M, tile / 2, repair_halo, margin, reach, single_lane>>;  ///< of a part
  static constexpr std::size_t number_of_sums = Advance::number_of_sums;                            ///< of a tile
  using List = Kokkos::View<std::uint32_t*, MemorySpace>;
  using Sums = Kokkos::View<std::uint64_t*, MemorySpace>;
  using Policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::LaunchBounds<256, warp_lanes == 64 ? 2 : lists ? 4 : 5>>;
  using Member = typename Policy::member_type;
  static constexpr int ghosts = (repair_halo + 1) / 2 * 2;  ///< of Box::slab
  static_assert(!lists || sizeof(Repair) <= 512);

  /// Allocates replicas in a box. `records`: whether tiles record their events. `whole_tiles`: those of all ranks.
  TileLaunches(const ExecutionSpace& its_space, const M& its_model, const Box& its_box, int replicas,
               std::uint64_t seed, bool records, std::int64_t whole_tiles)
      : space_(its_space),
        model_(its_model),
        box_(its_box),
        clock_(model_),
        counts_("tessera::kmc::counts", 2),
        records_(records) {
    const auto systems = static_cast<std::size_t>(replicas), all = 2 * systems * static_cast<std::size_t>(box_.sites());
    cells_.states = decltype(cells_.states)(without("states"), all);
    cells_.times = decltype(cells_.times)(without("times"), all);
    cells_.steps = decltype(cells_.steps)("tessera::kmc::steps", systems);
    cells_.tallies = decltype(cells_.tallies)("tessera::kmc::tallies", systems);
    cells_.ticks = clock_.ticks;
    cells_.seed = seed;
    cells_.replicas = replicas;
    cells_.means = on_device<double>("means", std::vector<double>(clock_.means, clock_.means + 16));
    if constexpr (lists) {
      const int numbers = cells_.numbers_counted = 1 + groups_of(model_);
      counted_of_replicas_ = Sums(without("counted_of_replicas"), systems * static_cast<std::size_t>(numbers));
    } else {
      cells_.concerned = on_device<std::int32_t>("concerned", packed_offsets<M>());
    }
    set_tiles(its_box, whole_tiles);
  }

  static Box divided(int nx, int ny, int nz, int side) { return {nx, ny, nz, side, lists && nx % 8 == 0 ? 8 : 2}; }
  /// Divides the box otherwise, and allocates the arrays of the tiles.
  void set_tiles(const Box& box, std::int64_t whole_tiles) {
    box_ = box;
    whole_tiles_ = whole_tiles;
    const int largest = std::max({box.begin(0, 1), box.begin(1, 1), box.begin(2, 1)});
    cells_.window_side = (largest + 7) / 8 * 8 + 2 * halo;
    all_tiles_ = static_cast<std::size_t>(cells_.replicas) * static_cast<std::size_t>(box_.all_tiles());
    most_repairs_ = static_cast<std::uint32_t>(std::min(whole_tiles, whole_tiles / 4 + 64));
    const std::size_t most_listed = std::min(all_tiles_, static_cast<std::size_t>(cells_.replicas) * most_repairs_);
    const std::size_t with_ghosts =
        all_tiles_ + (box_.ghosts > 0 ? 2 * all_tiles_ / static_cast<std::size_t>(box_.tiles[2]) : 0);
    sums_ = Sums(without("sums"), with_ghosts * number_of_sums);
    sums_of_parts_ = Sums(without("sums_of_parts"), 8 * most_listed * number_of_sums);
    events_ = List(without("events"), all_tiles_);
    events_of_parts_ = List(without("events_of_parts"), 8 * most_listed);
    repaired_ = decltype(repaired_)(without("repaired"), with_ghosts);
    marks_ = List("tessera::kmc::marks", all_tiles_);
    for (auto& list : lists_) list = List(without("list"), most_listed);
    const std::size_t room = bytes_of_records / sizeof(EventRecord) / (all_tiles_ + 8 * most_listed);
    if (records_) cells_.most_recorded = static_cast<int>(std::clamp<std::size_t>(room, 64, 1024));
    const auto numbers = static_cast<std::size_t>(first_counted(cells_, 1));
    counted_ = List(without("counted"), all_tiles_ * numbers);
    counted_in_parts_ = List(without("counted_in_parts"), 8 * most_listed * numbers);
  }

  static auto without(const std::string& name) {
    return Kokkos::view_alloc(Kokkos::WithoutInitializing, "tessera::kmc::" + name);
  }
  template <class T>
  auto on_device(const std::string& name, std::vector<T> values) const {
    Kokkos::View<T*, MemorySpace> view(without(name), values.size());
    copy_and_wait(space_, view, host_array(values));
    return view;
  }
  /// First of the numbers that are counted in a tile, or in a part of a listed one.
  KOKKOS_FORCEINLINE_FUNCTION static std::int64_t first_counted(const Cells<MemorySpace>& cells, std::uint32_t number) {
    return std::int64_t{number} * (cells.numbers_counted + words_of_record * cells.most_recorded);
  }
  template <class Run>  // with a ListedWindow itself
  static constexpr std::size_t bytes_of = Run::bytes + (lists ? sizeof(Run) : 0);
  /// Runs a tile, or a part of it, in the window Run. Returns the number of its events, or Run::too_many.
  template <class Run, class Team>
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t run_window(const Team& team, char* scratch,
                                                              const Cells<MemorySpace>& cells, const Box& box,
                                                              const M& model, const TilePlace& place,
                                                              std::uint64_t* sums, [[maybe_unused]] const List& counted,
                                                              [[maybe_unused]] std::uint32_t number) {
    if constexpr (lists) {
      Run* const window = reinterpret_cast<Run*>(scratch + Run::bytes);
      if (team.team_rank() == 0) new (window) Run(scratch, cells, box, model, place);
      sync_warps(team);
      return window->run(team, model, sums, &counted(first_counted(cells, number)));
    } else {
      Run window(scratch, cells, box, model, place);
      return window.run(team, sums);
    }
  }

  void advance() {
    const auto cells = cells_;
    const auto sums = sums_;
    const auto events = events_;
    const auto repaired = repaired_;
    const auto counted = counted_;
    const Box box = box_;
    const M model = model_;
    const std::uint32_t most = most_repairs_;
    Kokkos::parallel_for(
        "tessera::kmc::advance_in_space",
        with_scratch(Policy(space_, static_cast<int>(all_tiles_), lanes), bytes_of<Advance>, 8, single_lane ? 1 : 0),
        KOKKOS_LAMBDA(const Member& team) {
          const auto number = static_cast<std::uint32_t>(team.league_rank());
          const TilePlace place = place_of(box, number);
          if (cells.steps(place.replica).length == 0) return;
          char* const scratch = scratch_array<char>(team, bytes_of<Advance>, 8, single_lane ? 1 : 0);
          const std::uint32_t made = run_window<Advance>(team, scratch, cells, box, model, place,
                                                         &sums(number * number_of_sums), counted, number);
          if (team.team_rank() != 0) return;
          events(number) = made;
          repaired(number) = 0;
          if (made == Advance::too_many) Kokkos::atomic_max(&cells.tallies(place.replica).repairs, most + 1);
          Kokkos::atomic_add(&cells.tallies(place.replica).events, std::uint64_t{made});
        });
  }

  /// Runs the listed tiles again, in eight parts each.
  void repair(std::size_t count) {
    const auto cells = cells_;
    const auto sums = sums_of_parts_, of_tiles = sums_;
    const auto events = events_of_parts_, events_of_tiles = events_;
    const auto repaired = repaired_;
    const auto counted = counted_in_parts_, counted_of_tiles = counted_;
    const auto list = lists_[round_ & 1];
    const Box box = box_;
    const M model = model_;
    const std::uint32_t most = most_repairs_;
    Kokkos::parallel_for(
        "tessera::kmc::repair_in_space",
        with_scratch(Policy(space_, static_cast<int>(8 * count), lanes), bytes_of<Repair>, 8, single_lane ? 1 : 0),
        KOKKOS_LAMBDA(const Member& team) {
          const int i = team.league_rank();
          const std::uint32_t number = list(i / 8);
          TilePlace place = place_of(box, number);
          for (int axis = 0; axis < 3; ++axis) {
            const int first_side = place.sides[axis] / 4 * 2;
            const bool second = (i >> axis & 1) != 0;
            place.begin[axis] += second ? first_side : 0;
            place.sides[axis] = second ? place.sides[axis] - first_side : first_side;
          }
          char* const scratch = scratch_array<char>(team, bytes_of<Repair>, 8, single_lane ? 1 : 0);
          const auto part = static_cast<std::uint32_t>(i);
          const std::uint32_t made =
              run_window<Repair>(team, scratch, cells, box, model, place, &sums(part * number_of_sums), counted, part);
          if (team.team_rank() == 0) {
            events(i) = made;
            if (made == Repair::too_many) Kokkos::atomic_max(&cells.tallies(place.replica).repairs, most + 1);
          }
          if (i % 8 != 0) return;
          // The parts are added up after this.
          for (std::size_t k = static_cast<std::size_t>(team.team_rank()); k < number_of_sums; k += lanes)
            of_tiles(number * number_of_sums + k) = 0;
          for (int k = team.team_rank(); k < cells.numbers_counted; k += lanes)
            counted_of_tiles(first_counted(cells, number) + k) = 0;
          if (team.team_rank() != 0) return;
          Kokkos::atomic_sub(&cells.tallies(place.replica).events, std::uint64_t{events_of_tiles(number)});
          events_of_tiles(number) = 0;
          repaired(number) = 1;
        });
  }

  /// Adds up the parts of repaired tiles, which must agree with each other.
  void combine(std::size_t count) {
    const auto cells = cells_;
    const auto sums = sums_, of_parts = sums_of_parts_;
    const auto events = events_, events_of_parts = events_of_parts_;
    const auto counted = counted_, counted_in_parts = counted_in_parts_;
    const auto list = lists_[round_ & 1];
    const auto tiles = static_cast<std::uint32_t>(box_.all_tiles());
    Kokkos::parallel_for(
        "tessera::kmc::combine_in_space", Kokkos::RangePolicy<ExecutionSpace>(space_, 0, 8 * directions * count),
        KOKKOS_LAMBDA(const std::size_t n) {
          const std::size_t i = n / (8 * directions), rest = n % (8 * directions);
          const int d = static_cast<int>(rest / 8), part = static_cast<int>(rest % 8);
          const std::uint32_t number = list(i), replica = number / tiles;
          const std::uint64_t* const from = &of_parts(8 * i * number_of_sums);
          const std::uint64_t* const own = from + static_cast<std::size_t>(part) * number_of_sums;
          if (d == itself) {
            const std::uint32_t made = events_of_parts(8 * i + static_cast<std::size_t>(part));
            const std::uint32_t before = Kokkos::atomic_fetch_add(&events(number), made);
            Kokkos::atomic_add(&cells.tallies(replica).events, std::uint64_t{made});
            const std::int64_t to = first_counted(cells, number),
                               from_part = first_counted(cells, static_cast<std::uint32_t>(8 * i + rest % 8));
            for (int k = 0; k < cells.numbers_counted; ++k)
              add_counted(&counted(to + k), counted_in_parts(from_part + k), k);
            const auto room = static_cast<std::uint32_t>(cells.most_recorded);
            if (room > 0 && std::uint64_t{before} + made > room)
              Kokkos::atomic_inc(&cells.tallies(replica).inconsistent);
            for (std::uint32_t k = 0; k < made && before + k < room; ++k)
              record_of(&counted(to + cells.numbers_counted), before + k) =
                  record_of(&counted_in_parts(from_part + cells.numbers_counted), k);
            return;
          }
          const Offset by = offset_of(d);
          const int x = (part & 1) + by.x, y = (part >> 1 & 1) + by.y, z = (part >> 2) + by.z;
          if (((x | y | z) & ~1) == 0) {  // another part
            const std::uint64_t* const other = from + static_cast<std::size_t>(x | y << 1 | z << 2) * number_of_sums;
            if (own[directions + d] != other[directions - 1 - d])
              Kokkos::atomic_inc(&cells.tallies(replica).inconsistent);
            return;
          }
          const int outer = direction_of(x >> 1, y >> 1, z >> 1);
          for (const int at : {0, directions}) {  // halves are added without a carry
            auto* const to =
                reinterpret_cast<std::uint32_t*>(&sums(number * number_of_sums + static_cast<std::size_t>(at + outer)));
            Kokkos::atomic_add(to, static_cast<std::uint32_t>(own[at + d]));
            Kokkos::atomic_add(to + 1, static_cast<std::uint32_t>(own[at + d] >> 32));
          }
        });
  }

  /// Adds number k that ListedWindow::run() has counted.
  template <class To>
  KOKKOS_FORCEINLINE_FUNCTION static void add_counted(To* to, To number, int k) {
    if (k == 0)
      Kokkos::atomic_max(to, number);
    else
      Kokkos::atomic_add(to, number);
  }

  /// Compares all tiles, or those of the list of a round, with their neighbours, both ways: a repaired tile may
  /// disagree with one that was not. Lists the tiles to be repaired next.
  void compare(bool listed_only, std::size_t count, std::uint32_t of_round = 0) {
    const auto cells = cells_;
    const auto sums = sums_;
    const auto repaired = repaired_;
    const auto marks = marks_;
    const auto counts = counts_;
    const auto from = lists_[of_round & 1], to = lists_[round_ & 1];
    const Box box = box_;
    const std::uint32_t this_round = round_, most = most_repairs_, tiles = static_cast<std::uint32_t>(box.all_tiles());
    Kokkos::parallel_for(
        "tessera::kmc::compare_in_space", Kokkos::RangePolicy<ExecutionSpace>(space_, 0, directions * count),
        KOKKOS_LAMBDA(const std::size_t n) {
          const std::size_t i = n / directions;
          const auto d = static_cast<int>(n % directions);
          const std::uint32_t number = listed_only ? from(i) : static_cast<std::uint32_t>(i), replica = number / tiles;
          if (cells.steps(replica).length == 0 || d == itself) return;
          Tally& tally = cells.tallies(replica);
          const std::uint32_t other = neighbouring_tile(box, number, d, cells.replicas);
          const std::uint64_t *const own = &sums(number * number_of_sums), *const its = &sums(other * number_of_sums);
          const int back = directions - 1 - d;
          if (own[d] == its[directions + back] && own[directions + d] == its[back]) return;
          bool any = false;
          for (const std::uint32_t one : {number, other}) {
            if (repaired(one) != 0) continue;
            any = true;
            if (one >= tiles * static_cast<std::uint32_t>(cells.replicas)) continue;  // its rank lists it
            if (Kokkos::atomic_exchange(&marks(one), this_round) == this_round) continue;
            if (Kokkos::atomic_fetch_add(&tally.repairs, 1u) < most)
              to(Kokkos::atomic_fetch_add(&counts(this_round & 1), 1u)) = one;
          }
          if (!any) Kokkos::atomic_inc(&tally.inconsistent);
        });
  }

  void start_states() {
    const auto cells = cells_;
    const M model = model_;
    const Box box = box_;
    Kokkos::parallel_for(
        "tessera::kmc::start_states_in_space", Indices<ExecutionSpace>(space_, 0, box.sites() * cells.replicas),
        KOKKOS_LAMBDA(const std::int64_t i) {
          const std::uint64_t seed = cells.seed + static_cast<std::uint64_t>(i / box.sites());
          const std::uint32_t site = box.number(static_cast<std::uint32_t>(i % box.sites()));
          cells.states(i) = static_cast<std::uint8_t>(initial_state(model, seed, site, box.all));
        });
  }

  /// Draws the times of all cells of the marked replicas at time 0; or, at the begin of an epoch, of those that are
  /// far. Tally::events is then 1 if any cell can have an event.
  void draw_times(bool of_far) {
    const auto cells = cells_;
    const M model = model_;
    const Box box = box_;
    const Clock<M> clock = clock_;
    Kokkos::parallel_for(
        "tessera::kmc::draw_times_in_space", Indices<ExecutionSpace>(space_, 0, box.own_sites() * cells.replicas),
        KOKKOS_LAMBDA(const std::int64_t i) {
          const auto replica = static_cast<int>(i / box.own_sites());
          const auto site = static_cast<std::uint32_t>(box.first_own() + i % box.own_sites());
          const Step step = cells.steps(replica);
          if (step.length == 0) return;
          const std::int64_t first = cells.first(step.front, replica, box);
          std::uint32_t& time = cells.times(first + site);
          if (!may_act(model, cells.states(first + site))) {
            time = far;
            return;
          }
          std::uint64_t& can_go_on = cells.tallies(replica).events;
          if (of_far && time != far) {
            if (can_go_on == 0) Kokkos::atomic_store(&can_go_on, std::uint64_t{1});
            time -= epoch;
            return;
          }
          const std::uint8_t* const states = &cells.states(first);
          std::uint64_t sums[most_kept_sums];
          const double mean = clock.mean(model, states[site], Around<M, const std::uint8_t*>(states, box, site), sums);
          if (mean >= 0 && can_go_on == 0) Kokkos::atomic_store(&can_go_on, std::uint64_t{1});
          const std::uint64_t seed = seed_of(cells.seed, replica);
          const std::uint32_t number = box.number(site);
          time = next_tick(of_far ? far_from : 0,
                           of_far ? random_of_far(seed, number, step.begin) : random_of(seed, number, 0), mean);
        });
  }

  ExecutionSpace space_;
  M model_;
  Box box_;
  Clock<M> clock_;
  Cells<MemorySpace> cells_;
  std::size_t all_tiles_ = 0;       ///< of all replicas
  std::int64_t whole_tiles_ = 0;    ///< of a replica, with those of other ranks
  std::uint32_t most_repairs_ = 0;  ///< of a replica in a step
  Sums sums_, sums_of_parts_;       ///< of tiles, and of the parts of listed tiles [.., number_of_sums]
  List events_, events_of_parts_;   ///< likewise
  Kokkos::View<std::uint8_t*, MemorySpace> repaired_;  ///< whether a tile was
  List marks_;                                         ///< round in which a tile was listed last
  List counted_, counted_in_parts_;                    ///< by ListedWindow::run(), in tiles and in parts of listed ones
  Sums counted_of_replicas_;                           ///< [replicas, numbers_counted]
  List lists_[2], counts_;                             ///< tiles to be repaired, and their number, by round modulo 2
  std::uint32_t round_ = 0;
  bool records_;
};

}  // namespace tessera::kmc::space
