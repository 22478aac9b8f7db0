// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/streams.hpp>
#include <tessera/kpz/decomposition.hpp>
#include <tessera/kpz/kernels/attempt_probe.hpp>
#include <tessera/kpz/rates.hpp>
#include <tessera/kpz/word.hpp>

/// The block layer: what a team does with its domain in an asynchronous interval.
namespace tessera::kpz {

/// What a kernel is compiled for. `most_cells`: the thread cells that a lane has, at most; they are few and stay in
/// registers. `common`: a cell has at most 8 x 8 sites, and every lane has most_cells of them.
template <bool dead_border_, BlockLayer block_, Rule rule_, int most_cells_, bool common_>
struct Kind {
  static constexpr bool dead_border = dead_border_;  ///< of the device layer
  static constexpr BlockLayer block = block_;
  static constexpr Rule rule = rule_;
  static constexpr int most_cells = most_cells_;
  static constexpr bool common = common_;
};

/// The collective updates of a team.
///
/// With a dead border and one kind of update, no two neighbouring sites can change at the same time: borders are
/// ignored, all lanes decide on the state before the collective update, and a barrier later they write. With both kinds
/// of update the bulk, the sides and the corners of the shifted cells follow one after the other; within each, no two
/// lanes' sites share a slope. With double tiling no two active sub-tiles reach the same word. So the result does not
/// depend on the order of the lanes.
template <class Kind, class Team, class Probe>
class CollectiveUpdates {
 public:
  /// `row`: words in a row of the window that begins at `words`.
  KOKKOS_FORCEINLINE_FUNCTION CollectiveUpdates(const Team& team, const Decomposition& d, const Rates& rates,
                                                std::uint32_t* words, int row, const Probe& probe)
      : team_(team),
        d_(d),
        rates_(rates),
        words_(words),
        probe_(probe),
        row_(static_cast<std::uint32_t>(row)),
        last_live_(place(d.domain - d.border - 1, d.domain - d.border - 1) | no_borrow),
        count_((d.cells - team.team_rank() + team.team_size() - 1) / team.team_size()) {}

  /// All collective updates of an interval. The streams of the domain's cells are `streams` from `first` on, that of
  /// the domain itself, which shifts the cells, is `shifts`; its first number is in drawn[0], scratch of two numbers.
  /// Barriers before and after this call are the caller's.
  template <class Pool>
  KOKKOS_FORCEINLINE_FUNCTION void run(const Pool& streams, std::size_t first, Stream& shifts, std::uint64_t* drawn) {
    for_each_cell([&](int k) {
      corners_[k] = d_.cell_corner(cell(k));
      states_[k] = streams.states()(first + static_cast<std::size_t>(cell(k)));
    });
    const int draws = d_.rounds / d_.updates_a_draw;
    for (int draw = 0; draw < draws; ++draw) {
      const std::uint64_t shift_bits = drawn[draw & 1];
      // The number in the other place was last read before the barriers of the last updates.
      if (team_.team_rank() == 0 && draw + 1 < draws) drawn[(draw + 1) & 1] = shifts.draw();
      if constexpr (certain) for_each_cell([&](int k) { randoms_[k] = next(k); });
      half_of_draw(static_cast<Place>(shift_bits));
      if constexpr (certain) for_each_cell([&](int k) { randoms_[k] >>= 32; });
      half_of_draw(static_cast<Place>(shift_bits >> 32));
    }
    for_each_cell([&](int k) { streams.put(first + static_cast<std::size_t>(cell(k)), Stream(states_[k])); });
  }

  /// Updates that this lane has done; of Rule::one_certain and Rule::one, all as one kind.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t depositions() const { return depositions_; }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t removals() const { return removals_; }

 private:
  static constexpr bool certain = Kind::rule == Rule::one_certain;
  static constexpr bool both = Kind::rule == Rule::both;
  static constexpr bool tiled = Kind::block == BlockLayer::double_tiling;
  static constexpr Place no_borrow = place(0x8000, 0x8000);
  static constexpr Place nibbles = place(0xf, 0xf);
  static constexpr std::uint32_t word_bytes = sizeof(std::uint32_t);

  /// A site that is attempted, as an update needs it: its word, and where its slopes stand there.
  struct Attempt {
    std::uint32_t* word;
    std::uint32_t x_bit, y_bit;
  };

  /// Calls what(k) for the cells of this lane.
  template <class What>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_cell(const What& what) const {
    for (int k = 0; k < Kind::most_cells; ++k)
      if (Kind::common || k < count_) what(k);
  }
  KOKKOS_FORCEINLINE_FUNCTION int cell(int k) const { return team_.team_rank() + k * team_.team_size(); }

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t next(int k) {
    Stream stream(states_[k]);
    const std::uint64_t random = stream.draw();
    states_[k] = stream.state();
    return random;
  }

  /// The collective updates that 32 bits for shifts are enough for.
  KOKKOS_FORCEINLINE_FUNCTION void half_of_draw(Place shift) {
    if constexpr (Kind::common) {
      // The sums of both coordinates and their shifts for all four updates at once: none is larger than 15.
      const Place shifts = shift & d_.shift_fields;
      if constexpr (certain)
        for_each_cell([&](int k) { sites_[k] = (static_cast<Place>(randoms_[k]) & d_.site_fields) + shifts; });
      common_update(shifts, 0);
      common_update(shifts, 4);
      common_update(shifts, 8);
      common_update(shifts, 12);
    } else {
      if constexpr (certain) for_each_cell([&](int k) { sites_[k] = static_cast<Place>(randoms_[k]); });
      for (int i = 0; i < d_.updates_a_draw / 2; ++i) {
        if constexpr (!certain) draw_sites();
        update([&](int k) { return (shift & d_.shift_bits) + (sites_[k] & d_.site_bits); });
        shift >>= d_.field;
        if constexpr (certain) for_each_cell([&](int k) { sites_[k] >>= d_.field; });
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void common_update(Place shifts, int bit) {
    if constexpr (certain) {
      update([&](int k) { return (sites_[k] >> bit) & nibbles; });
    } else {
      draw_sites();
      update([&](int k) { return ((shifts >> bit) & nibbles) + (sites_[k] & d_.site_bits); });
    }
  }

  /// Sites for one update, with a random number of each cell for what else it needs.
  KOKKOS_FORCEINLINE_FUNCTION void draw_sites() {
    for_each_cell([&](int k) {
      randoms_[k] = next(k);
      sites_[k] = static_cast<Place>(randoms_[k]);
    });
  }

  /// One collective update; step(k) is the place that cell k attempts, from the corner of the unshifted cell.
  template <class Step>
  KOKKOS_FORCEINLINE_FUNCTION void update(const Step& step) {
    const auto chosen = [&](int k) { return (corners_[k] + step(k)) & d_.domain_bits; };
    if constexpr (tiled) {
      for_each_cell([&](int k) { try_to_change(k, chosen(k)); });
      team_.team_barrier();
    } else if constexpr (both) {
      for (int class_now = 0; class_now < 3; ++class_now) {
        for_each_cell([&](int k) {
          if (border_class(sites_[k]) == class_now) try_to_change(k, chosen(k));
        });
        team_.team_barrier();
      }
    } else {
      Attempt attempts[Kind::most_cells] = {};
      bool changing[Kind::most_cells] = {};
      for_each_cell([&](int k) {
        const Place p = chosen(k);
        attempts[k] = attempt(p);
        changing[k] = changes(k, p, attempts[k]);
      });
      team_.team_barrier();
      for_each_cell([&](int k) {
        if (changing[k]) flip(attempts[k]);
      });
      team_.team_barrier();
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void try_to_change(int k, Place p) {
    const Attempt a = attempt(p);
    if (changes(k, p, a)) flip(a);
  }

  /// 0 for a site in the bulk of its cell, 1 at its right or upper side, 2 in the corner of both.
  KOKKOS_FORCEINLINE_FUNCTION int border_class(Place site) const {
    const Place to_last = ~site & d_.last_in_cell;
    return ((to_last & 0xffffu) == 0) + ((to_last >> 16) == 0);
  }

  KOKKOS_FORCEINLINE_FUNCTION Attempt attempt(Place p) const {
    // In bytes: 4 (x / 4) is x without its lowest two bits.
    const std::uint32_t offset = (p >> 18) * (row_ * word_bytes) + (p & 0xfffcu);
    return {reinterpret_cast<std::uint32_t*>(reinterpret_cast<char*>(words_) + offset), x_slope_bit(p), y_slope_bit(p)};
  }

  /// Whether an attempt at a site succeeds; counts it.
  KOKKOS_FORCEINLINE_FUNCTION bool changes(int k, Place p, const Attempt& a) {
    const bool live = !Kind::dead_border || ((last_live_ - p) & no_borrow) == no_borrow;
    if (!live) return false;
    probe_.attempt(p);
    const Slopes slopes = slopes_at(a.x_bit, a.y_bit, a.word[0], a.word[1], a.word[row_]);
    if constexpr (both) {
      const std::uint64_t random = randoms_[k] >> 32;
      const bool deposited = live & slopes.are(open_to_deposition) & (random < rates_.deposition);
      const bool removed = live & slopes.are(open_to_removal) & (random < rates_.removal);
      depositions_ += deposited;
      removals_ += removed;
      return deposited | removed;
    } else {
      bool changed = live & slopes.are(rates_.open);
      if constexpr (!certain) changed = changed & ((randoms_[k] >> 32) < rates_.only);
      depositions_ += changed;
      return changed;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void flip(const Attempt& a) const {
    const Flips flips = flips_at(a.x_bit, a.y_bit);
    if constexpr (tiled) {
      a.word[0] ^= flips.word;
      a.word[1] ^= flips.right;
      a.word[row_] ^= flips.above;
    } else {
      // Flipping nothing takes less than looking whether there is anything to flip.
      flip_bits(team_, a.word, flips.word);
      flip_bits(team_, a.word + 1, flips.right);
      flip_bits(team_, a.word + row_, flips.above);
    }
  }

  const Team& team_;
  const Decomposition& d_;
  const Rates& rates_;
  std::uint32_t* words_;
  Probe probe_;
  std::uint32_t row_;  ///< words in a row of the window
  Place last_live_;    ///< upper right corner of the sites that no dead border has, with bits that no borrow passes
  int count_;          ///< cells of this lane
  std::uint32_t depositions_ = 0, removals_ = 0;

  Place corners_[Kind::most_cells];         ///< of the cells
  std::uint64_t states_[Kind::most_cells];  ///< of their streams
  std::uint64_t randoms_[Kind::most_cells];
  Place sites_[Kind::most_cells];  ///< which site next, in the lowest bits of both halves
};

}  // namespace tessera::kpz
