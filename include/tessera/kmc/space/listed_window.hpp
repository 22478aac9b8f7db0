// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <tessera/kmc/model.hpp>
#include <tessera/kmc/space/box.hpp>
#include <tessera/kmc/space/models.hpp>
#include <tessera/kmc/space/ticks.hpp>
#include <tessera/kmc/space/window_frame.hpp>

namespace tessera::kmc::space {

/// The window of a tile (Window) for models whose events change and concern any cells, in lists, of which few cells
/// have events: states of 8 bits in the scratch memory of a team, and a list of the cells with an event in the step.
///
/// In a round those events take place that are before all others in the list at distances where both may concern the
/// same cell, or may do so after one more event. All cells that they concern then draw new waiting times, at rates from
/// the states around. If a redraw of an ordered cell is not later than the last one there (its stamp), the tile is run
/// again, in parts (Window). A team of one lane performs the events in their order. Phases of a round, with a barrier
/// after each: choice of the events; what they change, from states that no lane writes; the changes, while the entries
/// of concerned cells leave the list; waiting times.
template <Model M, int most_tile, int halo, int margin, bool single_lane>
class ListedWindow : WindowFrame<M, most_tile, halo, single_lane> {
  using Frame = WindowFrame<M, most_tile, halo, single_lane>;
  using Frame::add, Frame::add_term, Frame::back_states_, Frame::back_times_, Frame::box_, Frame::coarser_,
      Frame::counts_, Frame::direction_to, Frame::divide, Frame::each, Frame::end_of_part, Frame::events, Frame::fired,
      Frame::first_key, Frame::front_states_, Frame::front_times_, Frame::is_first, Frame::known_parts, Frame::late,
      Frame::model_, Frame::overflow, Frame::pending, Frame::place_, Frame::seed_, Frame::side, Frame::site,
      Frame::step_, Frame::sums_, Frame::sync, Frame::tick_by_tick_, Frame::used, Frame::write_sums;
  static constexpr int ordered = most_tile + 2 * margin;  ///< side of the cells with stamps
  static constexpr int most_fired = single_lane ? 1 : 32;
  static constexpr std::uint32_t no_event = ~0u;  ///< key
  static constexpr std::uint16_t no_entry = 0xffff;

  /// An event of a round.
  struct Event {
    std::uint64_t seed, term;  ///< seed_at() its time; what it adds to the sums
    ListedChanges<std::uint8_t> lists;
    std::uint32_t key;
    std::uint16_t cell;  ///< index in the window
  };

  static constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 7) / 8 * 8; }
  static constexpr std::size_t at_fired = aligned(std::size_t{side} * side * side);
  static constexpr std::size_t at_frame = at_fired + sizeof(Event) * std::size_t{most_fired};
  static constexpr std::size_t at_stamps = at_frame + Frame::bytes_of_frame;
  static constexpr std::size_t at_keys = aligned(at_stamps + 2 * std::size_t{ordered} * ordered * ordered);
  // The list takes what is left of 48 KB, two of which are for Kokkos.
  static constexpr std::size_t bytes_of_entry = 8, rest = 46 * 1024 - 64;
  static constexpr int most_pending =
      single_lane ? 1 << 14 : static_cast<int>((rest > at_keys ? rest - at_keys : 0) / bytes_of_entry / 64 * 64);
  static constexpr std::size_t at_cells = at_keys + 4 * std::size_t{most_pending};
  static constexpr std::size_t at_blockers = at_cells + 2 * std::size_t{most_pending};
  static_assert(ListsChanges<M>);
  static_assert(side % 2 == 0 && side * side * side <= 1 << 16 && most_pending >= 64 && most_pending < no_entry);

 public:
  using Frame::number_of_sums;
  static constexpr std::uint32_t too_many = ~0u;  ///< events
  static constexpr std::size_t bytes = aligned(at_blockers + 2 * std::size_t{most_pending});

  template <class MemorySpace>
  KOKKOS_FUNCTION ListedWindow(char* scratch, const Cells<MemorySpace>& cells, const Box& box, const M& model,
                               const TilePlace& place)
      : Frame(scratch + at_frame, cells, box, model, place),
        states_(reinterpret_cast<std::uint8_t*>(scratch)),
        fired_(reinterpret_cast<Event*>(scratch + at_fired)),
        keys_(reinterpret_cast<std::uint32_t*>(scratch + at_keys)),
        cells_(reinterpret_cast<std::uint16_t*>(scratch + at_cells)),
        blockers_(reinterpret_cast<std::uint16_t*>(scratch + at_blockers)),
        stamps_(reinterpret_cast<std::uint16_t*>(scratch + at_stamps)),
        ticks_(cells.ticks),
        numbers_counted_(cells.numbers_counted),
        reads_(model.farthest_read()),
        concerns_(model.farthest_concerned()),
        ordered_within_(3 * concerns_),
        tally_(cells.tallies(place.replica)) {}

  /// As Window::run(). `counted`: of the tile, the last key plus 1, and the numbers of events in the groups.
  template <class Team>
  KOKKOS_FUNCTION std::uint32_t run(const Team& team, std::uint64_t* sums, std::uint32_t* counted) {
    counted_ = counted;
    if (team.team_rank() == 0) counts_[known_parts] = 0;
    while (!attempt(team)) divide(team);
    store(team);
    write_sums(team, sums);
    if (!single_lane && team.team_rank() == 0) Kokkos::atomic_max(&tally_.rounds, rounds_);
    return counts_[overflow] != 0 ? too_many : counts_[events];
  }

 private:
  using Place = PlaceIn<side>;
  /// States around a cell of the window.
  struct At {
    const std::uint8_t* state;
    KOKKOS_FORCEINLINE_FUNCTION int operator()(int x, int row) const {
      const Offset by = from_row(x, row);
      return state[(by.z * side + by.y) * side + by.x];
    }
  };

  /// Whether a cell is in the window, `within` cells from its border.
  KOKKOS_FORCEINLINE_FUNCTION bool is_inside(const Place& at, int within) const {
    return at.x >= within && at.y >= within && at.z >= within && at.x < used(0) - within && at.y < used(1) - within &&
           at.z < used(2) - within;
  }
  /// Whether entry i of the list is before entry j in the order of all events.
  KOKKOS_FUNCTION bool before(int i, int j) const {
    if (keys_[i] != keys_[j]) return keys_[i] < keys_[j];
    return is_first(Place(cells_[i]), Place(cells_[j]));
  }
  KOKKOS_FORCEINLINE_FUNCTION void add_pending(int cell, std::uint32_t key) {
    const std::uint32_t entry = add(&counts_[pending], 1);
    if (entry >= most_pending) {
      counts_[overflow] = 1;
      return;
    }
    cells_[entry] = static_cast<std::uint16_t>(cell);
    keys_[entry] = key;
    blockers_[entry] = no_entry;
  }
  KOKKOS_FORCEINLINE_FUNCTION int entries() const {
    return counts_[pending] < most_pending ? static_cast<int>(counts_[pending]) : most_pending;
  }

  /// Runs the window; false if redraws were out of order.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION bool attempt(const Team& team) {
    sync(team);
    each(team, known_parts, [&](int i) { counts_[i] = 0; });
    if (team.team_rank() == 0) counts_[events] = 0;
    each(team, 2 * number_of_sums, [&](int i) { sums_[i] = 0; });
    each(team, ordered * ordered * ordered, [&](int i) { stamps_[i] = 0; });
    each(team, numbers_counted_, [&](int i) { counted_[i] = 0; });
    sync(team);
    load(team);
    std::uint32_t last = end_of_part(0);
    for (int odd = 0;; odd = 1 - odd) {
      choose(team, odd, last);
      sync(team);
      const int count = counts_[fired + odd] < most_fired ? static_cast<int>(counts_[fired + odd]) : most_fired;
      if (count == 0) {
        if (last >= step_.length) return true;
        last = end_of_part(last + 1);
        odd = 1 - odd;  // the same count again
        sync(team);
        continue;
      }
      ++rounds_;
      each(team, count, [&](int e) { prepare(fired_[e]); });
      sync(team);
      change(team, count);
      if (team.team_rank() == 0) counts_[fired + 1 - odd] = 0;
      sync(team);
      redraw(team, count);
      sync(team);
      if (counts_[late] != 0) return false;
      if (counts_[overflow] != 0) return true;
      if (counts_[pending] > most_pending / 2) compact(team);
    }
  }

  /// Reads the window, by pairs of cells along x that begin at even sites, and lists the events in the step.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void load(const Team& team) {
    static_assert(halo % 2 == 0);
    struct alignas(2) TwoStates {
      std::uint8_t of[2];
    };
    constexpr int pairs = side / 2 * side * side, at_once = 4;  // loads under way
    for (int first = team.team_rank(); first < pairs; first += at_once * team.team_size()) {
      TwoStates states[at_once];
      std::uint32_t sites[at_once];
      for (int n = 0; n < at_once; ++n) {
        const int i = first + n * team.team_size();
        sites[n] = far;
        if (i >= pairs || !is_inside(Place(2 * i), 0)) continue;
        sites[n] = site(Place(2 * i));
        states[n] = *reinterpret_cast<const TwoStates*>(front_states_ + sites[n]);
      }
      for (int n = 0; n < at_once; ++n) {
        const int i = first + n * team.team_size();
        if (sites[n] == far) continue;
        *reinterpret_cast<TwoStates*>(states_ + 2 * i) = states[n];
        for (int j = 0; j < 2; ++j) {
          if (!model_.acts(states[n].of[j]) || !is_inside(Place(2 * i + j), reads_)) continue;
          const std::uint32_t key = front_times_[sites[n] + static_cast<unsigned>(j)] - step_.now;
          if (key < step_.length) add_pending(2 * i + j, key);
        }
      }
    }
    sync(team);
  }

  /// Lists the events of a round.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void choose(const Team& team, int odd, std::uint32_t limit) {
    const int all = entries();
    if constexpr (single_lane) {
      int first = -1;
      for (int i = 0; i < all; ++i)
        if (keys_[i] != no_event && (first < 0 || before(i, first))) first = i;
      counts_[fired + odd] = first < 0 ? 0 : 1;
      if (first >= 0) fire(0, first);
      return;
    }
    if (tick_by_tick_) {
      if (team.team_rank() == 0) counts_[first_key] = no_event;
      sync(team);
      each(team, all, [&](int i) { Kokkos::atomic_min(&counts_[first_key], keys_[i]); });
      sync(team);
    }
    each(team, all, [&](int i) {
      const std::uint32_t key = keys_[i];
      if (key > limit || (tick_by_tick_ && key != counts_[first_key])) return;
      const Place at(cells_[i]);
      const auto blocks = [&](int j) {
        return keys_[j] <= key && j != i && before(j, i) && at.distance(Place(cells_[j])) <= ordered_within_;
      };
      if (blockers_[i] != no_entry && blocks(blockers_[i])) return;
      for (int j = 0; j < all; ++j)
        if (blocks(j)) {
          blockers_[i] = static_cast<std::uint16_t>(j);
          return;
        }
      const std::uint32_t e = add(&counts_[fired + odd], 1);
      if (e < most_fired) fire(static_cast<int>(e), i);
    });
  }
  KOKKOS_FORCEINLINE_FUNCTION void fire(int e, int entry) {
    fired_[e].key = keys_[entry];
    fired_[e].cell = cells_[entry];
  }

  /// What an event changes.
  KOKKOS_FORCEINLINE_FUNCTION void prepare(Event& event) const {
    event.seed = seed_at(seed_, step_.begin + step_.now + event.key);
    const std::uint64_t its = random_of(event.seed, site(Place(event.cell)));
    std::uint64_t sums[most_kept_sums];
    model_.sum_up(At{states_ + event.cell}, sums);
    Stream stream(second_random(its) | 1);
    event.lists = model_.event(KeptSums{sums}, stream);
    event.term = mix(its + static_cast<std::uint64_t>(event.lists.what) * golden);
  }

  /// Changes the states; the events in the list of all concerned cells are void.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void change(const Team& team, int count) {
    each(team, count, [&](int e) {
      const ListedChanges<std::uint8_t>& lists = fired_[e].lists;
      for (int i = 0; i < lists.changed; ++i) {
        const Place to(Place(fired_[e].cell), lists.changes[i].at);
        if (is_inside(to, 0))
          states_[to.index()] = static_cast<std::uint8_t>(states_[to.index()] + lists.changes[i].difference);
      }
    });
    each(team, entries(), [&](int i) {
      if (keys_[i] == no_event) return;
      const Place at(cells_[i]);
      for (int e = 0; e < count; ++e) {
        const Place centre(fired_[e].cell);
        if (at.distance(centre) > concerns_) continue;
        const ListedChanges<std::uint8_t>& lists = fired_[e].lists;
        for (int k = 0; k < lists.count; ++k)
          if (Place(centre, lists.concerned[k]).index() == cells_[i]) keys_[i] = no_event;
      }
    });
  }

  /// New waiting times of all cells that the events concern, each by one of the lanes of an event.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void redraw(const Team& team, int count) {
    const int lanes = single_lane ? 1 : 64, at_once = single_lane ? 1 : team.team_size() / lanes;
    for (int e = team.team_rank() / lanes; e < count; e += at_once)
      for (int k = team.team_rank() % lanes; k < fired_[e].lists.count; k += lanes) draw(fired_[e], k);
  }
  KOKKOS_FORCEINLINE_FUNCTION void draw(const Event& event, int k) {
    const Place centre(event.cell), cell(centre, event.lists.concerned[k]);
    const int from = direction_to(centre), to = direction_to(cell);
    if (k == 0 && from == itself) {
      add(&counts_[events], 1);
      Kokkos::atomic_max(&counted_[0], event.key + 1);
      if (event.lists.group >= 0) Kokkos::atomic_inc(&counted_[1 + event.lists.group]);
    }
    if (!is_inside(cell, reads_)) return;
    const std::uint32_t at = site(cell);
    double mean = -1;
    if (model_.acts(states_[cell.index()])) {
      std::uint64_t sums[most_kept_sums];
      model_.sum_up(At{states_ + cell.index()}, sums);
      mean = mean_of_rate(ticks_, model_.rate(KeptSums{sums}));
    }
    const std::uint32_t next = mean < 0 ? far : next_tick(step_.now + event.key, random_of(event.seed, at), mean);
    if (next - step_.now < step_.length) add_pending(cell.index(), next - step_.now);
    if (is_inside(cell, halo - margin)) {
      const int sx = cell.x - (halo - margin), sy = cell.y - (halo - margin), sz = cell.z - (halo - margin);
      std::uint16_t& stamp = stamps_[(sz * ordered + sy) * ordered + sx];
      const auto now = static_cast<std::uint16_t>((event.key >> coarser_) + 2);
      if (!single_lane && stamp >= now && !tick_by_tick_) Kokkos::atomic_max(&counts_[late], event.key + 1);
      stamp = now;
    }
    if (to == itself) back_times_[at] = next;
    if ((from == itself) == (to == itself)) return;
    add_term(from == itself ? to : from, from == itself, event.term);
  }

  /// Removes what is void from the list. Teams of more than one lane have at least 64.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void compact(const Team& team) {
    const int all = entries(), lanes = team.team_size();
    if constexpr (single_lane) {
      counts_[pending] = 0;
      for (int i = 0; i < all; ++i)
        if (keys_[i] != no_event) add_pending(cells_[i], keys_[i]);
    } else {
      constexpr int of_lane = most_pending / 64;
      std::uint32_t keys[of_lane];
      std::uint16_t cells[of_lane];
      for (int n = 0; n < of_lane; ++n) {
        const int i = team.team_rank() + n * lanes;
        keys[n] = i < all ? keys_[i] : no_event;
        cells[n] = i < all ? cells_[i] : 0;
      }
      sync(team);
      if (team.team_rank() == 0) counts_[pending] = 0;
      sync(team);
      for (int n = 0; n < of_lane; ++n)
        if (keys[n] != no_event) add_pending(cells[n], keys[n]);
      sync(team);
    }
  }

  /// Writes the tile to the back buffer, but for the times written before, and those of cells whose states do not act,
  /// which have any value.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void store(const Team& team) const {
    each(team, most_tile * most_tile * most_tile, [&](int i) {
      const int x = i % most_tile, y = i / most_tile % most_tile, z = i / (most_tile * most_tile);
      if (x >= place_.sides[0] || y >= place_.sides[1] || z >= place_.sides[2]) return;
      const int index = ((halo + z) * side + halo + y) * side + halo + x;
      const std::uint32_t at = site(Place(index));
      back_states_[at] = states_[index];
      if (model_.acts(states_[index]) && stamps_[((margin + z) * ordered + margin + y) * ordered + margin + x] == 0)
        back_times_[at] = front_times_[at];
    });
  }

  std::uint8_t* states_;     ///< [side, side, side]
  Event* fired_;             ///< events of a round [most_fired]
  std::uint32_t* keys_;      ///< of the list: tick in the step, or no_event [most_pending]
  std::uint16_t* cells_;     ///< of the list: index in the window
  std::uint16_t* blockers_;  ///< of the list: an entry that had to come before it, or no_entry
  std::uint16_t* stamps_;    ///< of the last redraw, or 0 [ordered, ordered, ordered]
  std::uint32_t* counted_ = nullptr;
  double ticks_;
  int numbers_counted_, reads_, concerns_;
  int ordered_within_;  ///< largest distance of events of which one waits for the other
  Tally& tally_;
  std::uint32_t rounds_ = 0;
};

}  // namespace tessera::kmc::space
