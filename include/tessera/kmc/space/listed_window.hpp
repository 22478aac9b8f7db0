// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <tessera/kmc/model.hpp>
#include <tessera/kmc/space/box.hpp>
#include <tessera/kmc/space/listed_cells.hpp>
#include <tessera/kmc/space/models.hpp>
#include <tessera/kmc/space/ticks.hpp>
#include <tessera/kmc/space/window_frame.hpp>

namespace tessera::kmc::space {

/// The window of a tile (Window) for models whose events change and affect any cells, in lists, of which few cells
/// have events: states of M::bits() bits in the scratch memory of a team, and a list of the cells with an event in the
/// step, with a coarse grid to find those around a cell.
///
/// In a round those events take place that are before all others in the list at distances where both may affect the
/// same cell, or may do so after one more event. All cells that they affect then draw new waiting times, at rates from
/// the states around. If an event comes after a later one that may affect the same cell as well, the tile is run
/// again, in parts (Window). A team of one lane performs the events in their order. Phases of a round, with a barrier
/// after each: choice of the events; what they change, from states that no lane writes; the changes, while the entries
/// of affected cells leave the list; waiting times.
///
/// `halo` around the tile. Events are in order where they affect cells up to `margin` from the tile.
template <Model M, int halo, int margin, bool single_lane>
class ListedWindow : ListedCells<M, halo, single_lane> {
  using Base = ListedCells<M, halo, single_lane>;
  using Base::add, Base::add_pending, Base::add_term, Base::add_to_state, Base::around, Base::back_times_,
      Base::blockers, Base::cells, Base::clear_grid, Base::counts, Base::direction_to, Base::divide, Base::each,
      Base::end_of_part, Base::entries, Base::events, Base::fired, Base::fired_events, Base::first_key, Base::free,
      Base::freed, Base::grain, Base::grid, Base::heads, Base::index, Base::is_first, Base::is_inside, Base::keys,
      Base::known_parts, Base::late, Base::link, Base::load, Base::logged, Base::logged_cells, Base::logged_keys,
      Base::most_, Base::most_fired, Base::most_recorded_, Base::next, Base::no_entry, Base::no_event,
      Base::numbers_counted_, Base::overflow, Base::rounds, Base::seed_, Base::side_, Base::site, Base::state,
      Base::step_, Base::store, Base::sums_, Base::sync, Base::tally_, Base::ticks_, Base::ticks_one_by_one,
      Base::write_sums;
  using typename Base::Event, typename Base::Place;

 public:
  using Base::bytes, Base::most_listed, Base::number_of_sums;
  static constexpr std::uint32_t too_many = ~0u;  ///< events

  /// Of a tile, or a part of it, in memory that follows `bytes` bytes of scratch memory.
  template <class MemorySpace>
  KOKKOS_FUNCTION ListedWindow(char* scratch, const Cells<MemorySpace>& all, const Box& box, const M& model,
                               const TilePlace& place)
      : Base(scratch, all, box, model, place) {}

  /// As Window::run(). `counted`: of the tile, the last key plus 1, and the numbers of events in the groups; then, if
  /// events are recorded, an EventRecord of each, in any order.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t run(const Team& team, const M& model, std::uint64_t* sums,
                                                std::uint32_t* counted) {
    while (!attempt(team, model, counted))
      if (!divide(team) && team.team_rank() == 0) counts()[ticks_one_by_one] = 1;
    store(team);
    write_sums(team, sums);
    if (!single_lane && team.team_rank() == 0) Kokkos::atomic_max(&tally_.rounds, counts()[rounds]);
    return counts()[overflow] != 0 ? too_many : counts()[events];
  }

 private:
  /// Whether an event is before another one in the order of all events.
  KOKKOS_FORCEINLINE_FUNCTION bool before(std::uint32_t key, const Place& at, std::uint32_t others,
                                          const Place& other) const {
    return key != others ? key < others : is_first(at, other);
  }
  /// Runs the window; false if redraws were out of order.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION bool attempt(const Team& team, const M& model, std::uint32_t* counted) {
    sync(team);
    each(team, known_parts, [&](int i) { counts()[i] = 0; });
    if (team.team_rank() == 0) counts()[events] = 0;
    each(team, 2 * number_of_sums, [&](int i) { sums_[i] = 0; });
    each(team, numbers_counted_, [&](int i) { counted[i] = 0; });
    clear_grid(team);
    sync(team);
    load(team, model);
    sync(team);
    std::uint32_t last = end_of_part(0);
    for (int odd = 0;;) {
      choose(team, model, odd, last);
      sync(team);
      const int count = counts()[fired + odd] < most_fired ? static_cast<int>(counts()[fired + odd]) : most_fired;
      if (count == 0) {
        if (last >= step_.length) return true;
        last = end_of_part(last + 1);
        sync(team);
        continue;
      }
      each(team, count, [&](int e) { prepare(model, fired_events()[e]); });
      find_late(team, model, count);
      clear_grid(team);
      if (team.team_rank() == 0) {
        ++counts()[rounds];
        if (static_cast<std::int32_t>(counts()[freed]) < 0) counts()[freed] = 0;
      }
      sync(team);
      change(team, model, count);
      if (team.team_rank() == 0) counts()[fired + 1 - odd] = 0;
      sync(team);
      redraw(team, model, counted, count);
      sync(team);
      if (counts()[late] != 0) return false;
      if (counts()[overflow] != 0) return true;
      odd = 1 - odd;
    }
  }
  /// Lists the events of a round.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void choose(const Team& team, const M& model, int odd, std::uint32_t limit) {
    const int all = entries();
    if constexpr (single_lane) {
      int first = -1;
      for (int i = 0; i < all; ++i)
        if (keys()[i] <= limit &&
            (first < 0 || before(keys()[i], Place(cells()[i]), keys()[first], Place(cells()[first]))))
          first = i;
      counts()[fired + odd] = first < 0 ? 0 : 1;
      if (first >= 0) fire(0, first);
      return;
    }
    if (counts()[ticks_one_by_one] != 0) {
      if (team.team_rank() == 0) counts()[first_key] = no_event;
      sync(team);
      each(team, all, [&](int i) { Kokkos::atomic_min(&counts()[first_key], keys()[i]); });
      sync(team);
      limit = limit < counts()[first_key] ? limit : counts()[first_key];
    }
    each(team, all, [&](int i) {
      if (keys()[i] > limit || waits(i, 3 * model.farthest_concerned())) return;
      const std::uint32_t e = add(&counts()[fired + odd], 1);
      if (e < most_fired) fire(static_cast<int>(e), i);
    });
  }
  /// Whether an event waits for an earlier one at a distance of at most `within`.
  KOKKOS_FORCEINLINE_FUNCTION bool waits(int i, int within) {
    const std::uint32_t *const its_keys = keys(), *const its_cells = cells(), *const its_heads = heads(),
                               key = its_keys[i];
    const std::uint16_t* const its_next = next();
    const Place at(its_cells[i]);
    const auto blocks = [&](int j) {
      if (its_keys[j] > key || j == i) return false;
      const Place other(its_cells[j]);
      return at.is_near(other, within) && before(its_keys[j], other, key, at);
    };
    if (blockers()[i] != no_entry && blocks(blockers()[i])) return true;
    const auto from = [&](int x) { return x > within ? (x - within) >> grain : 0; };
    const auto to = [&](int x) { return (x + within < side_ ? x + within : side_ - 1) >> grain; };
    for (int z = from(at.z); z <= to(at.z); ++z)
      for (int y = from(at.y); y <= to(at.y); ++y)
        for (int x = from(at.x); x <= to(at.x); ++x)
          for (std::uint32_t j = its_heads[(z * grid + y) * grid + x]; j != no_entry; j = its_next[j])
            if (blocks(static_cast<int>(j))) {
              blockers()[i] = static_cast<std::uint16_t>(j);
              return true;
            }
    return false;
  }
  KOKKOS_FORCEINLINE_FUNCTION void fire(int e, int entry) {
    fired_events()[e].key = keys()[entry];
    fired_events()[e].cell = cells()[entry];
  }

  /// What an event changes.
  KOKKOS_FORCEINLINE_FUNCTION void prepare(const M& model, Event& event) const {
    event.seed = seed_at(seed_, step_.begin + step_.now + event.key);
    const Place at(event.cell);
    const std::uint64_t its = random_of(event.seed, this->number(at));
    std::uint64_t sums[most_kept_sums];
    model.sum_up(around(at), sums);
    Stream stream(second_random(its) | 1);
    event.lists = model.event(KeptSums{sums}, stream);
    event.term = mix(its + static_cast<std::uint64_t>(event.lists.what) * golden);
  }
  /// Whether order matters for what an event affects.
  KOKKOS_FORCEINLINE_FUNCTION bool is_ordered(const M& model, const Place& at) const {
    const int within = halo - margin - model.farthest_concerned();
    return is_inside(at, within > 0 ? within : 0);
  }
  /// Compares the events of a round with those before.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void find_late(const Team& team, const M& model, int count) {
    if (single_lane) return;
    each(team, static_cast<int>(counts()[logged]), [&](int i) {
      const Place other(logged_cells()[i]);
      for (int e = 0; e < count; ++e) {
        if (fired_events()[e].key > logged_keys()[i]) continue;
        const Place at(fired_events()[e].cell);
        if (at.is_near(other, 2 * model.farthest_concerned()) && is_ordered(model, at) &&
            before(fired_events()[e].key, at, logged_keys()[i], other))
          Kokkos::atomic_max(&counts()[late], fired_events()[e].key + 1);
      }
    });
  }

  /// Changes the states; the events in the list of all affected cells are void.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void change(const Team& team, const M& model, int count) {
    each(team, count, [&](int e) {
      const Place centre(fired_events()[e].cell);
      const ListedChanges<std::uint8_t>& lists = fired_events()[e].lists;
      for (int i = 0; i < lists.changed; ++i) {
        const Place to(centre, lists.changes[i].at);
        if (!is_inside(to, 0)) continue;
        add_to_state(index(to), lists.changes[i].difference);
      }
      if (single_lane || !is_ordered(model, centre)) return;
      if (const std::uint32_t i = add(&counts()[logged], 1); i < static_cast<std::uint32_t>(most_)) {
        logged_keys()[i] = fired_events()[e].key;
        logged_cells()[i] = fired_events()[e].cell;
      } else {
        counts()[overflow] = 1;
      }
    });
    each(team, entries(), [&](int i) {
      if (keys()[i] == no_event) return;
      const Place at(cells()[i]);
      for (int e = 0; e < count; ++e) {
        const Place centre(fired_events()[e].cell);
        if (!at.is_near(centre, model.farthest_concerned())) continue;
        const ListedChanges<std::uint8_t>& lists = fired_events()[e].lists;
        for (int k = 0; k < lists.count; ++k) {
          if (Place(centre, lists.concerned[k]).packed() != cells()[i]) continue;
          keys()[i] = no_event;
          free()[add(&counts()[freed], 1)] = static_cast<std::uint16_t>(i);
          return;
        }
      }
      link(static_cast<std::uint32_t>(i), at);
    });
  }

  /// New waiting times of all cells that the events affect.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void redraw(const Team& team, const M& model, std::uint32_t* counted, int count) {
    const int most = model.most_concerned();
    each(team, count * most, [&](int i) {
      const int e = i / most, k = i - e * most;
      if (k < fired_events()[e].lists.count) draw(model, counted, fired_events()[e], k);
    });
  }
  KOKKOS_FORCEINLINE_FUNCTION void draw(const M& model, std::uint32_t* counted, const Event& event, int k) {
    const Place centre(event.cell), cell(centre, event.lists.concerned[k]);
    const int from = direction_to(centre), to = direction_to(cell);
    if (k == 0 && from == itself) {
      const std::uint32_t number = add(&counts()[events], 1);
      Kokkos::atomic_max(&counted[0], event.key + 1);
      if (event.lists.group >= 0) Kokkos::atomic_inc(&counted[1 + event.lists.group]);
      if (number < static_cast<std::uint32_t>(most_recorded_))
        record_of(counted + numbers_counted_, number) = {event.key, this->number(centre),
                                                         static_cast<std::uint32_t>(event.lists.what)};
      else if (most_recorded_ > 0)
        counts()[overflow] = 1;
    }
    if (!is_inside(cell, model.farthest_read())) return;
    if ((from == itself) != (to == itself)) add_term(from == itself ? to : from, from == itself, event.term);
    if (!model.acts(state(index(cell)))) return;
    const std::uint32_t at = site(cell);
    std::uint64_t sums[most_kept_sums];
    model.sum_up(around(cell), sums);
    const double mean = mean_of_rate(ticks_, model.rate(KeptSums{sums}));
    const std::uint32_t tick =
        mean < 0 ? far : next_tick(step_.now + event.key, random_of(event.seed, this->box_.number(at)), mean);
    if (tick - step_.now < step_.length) add_pending(cell, tick - step_.now);
    if (to == itself) back_times_[at] = tick;
  }
};

}  // namespace tessera::kmc::space
