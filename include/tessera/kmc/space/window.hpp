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
/// Events are performed in rounds. Blocks of 2 x 2 x 2 cells have the smallest word of their cells, which is unique in
/// a neighbourhood but for events at the same tick in cells of the same parities. A cell fires if its word is the
/// smallest of the 27 blocks around it; an event of two cells, if it is that of all blocks with cells that conflict. A
/// redraw of the tile that is not later than the last one of its cell (its stamp) was out of order: the tile
/// is run again, in parts of time that end at the late events, and at last event by event. Redraws in the halo need no
/// order, since the comparison of the tiles detects what follows from it; in repairs those within `margin` from the
/// tile do, or the same late event would be repeated. A team of one lane performs the events in their order (KeyQueue).
///
/// Two sums for each of 26 neighbours, of the events in the tile that concern cells there, and of the events there that
/// concern cells of the tile, a term for each such cell, are equal to the neighbour's two if and only if both tiles
/// have simulated the same events at their border, but for a probability of 2^-64. They are sums of 32-bit halves.
template <Model M, int most_tile, int halo, int margin, bool single_lane>
class Window : WindowCells<M, most_tile, halo, margin, single_lane> {
  using WindowOfCells = WindowCells<M, most_tile, halo, margin, single_lane>;
  using L = typename M::Lattice;
  using Word = CellWord<M>;
  using typename WindowOfCells::Place;
  using WindowOfCells::blocks, WindowOfCells::groups, WindowOfCells::across, WindowOfCells::ordered,
      WindowOfCells::most_fired, WindowOfCells::concerned_by_event, WindowOfCells::most_parts, WindowOfCells::row,
      WindowOfCells::plane, WindowOfCells::each, WindowOfCells::sync, WindowOfCells::add, WindowOfCells::raise,
      WindowOfCells::lower, WindowOfCells::smaller, WindowOfCells::packed, WindowOfCells::site, WindowOfCells::parity,
      WindowOfCells::to_neighbour, WindowOfCells::is_own, WindowOfCells::direction_to, WindowOfCells::is_inside,
      WindowOfCells::block_word, WindowOfCells::prepare, WindowOfCells::load, WindowOfCells::store,
      WindowOfCells::words_, WindowOfCells::stamps_, WindowOfCells::blocks_, WindowOfCells::fired_,
      WindowOfCells::fired_words_, WindowOfCells::outcomes_, WindowOfCells::concerned_, WindowOfCells::means_,
      WindowOfCells::sums_, WindowOfCells::counts_, WindowOfCells::parts_, WindowOfCells::model_, WindowOfCells::step_,
      WindowOfCells::seed_, WindowOfCells::back_times_, WindowOfCells::flip_, WindowOfCells::events_,
      WindowOfCells::queue_, WindowOfCells::fired, WindowOfCells::late, WindowOfCells::tied, WindowOfCells::known_parts,
      WindowOfCells::events, WindowOfCells::first_word, WindowOfCells::first_site, WindowOfCells::no_block_word;

 public:
  using WindowOfCells::bytes, WindowOfCells::number_of_sums;

  template <class MemorySpace>
  KOKKOS_FUNCTION Window(char* scratch, const Cells<MemorySpace>& cells, const Box& box, const M& model,
                         const TilePlace& place)
      : WindowOfCells(scratch, cells, box, model, place) {}

  /// Runs the tile through the step: writes it to the back buffer, and its sums. Returns its number of events. All
  /// lanes of the team call this.
  template <class Team>
  KOKKOS_FUNCTION std::uint32_t run(const Team& team, std::uint64_t* sums) {
    prepare(team);
    if constexpr (single_lane)
      perform_in_order(team);
    else
      while (!attempt(team)) divide(team);
    if (events_ != 0) add(&counts_[events], events_);
    store(team);
    each(team, number_of_sums,
         [&](int i) { sums[i] = std::uint64_t{sums_[2 * i + 1]} << 32 | std::uint64_t{sums_[2 * i]}; });
    sync(team);
    return counts_[events];
  }

 private:
  /// Last key of the part of the step that begins with this key.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t end_of_part(std::uint32_t begin) const {
    std::uint32_t last = step_.length;
    for (std::uint32_t i = 0; i < counts_[known_parts]; ++i)
      if (parts_[i] >= begin) last = smaller(last, parts_[i]);
    return last;
  }

  /// Runs the window. Returns false if events were out of order; counts_ has a late key, or one of a tie, plus 1.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION bool attempt(const Team& team) {
    load(team);
    std::uint32_t begin = 0;
    last_ = end_of_part(0);
    for (;;) {
      if (one_by_one_)
        fire_first(team);
      else
        fire_all(team);
      sync(team);
      const int count = static_cast<int>(counts_[fired]);
      if (counts_[tied] != 0) return false;
      if (count == 0) {
        if (last_ >= step_.length) return true;
        begin = last_ + 1;
        last_ = end_of_part(begin);
        sync(team);
        continue;
      }
      if constexpr (M::moves) {
        exclude(team, count);
        sync(team);
        if (counts_[tied] != 0) return false;
        move(team, count);
        sync(team);
      }
      redraw(team, count);
      if (counts_[late] != 0) return false;
      refresh(team, count);
      if (team.team_rank() == 0) counts_[fired] = 0;
      sync(team);
    }
  }

  /// Runs the window event by event.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void perform_in_order(const Team& team) {
    load(team);
    one_by_one_ = true;
    const auto place_of = [](int index) { return packed(index % plane % row, index % plane / row, index / plane); };
    const auto before = [&](int a, int b) {
      const std::uint32_t key_a = Word::key(words_[a]), key_b = Word::key(words_[b]);
      if (key_a != key_b) return key_a < key_b;
      const Place at(place_of(a)), other(place_of(b));
      const unsigned first = Box::parities(at.x, at.y, at.z) ^ static_cast<unsigned>(flip_),
                     second = Box::parities(other.x, other.y, other.z) ^ static_cast<unsigned>(flip_);
      return first != second ? first < second : site(at) < site(other);
    };
    for (int index = queue_.next(before); index >= 0; index = queue_.next(before)) {
      counts_[fired] = 0;
      fire(Word::key(words_[index]) << 3, place_of(index));
      if constexpr (M::moves) move(team, 1);
      redraw(team, 1);
    }
  }

  /// After a failed attempt: the late key ends a part of its own. After many, or after a tie, event by event.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void divide(const Team& team) {
    const std::uint32_t parts = counts_[known_parts], key = counts_[late] - 1;
    bool divides = counts_[tied] == 0 && parts < most_parts;
    for (std::uint32_t i = 0; i < parts; ++i) divides &= parts_[i] != key;
    one_by_one_ |= !divides;
    sync(team);
    if (team.team_rank() == 0) {
      if (divides) parts_[parts] = key;
      counts_[known_parts] = parts + (divides ? 1 : 0);
      counts_[fired] = counts_[late] = counts_[tied] = 0;
    }
    sync(team);
  }

  /// The cell with this word of block (x, y, z), counted with the border.
  KOKKOS_FORCEINLINE_FUNCTION int cell_of(std::uint32_t word, int x, int y, int z) const {
    const int j = static_cast<int>(word & 7u) ^ flip_;
    return packed(2 * x - 2 + (j & 1), 2 * y - 2 + (j >> 1 & 1), 2 * z - 2 + (j >> 2));
  }
  /// A cell, whose block has this word, has an event.
  KOKKOS_FORCEINLINE_FUNCTION void fire(std::uint32_t word, int cell) {
    const std::uint32_t e = add(&counts_[fired], 1);
    fired_[e] = cell;
    fired_words_[e] = word;
    if constexpr (M::moves) {
      outcomes_[e] = 0;
    } else {
      const Place at(cell);
      std::uint32_t& its = words_[at.index()];
      const int next = model_.next(Word::state(its), second_random(random_of_event(at, word >> 3)));
      its = (its & ~Word::states) | static_cast<std::uint32_t>(next);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t random_of_event(const Place& cell, std::uint32_t key) const {
    return random_of(seed_, site(cell), step_.begin + step_.now + key);
  }

  /// Fires all cells that come first in their surroundings.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void fire_all(const Team& team) {
    const std::uint32_t limit = last_ << 3 | 7u;
    each(team, most_fired, [&](int i) {
      const int x = 2 * (i % groups) + 1, y = 2 * (i / groups % groups) + 1, z = 2 * (i / groups / groups) + 1;
      const std::uint32_t* const group = blocks_ + (z * across + y) * across + x;
      std::uint32_t word = no_block_word;
      int at = 0;
      for (int j = 0; j < 8; ++j) {
        const std::uint32_t other = group[((j >> 2) * across + (j >> 1 & 1)) * across + (j & 1)];
        at = other < word ? j : at;
        word = smaller(word, other);
      }
      if (word > limit) return;
      const std::uint32_t* const block = group + ((at >> 2) * across + (at >> 1 & 1)) * across + (at & 1);
      std::uint32_t least = no_block_word;
      for (int d = 0; d < directions; ++d) {
        const Offset by = offset_of(d);
        if (d != itself) least = smaller(least, block[(by.z * across + by.y) * across + by.x]);
      }
      if (word > least) return;
      if (word == least) return raise(&counts_[tied], (word >> 3) + 1);
      fire(word, cell_of(word, x + (at & 1), y + (at >> 1 & 1), z + (at >> 2)));
    });
  }

  /// Fires the first cell of all.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void fire_first(const Team& team) {
    const std::uint32_t limit = last_ << 3 | 7u;
    const auto visit = [&](const auto& use) {
      each(team, blocks * blocks * blocks, [&](int i) {
        const int x = i % blocks + 1, y = i / blocks % blocks + 1, z = i / blocks / blocks + 1;
        const std::uint32_t word = blocks_[(z * across + y) * across + x];
        if (word != no_block_word && word <= limit) use(word, cell_of(word, x, y, z));
      });
      sync(team);
    };
    if (team.team_rank() == 0) counts_[first_word] = counts_[first_site] = no_block_word;
    sync(team);
    visit([&](std::uint32_t word, int) { lower(&counts_[first_word], word); });
    visit([&](std::uint32_t word, int cell) {
      if (word == counts_[first_word]) lower(&counts_[first_site], site(Place(cell)));
    });
    visit([&](std::uint32_t word, int cell) {
      if (word == counts_[first_word] && site(Place(cell)) == counts_[first_site]) fire(word, cell);
    });
  }

  static constexpr std::uint8_t excluded = 255;  ///< in place of the direction of an event that does not take place

  /// Excludes events that conflict with earlier ones: those of blocks with |dx| + |dy| + |dz| <= 3 on a simple cubic
  /// lattice, otherwise of all blocks up to two away.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void exclude(const Team& team, int count) {
    constexpr int rows = 25;
    each(team, count * rows, [&](int i) {
      const int e = i / rows, q = i - rows * e, dz = q / 5 - 2, dy = q % 5 - 2;
      const int away = (dz < 0 ? -dz : dz) + (dy < 0 ? -dy : dy);
      const Place cell(fired_[e]);
      const int x = cell.x / 2 + 1, y = cell.y / 2 + 1 + dy, z = cell.z / 2 + 1 + dz;
      if (static_cast<unsigned>(y) >= across || static_cast<unsigned>(z) >= across) return;
      const int reach = L::neighbours == 6 ? (away <= 1 ? 2 : 3 - away) : 2;
      std::uint32_t least = no_block_word;
      for (int dx = -reach; dx <= reach; ++dx)
        if ((dx != 0 || away != 0) && static_cast<unsigned>(x + dx) < across)
          least = smaller(least, blocks_[(z * across + y) * across + x + dx]);
      const std::uint32_t word = fired_words_[e];
      if (least < word)
        outcomes_[e] = excluded;
      else if (least == word && !one_by_one_)
        raise(&counts_[tied], (word >> 3) + 1);
    });
  }

  /// Draws the directions of events, and exchanges states.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void move(const Team& team, int count) {
    each(team, count, [&](int e) {
      if (outcomes_[e] == excluded) return;
      const Place cell(fired_[e]);
      const int its_parity = parity(cell);
      std::uint32_t* const word = words_ + cell.index();
      const auto at = [&](int k) { return Word::state(word[to_neighbour(k, its_parity)]); };
      const int direction = model_.direction(at, second_random(random_of_event(cell, fired_words_[e] >> 3)));
      outcomes_[e] = static_cast<std::uint8_t>(direction);
      const Place to(fired_[e] +
                     concerned_[(its_parity * Concerned<M>::directions + direction) * concerned_by_event + 1]);
      std::uint32_t* const other = words_ + to.index();
      const std::uint32_t differ = (*word ^ *other) & Word::states;
      *word ^= differ;
      *other ^= differ;
    });
  }

  /// The cells that draw new waiting times. States are read before words are written, by all lanes: no lane reads a
  /// word that another one writes.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void redraw(const Team& team, int count) {
    const int all = count * concerned_by_event;
    for (int begin = 0; begin < all; begin += team.team_size()) {
      const int i = begin + team.team_rank(), e = i / concerned_by_event, k = i - e * concerned_by_event;
      int cell = -1, kind = 0, outcome = 0;
      std::uint32_t word = 0;
      if (i < all && !(M::moves && outcomes_[e] == excluded)) {
        const Place event(fired_[e]);
        outcome = M::moves ? outcomes_[e] : Word::state(words_[event.index()]);
        const int table = parity(event) * Concerned<M>::directions + (M::moves ? outcome : 0);
        const Place at(cell = fired_[e] + concerned_[table * concerned_by_event + k]);
        const bool inside = is_inside(at);
        if (inside) word = words_[at.index()];
        if (inside && (word & Word::frozen) == 0) {
          const int its_parity = parity(at), index = at.index();
          kind = model_.kind(Word::state(word),
                             [&](int j) { return Word::state(words_[index + to_neighbour(j, its_parity)]); });
        } else {
          cell = -1;
        }
      }
      sync(team);
      if (cell >= 0) draw(e, k, Place(cell), word, kind, outcome);
      sync(team);
    }
  }

  /// Draws the waiting time of a cell, number k of those that event e concerns.
  KOKKOS_FORCEINLINE_FUNCTION void draw(int e, int k, const Place& cell, std::uint32_t word, int kind, int outcome) {
    const Place event(fired_[e]);
    const std::uint32_t key = fired_words_[e] >> 3, at = site(cell);
    const std::uint64_t now = step_.begin + step_.now + key;
    const double mean = means_[kind];
    const std::uint32_t next = mean < 0 ? far : next_tick(step_.now + key, random_of(seed_, at, now), mean);
    const std::uint32_t next_key = next - step_.now;
    if constexpr (single_lane) {
      if (Word::key(word) < step_.length) queue_.remove(cell.index(), Word::key(word));
      if (next_key < step_.length) queue_.add(cell.index(), next_key);
    }
    words_[cell.index()] = Word::of(next_key < step_.length ? next_key : Word::no_event, false, word & Word::states);
    const bool event_is_own = is_own(event), cell_is_own = is_own(cell);
    if (k == 0 && event_is_own) ++events_;
    const int sx = cell.x - (halo - margin), sy = cell.y - (halo - margin), sz = cell.z - (halo - margin);
    if (margin == 0 ? cell_is_own
                    : static_cast<unsigned>(sx) < ordered && static_cast<unsigned>(sy) < ordered &&
                          static_cast<unsigned>(sz) < ordered) {
      std::uint32_t& stamp = stamps_[(sz * ordered + sy) * ordered + sx];
      if (stamp > key && !one_by_one_) raise(&counts_[late], key + 1);
      stamp = key + 1;
    }
    if (cell_is_own) back_times_[at] = next;
    if (event_is_own == cell_is_own) return;
    const int direction = event_is_own ? direction_to(cell) : directions + direction_to(event);
    const std::uint64_t term = mix(random_of(seed_, site(event), now) + static_cast<std::uint64_t>(outcome) * golden);
    add(&sums_[2 * direction], static_cast<std::uint32_t>(term));
    add(&sums_[2 * direction + 1], static_cast<std::uint32_t>(term >> 32));
  }

  /// Computes the words of the blocks with redrawn cells.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void refresh(const Team& team, int count) {
    each(team, count * concerned_by_event, [&](int i) {
      const int e = i / concerned_by_event, k = i - e * concerned_by_event;
      if (M::moves && outcomes_[e] == excluded) return;
      const Place event(fired_[e]);
      const int table = parity(event) * Concerned<M>::directions + (M::moves ? outcomes_[e] : 0);
      const Place cell(fired_[e] + concerned_[table * concerned_by_event + k]);
      if (!is_inside(cell) || (k != 0 && cell.block() == event.block())) return;
      const int first = (cell.z & ~1) * plane + (cell.y & ~1) * row + (cell.x & ~1);
      std::uint32_t least = no_block_word;
      for (int j = 0; j < 8; ++j)
        least = smaller(least, block_word(words_[first + (j & 1) + (j >> 1 & 1) * row + (j >> 2) * plane], j));
      blocks_[cell.block()] = least;
    });
  }

  std::uint32_t last_ = 0;  ///< last key of the present part
  bool one_by_one_ = false;
};

}  // namespace tessera::kmc::space
