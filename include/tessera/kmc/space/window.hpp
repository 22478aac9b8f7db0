// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/kmc/space/box.hpp>
#include <tessera/kmc/space/models.hpp>
#include <tessera/kmc/space/ticks.hpp>
#include <tessera/kmc/space/window_cells.hpp>

namespace tessera::kmc::space {

/// The window of a tile in the scratch memory of a team, as kmc::TeamWindow in the plane: all cells up to `halo` from
/// the tile. The outermost ones have states, but no events.
///
/// Events are performed in rounds. In a round those take place that are before all events of the cells up to `reach`
/// steps between neighbours away; at the same tick, the order is that of the parities and sites. Cells with an event in
/// the step stand in a list, each with a cell that had to come before it when it was compared last, so that it is
/// compared again only after that event. A redraw of the tile that is not later than the last one of its cell (its
/// stamp, of 16 bits) may have been out of order: the tile is run again, with the late ticks as parts of their own, and
/// at last tick by tick. Redraws in the halo need no order, since the comparison of the tiles detects what follows from
/// it; in repairs those within `margin` from the tile do, or the same late event would be repeated. A team of one lane
/// performs the events in their order (BucketQueue). States and words of cells are written only in the last phase of a
/// round, in which no lane reads them.
///
/// Two sums for each of 26 neighbours, of the events in the tile that affect cells there, and of the events there that
/// affect cells of the tile, a term for each such cell, are equal to the neighbour's two if and only if both tiles
/// have simulated the same events at their border, but for a probability of 2^-64. They are sums of 32-bit halves.
template <Model M, int most_tile, int halo, int margin, int reach, bool single_lane>
class Window : WindowCells<M, most_tile, halo, margin, reach, single_lane> {
  using Base = WindowCells<M, most_tile, halo, margin, reach, single_lane>;
  using L = typename M::Lattice;
  using Word = CellWord<M>;
  using Base::add, Base::add_pending, Base::back_times_, Base::before, Base::candidates, Base::candidates_,
      Base::coarser_, Base::concerned_, Base::concerned_by_event, Base::counts_, Base::direction_to, Base::distance_of,
      Base::divide, Base::each, Base::end_of_part, Base::events, Base::events_, Base::fired, Base::fired_,
      Base::first_key, Base::is_inside, Base::is_own, Base::late, Base::load, Base::means_, Base::model_,
      Base::most_candidates, Base::most_fired, Base::ordered, Base::overflow, Base::packed, Base::parity, Base::pending,
      Base::pending_, Base::place_of, Base::plane, Base::prepare, Base::queue_, Base::seed_, Base::set_pending,
      Base::side, Base::site, Base::smaller, Base::stamps_, Base::step_, Base::store, Base::sync, Base::tick_by_tick_,
      Base::to_neighbour, Base::words_, Base::write_sums;
  using typename Base::Event, typename Base::Place;

 public:
  using Base::bytes, Base::number_of_sums;

  template <class MemorySpace>
  KOKKOS_FUNCTION Window(char* scratch, const Cells<MemorySpace>& cells, const Box& box, const M& model,
                         const TilePlace& place)
      : Base(scratch, cells, box, model, place) {}

  /// Runs the tile through the step: writes it to the back buffer, and its sums. Returns its number of events, or
  /// `too_many` if the lists were too short for the step. All lanes of the team call this.
  template <class Team>
  KOKKOS_FUNCTION std::uint32_t run(const Team& team, std::uint64_t* sums) {
    prepare(team);
    if constexpr (single_lane)
      perform_in_order(team);
    else
      while (!attempt(team)) tick_by_tick_ |= !divide(team);
    if (events_ != 0) add(&counts_[events], events_);
    store(team);
    write_sums(team, sums);
    sync(team);
    return counts_[overflow] != 0 ? too_many : counts_[events];
  }
  static constexpr std::uint32_t too_many = ~0u;  ///< events

 private:
  /// Runs the window. Returns false if events were out of order; counts_ has a late key plus 1.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION bool attempt(const Team& team) {
    load(team);
    std::uint32_t last = end_of_part(0);
    for (int odd = 0;; odd = 1 - odd) {
      const std::uint32_t limit = tick_by_tick_ ? smaller(last, first_of_all(team)) : last;
      choose(team, odd, limit);
      sync(team);
      const int compared = static_cast<int>(smaller(counts_[candidates + odd], most_candidates));
      compare(team, compared, odd);
      sync(team);
      const int count = static_cast<int>(smaller(counts_[fired + odd], most_fired));
      if (team.team_rank() == 0) counts_[candidates + 1 - odd] = counts_[fired + 1 - odd] = 0;
      if (count == 0) {
        sync(team);
        if (compared != 0 || limit != last) continue;
        if (last >= step_.length) return true;
        last = end_of_part(last + 1);
        each(team, ordered * ordered * ordered, [&](int i) { stamps_[i] = stamps_[i] == 0 ? 0 : 1; });
        sync(team);
        continue;
      }
      redraw(team, count);
      if (counts_[late] != 0) return false;
      if (counts_[overflow] != 0) return true;
    }
  }

  /// Runs the window event by event.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void perform_in_order(const Team& team) {
    load(team);
    const auto first = [this](int a, int b) { return before(a, b); };
    for (int index = queue_.next(first); index >= 0; index = queue_.next(first)) {
      fired_[0] = event_of(place_of(index), 0);
      redraw(team, 1);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION int entries() const {
    return static_cast<int>(smaller(counts_[pending], Base::most_pending));
  }
  /// The smallest key of all.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t first_of_all(const Team& team) {
    if (team.team_rank() == 0) counts_[first_key] = step_.length;
    sync(team);
    each(team, entries(), [&](int i) {
      const std::uint32_t entry = pending_[i];
      if (entry != 0) Kokkos::atomic_min(&counts_[first_key], Word::key(words_[entry & 0xffffu]));
    });
    sync(team);
    return counts_[first_key];
  }

  /// Lists the cells whose events are not after `limit`, nor known to be after another one.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void choose(const Team& team, int odd, std::uint32_t limit) {
    each(team, entries(), [&](int i) {
      const std::uint32_t entry = pending_[i];
      if (entry == 0) return;
      const std::uint32_t key = Word::key(words_[entry & 0xffffu]);
      if (key == Word::no_event) pending_[i] = 0;
      if (key > limit || Word::key(words_[entry >> 16]) < key) return;
      const std::uint32_t candidate = add(&counts_[candidates + odd], 1);
      if (candidate < most_candidates) candidates_[candidate] = static_cast<std::uint16_t>(i);
    });
  }

  /// Compares the events of the candidates with those nearby. The first ones take place.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void compare(const Team& team, int count, int odd) {
    each(team, count, [&](int c) {
      const int entry = candidates_[c];
      const std::uint32_t index = pending_[entry] & 0xffffu;
      const Place cell = place_of(static_cast<int>(index));
      const int blocker = blocker_of(cell);
      pending_[entry] = index | (blocker != 0 ? (index + static_cast<unsigned>(blocker)) << 16 : 0u);
      if (blocker != 0) return;
      const std::uint32_t e = add(&counts_[fired + odd], 1);
      if (e >= most_fired) return;
      fired_[e] = event_of(cell, entry);
      pending_[entry] = 0;
    });
  }

  /// The cell nearby with the last event that is before that of a cell, as a difference of indices; 0: none.
  KOKKOS_FORCEINLINE_FUNCTION int blocker_of(const Place& cell) const {
    constexpr int shift = L::parities == 1 ? 0 : distance_of(L::offset(0, 1)) - distance_of(L::offset(0, 0));
    const int index = cell.index(), moved = L::parities == 1 ? 0 : shift * parity(cell);
    const std::uint32_t same = words_[index] | ((1u << Word::shift) - 1);  // the largest word with this key
    std::uint32_t least = ~0u;
    int at = 0;
    unrolled<0, 2 * reach + 1>([&](auto plane_number) {
      // Planes beyond the window are replaced by the outermost ones, which have no events.
      constexpr int p = plane_number;
      int by_z = p - reach;
      by_z = by_z < -cell.z ? -cell.z : (by_z > side - 1 - cell.z ? side - 1 - cell.z : by_z);
      const int even = by_z * plane, odd = even + moved;
      unrolled<nearby<L, reach>.first[p], nearby<L, reach>.first[p + 1]>([&](auto i) {
        constexpr int by = distance_of({nearby<L, reach>.offsets[i].x, nearby<L, reach>.offsets[i].y, 0});
        constexpr bool is_odd = nearby<L, reach>.odd[i];
        const int to = (is_odd ? odd : even) + by;
        const std::uint32_t difference = same - words_[index + to];
        at = difference < least ? to : at;
        least = difference < least ? difference : least;
      });
    });
    if (least > same) return 0;
    return Word::key(words_[index + at]) == Word::key(same) ? tied_blocker_of(cell) : at;
  }
  /// The same for cells with events at the same tick: any cell with an event before that of a cell.
  KOKKOS_FUNCTION int tied_blocker_of(const Place& cell) const {
    const int index = cell.index();
    int result = 0;
    for (int z = -reach; z <= reach; ++z)
      for (int y = -reach; y <= reach; ++y)
        for (int x = -reach; x <= reach; ++x) {
          const Offset to{cell.x + x, cell.y + y, cell.z + z};
          const bool inside = static_cast<unsigned>(to.x) < side && static_cast<unsigned>(to.y) < side &&
                              static_cast<unsigned>(to.z) < side;
          const int by = distance_of({x, y, z});
          if (by != 0 && inside && before(index + by, index)) result = by;
        }
    return result;
  }

  /// The cells that event e affects: packed offsets.
  KOKKOS_FORCEINLINE_FUNCTION const std::int32_t* concerned_by(const Place& cell, const Event& event) const {
    const int direction = M::moves ? event.outcome : 0;
    return concerned_ + (parity(cell) * Concerned<M>::directions + direction) * concerned_by_event;
  }
  /// What happens in a cell.
  KOKKOS_FORCEINLINE_FUNCTION Event event_of(const Place& cell, int entry) const {
    const std::uint32_t* const word = words_ + cell.index();
    const int state = Word::state(*word);
    Event event{};
    event.cell = packed(cell.x, cell.y, cell.z);
    event.key = Word::key(*word);
    event.entry = static_cast<std::uint16_t>(entry);
    event.seed = seed_at(seed_, step_.begin + step_.now + event.key);
    const std::uint64_t its = random_of(event.seed, this->number(cell)), random = second_random(its);
    if constexpr (M::moves) {
      const int its_parity = parity(cell);
      const auto at = [&](int k) { return Word::state(word[to_neighbour(k, its_parity)]); };
      const int direction = model_.direction(at, random);
      event.outcome = static_cast<std::uint8_t>(direction);
      event.state = static_cast<std::uint8_t>(at(direction));
      event.other_state = static_cast<std::uint8_t>(state);
    } else {
      event.outcome = event.state = static_cast<std::uint8_t>(model_.next(state, random));
    }
    event.term = mix(its + event.outcome * golden);
    return event;
  }

  /// The cells that draw new waiting times. States are read before words are written, by all lanes: no lane reads a
  /// word that another one writes.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void redraw(const Team& team, int count) {
    const int all = count * concerned_by_event;
    for (int begin = 0; begin < all; begin += team.team_size()) {
      const int i = begin + team.team_rank(), e = i / concerned_by_event, k = i - e * concerned_by_event;
      int cell = 0, kind = -1;
      std::uint32_t word = 0;
      if (i < all) {
        const Event& event = fired_[e];
        const Place centre(event.cell);
        const std::int32_t* const offsets = concerned_by(centre, event);
        const Place at(cell = event.cell + offsets[k]);
        const int index = at.index(), first = centre.index(),
                  second = M::moves ? Place(event.cell + offsets[1]).index() : 0;
        const auto state_of = [&](int j) {
          return j == first ? event.state : (M::moves && j == second ? event.other_state : Word::state(words_[j]));
        };
        if (is_inside(at)) {
          const int its_parity = parity(at), state = state_of(index);
          word = (words_[index] & ~Word::states) | static_cast<std::uint32_t>(state);
          kind = (word & Word::frozen) != 0
                     ? -2
                     : model_.kind(state, [&](int j) { return state_of(index + to_neighbour(j, its_parity)); });
        }
      }
      sync(team);
      if (kind >= 0)
        draw(fired_[e], k, Place(cell), word, kind);
      else if (M::moves && kind == -2 && k == 1)
        words_[Place(cell).index()] = word;
      sync(team);
    }
  }

  /// Draws the waiting time of a cell, number k of those that an event affects.
  KOKKOS_FORCEINLINE_FUNCTION void draw(const Event& event, int k, const Place& cell, std::uint32_t word, int kind) {
    const Place centre(event.cell);
    const std::uint32_t at = site(cell), old_key = Word::key(word);
    const double mean = means_[kind];
    const std::uint32_t next =
        mean < 0 ? far : next_tick(step_.now + event.key, random_of(event.seed, this->box_.number(at)), mean);
    const bool is_pending = next - step_.now < step_.length;
    const std::uint32_t key = is_pending ? next - step_.now : Word::no_event;
    words_[cell.index()] = Word::of(key, false, word & Word::states);
    if constexpr (single_lane) {
      if (old_key != Word::no_event) queue_.remove(cell.index(), this->bucket_of(old_key));
      if (is_pending) queue_.add(cell.index(), this->bucket_of(key));
    } else if (is_pending && k == 0) {
      set_pending(event.entry, cell.index());
    } else if (is_pending && old_key == Word::no_event) {
      set_pending(add_pending(1), cell.index());
    }
    const bool event_is_own = is_own(centre), cell_is_own = is_own(cell);
    if (k == 0 && event_is_own) ++events_;
    const int sx = cell.x - (halo - margin), sy = cell.y - (halo - margin), sz = cell.z - (halo - margin);
    if (margin == 0 ? cell_is_own
                    : static_cast<unsigned>(sx) < ordered && static_cast<unsigned>(sy) < ordered &&
                          static_cast<unsigned>(sz) < ordered) {
      std::uint16_t& stamp = stamps_[(sz * ordered + sy) * ordered + sx];
      const auto now = static_cast<std::uint16_t>((event.key >> coarser_) + 2);
      if (!single_lane && stamp >= now && !tick_by_tick_) Kokkos::atomic_max(&counts_[late], event.key + 1);
      stamp = now;
    }
    if (cell_is_own) back_times_[at] = next;
    if (event_is_own == cell_is_own) return;
    this->add_term(direction_to(event_is_own ? cell : centre), event_is_own, event.term);
  }
};

}  // namespace tessera::kmc::space
