// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <tessera/core/kokkos_ext/scratch.hpp>
#include <tessera/core/kokkos_ext/scratch_words.hpp>
#include <tessera/core/kokkos_ext/team_scratch.hpp>
#include <tessera/core/kokkos_ext/word_bits.hpp>
#include <tessera/core/streams.hpp>
#include <tessera/kpz/decomposition.hpp>
#include <tessera/kpz/kernels/block_layer.hpp>
#include <tessera/kpz/kernels/scratch_columns.hpp>
#include <tessera/kpz/rates.hpp>
#include <tessera/kpz/word.hpp>

/// The block layer's mapping to GPUs: a lane of a team has one thread cell, or a few, and looks at the bits of its
/// sites in the team's scratch.
namespace tessera::kpz {

/// The sides of the domains and thread cells that common kernels are for.
inline constexpr int common_domain = 128, common_cell = 8;

/// Whether the common kernels can do with this decomposition.
inline bool is_common(const Decomposition& d) {
  return d.domain == common_domain && d.cell_x == common_cell && d.cell_y == common_cell;
}

/// The cells of a domain; see collective_updates(). `most_cells`: the cells of a lane, at most; they are few and stay
/// in registers. `common`: domain and cells are common ones, and every lane has
/// most_cells of them.
template <class Scheme, int most_cells, bool common, class Team>
class LaneCells {
 public:
  using Columns = ScratchColumns<common ? common_domain : 0>;
  using Window = kpz::Window<common, common && !Scheme::dead_border>;

  /// Bytes of the team's scratch.
  static constexpr int scratch_level = 0;
  static std::size_t scratch(const Decomposition& d) { return sizeof(Shared) + Columns::bytes(d) + alignof(Shared); }

  KOKKOS_FORCEINLINE_FUNCTION LaneCells(const Team& team, const Decomposition& d, const Rates& rates)
      : team_(team),
        d_(d),
        rates_(rates),
        shared_(scratch_array<Shared>(team, 1)),
        columns_(d, scratch_array<std::uint32_t>(team, Columns::words(d))),
        words_(&columns_.at(0, 0), team.team_size()),
        count_(common ? most_cells : (d.cells - team.team_rank() + team.team_size() - 1) / team.team_size()) {}

  /// Takes the streams of the domain's cells, from `first` on, and `own`, that of the domain itself.
  template <class Pool>
  KOKKOS_FORCEINLINE_FUNCTION void load(const Pool& streams, std::size_t first, std::size_t own) {
    for_each_cell([&](int k) {
      corners_[k] = common ? common_corner(cell(k)) : d_.cell_corner(cell(k));
      states_[k] = streams.states()(first + static_cast<std::size_t>(cell(k)));
    });
    if (team_.team_rank() != 0) return;
    shared_->shifts = streams.get(own).state();
    shared_->changes = shared_->removals = 0;
    draw_shifts(0);
  }
  template <class Pool>
  KOKKOS_FORCEINLINE_FUNCTION void store(const Pool& streams, std::size_t first, std::size_t own) const {
    for_each_cell([&](int k) { streams.put(first + static_cast<std::size_t>(cell(k)), Stream(states_[k])); });
    if (team_.team_rank() == 0) streams.put(own, Stream(shared_->shifts));
  }

  KOKKOS_FORCEINLINE_FUNCTION void read(const Window& window) const { columns_.read(team_, window); }
  KOKKOS_FORCEINLINE_FUNCTION void write(const Window& window) const { columns_.write(team_, window); }

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t shifts(int draw, bool last) {
    const std::uint64_t bits = shared_->drawn[draw & 1];
    // The number in the other place was last read before the barriers of the last updates.
    if (team_.team_rank() == 0 && !last) draw_shifts((draw + 1) & 1);
    return bits;
  }

  KOKKOS_FORCEINLINE_FUNCTION void draw() {
    for_each_cell([&](int k) {
      Stream stream(states_[k]);
      randoms_[k] = stream.draw();
      states_[k] = stream.state();
    });
  }

  template <class What>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_update(const What& what) const {
    if constexpr (common) {
      what(0);
      what(1);
      what(2);
      what(3);
    } else {
      for (int update = 0; update < d_.updates_a_draw / 2; ++update) what(update);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void half(int number, Place shifts) {
    shifts_of_half_ = common ? shifts & common_shifts : shifts;
    if constexpr (Scheme::certain)
      for_each_cell([&](int k) {
        const auto random = static_cast<Place>(randoms_[k] >> (32 * number));
        // The sums of both coordinates and their shifts for all four updates at once: none is larger than 15.
        sites_[k] = common ? (random & common_sites) + shifts_of_half_ : random;
      });
  }

  template <class Probe>
  KOKKOS_FORCEINLINE_FUNCTION void choose(int update, const Probe& probe) {
    constexpr Place nibbles = place(0xf, 0xf);
    const int bit = update * (common ? 4 : d_.field);
    const Place shift = (shifts_of_half_ >> bit) & (common ? nibbles : d_.shift_bits);
    for_each_cell([&](int k) {
      Place step;
      if constexpr (Scheme::certain && common) {
        step = (sites_[k] >> bit) & nibbles;
      } else {
        const Place site = Scheme::certain ? sites_[k] >> bit : static_cast<Place>(randoms_[k]);
        step = (site & (common ? common_sites & nibbles : d_.site_bits)) + shift;
        if constexpr (Scheme::in_classes)
          classes_[k] = border_class(site, common ? place(common_cell - 1, common_cell - 1) : d_.last_in_cell);
      }
      const Place p = (corners_[k] + step) & domain_bits();
      places_[k] = p;
      words_at_[k] = words_.address(p & (domain_bits() & ~place(word_sites - 1, 0)),
                                    static_cast<std::uint32_t>(column_bytes()) / word_sites, sizeof(std::uint32_t));
      const bool live = !Scheme::dead_border || is_live(p);
      const std::uint64_t chance = randoms_[k] >> 32;
      if constexpr (Scheme::both) {
        may_deposit_[k] = live & (chance < rates_.deposition);
        may_remove_[k] = live & (chance < rates_.removal);
      } else {
        may_deposit_[k] = live & (Scheme::certain || chance < rates_.only);
      }
      if (Probe::sees && live) probe.attempt(p);
    });
  }

  KOKKOS_FORCEINLINE_FUNCTION void update() {
    if constexpr (Scheme::tiled) {
      for_each_cell([&](int k) { flip(k, changes(k)); });
    } else {
      std::uint32_t changing[most_cells] = {};
      for_each_cell([&](int k) { changing[k] = changes(k); });
      sync_warps(team_);
      for_each_cell([&](int k) { flip(k, changing[k]); });
    }
    sync_warps(team_);
  }

  KOKKOS_FORCEINLINE_FUNCTION void update_class(int number) {
    for_each_cell([&](int k) {
      if (classes_[k] == number) flip(k, changes(k));
    });
    sync_warps(team_);
  }

  /// Adds up the updates that the lanes have done, for the first one after the next barrier.
  KOKKOS_FORCEINLINE_FUNCTION void add_up() const {
    Kokkos::atomic_add(&shared_->changes, changes_);
    if constexpr (Scheme::both) Kokkos::atomic_add(&shared_->removals, removals_);
  }
  /// Updates done, for the first lane; of one kind, all as depositions.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t depositions() const { return shared_->changes - shared_->removals; }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t removals() const { return shared_->removals; }

 private:
  /// Bits of sites in a common cell or its sub-tile, and of shifts, in all fields of four bits.
  static constexpr Place common_sites = Scheme::tiled ? 0x33333333u : 0x77777777u,
                         common_shifts = Scheme::tiled ? 0x44444444u : 0x77777777u;
  static constexpr Place no_borrow = place(0x8000, 0x8000);

  /// What the lanes share beside the sites: the domain's own stream, for shifts, its present number, and the next one;
  /// the updates done.
  struct Shared {
    std::uint64_t shifts, drawn[2];
    std::uint32_t changes, removals;
  };
  KOKKOS_FORCEINLINE_FUNCTION void draw_shifts(int place) const {
    Stream stream(shared_->shifts);
    shared_->drawn[place] = stream.draw();
    shared_->shifts = stream.state();
  }

  /// Calls what(k) for the cells of this lane.
  template <class What>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_cell(const What& what) const {
    for (int k = 0; k < most_cells; ++k)
      if (common || k < count_) what(k);
  }
  KOKKOS_FORCEINLINE_FUNCTION int cell(int k) const { return team_.team_rank() + k * team_.team_size(); }

  KOKKOS_FORCEINLINE_FUNCTION static Place common_corner(int cell) {
    constexpr int in_row = common_domain / common_cell;
    return place(cell % in_row * common_cell, cell / in_row * common_cell);
  }

  KOKKOS_FORCEINLINE_FUNCTION int domain() const { return common ? common_domain : d_.domain; }
  KOKKOS_FORCEINLINE_FUNCTION Place domain_bits() const {
    return common ? place(common_domain - 1, common_domain - 1) : d_.domain_bits;
  }
  KOKKOS_FORCEINLINE_FUNCTION int column_bytes() const {
    return Columns::stride(domain()) * static_cast<int>(sizeof(std::uint32_t));
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_live(Place p) const {
    const Place last_live = place(domain() - d_.border - 1, domain() - d_.border - 1) | no_borrow;
    return ((last_live - p) & no_borrow) == no_borrow;
  }

  /// 1 if the attempt of a cell succeeds, else 0; counts it.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t changes(int k) {
    const auto at = words_at_[k];
    const auto column = static_cast<ScratchWords::Address>(column_bytes());
    const std::uint32_t word = words_.load_beside(at, places_[k], at - column, at + column),
                        up = words_.load(at + sizeof(std::uint32_t)), down = words_.load(at - sizeof(std::uint32_t)),
                        row = rotated_right(word, places_[k]);
    const Neighbourhood near{row, row >> 1, rotated_right(up, places_[k]), row >> 31, rotated_right(down, places_[k])};
    const std::uint32_t removable = near.removable();
    const std::uint32_t may =
        Scheme::both ? (may_deposit_[k] & ~removable) | (may_remove_[k] & removable) : may_deposit_[k] & ~removable;
    const std::uint32_t changed = near.open() & may & 1u;
    changes_ += changed;
    if constexpr (Scheme::both) removals_ += changed & removable;
    return changed;
  }

  KOKKOS_FORCEINLINE_FUNCTION void flip(int k, std::uint32_t changes) const {
    words_.flip(words_at_[k], shifted_left(changes, places_[k]));
  }

  const Team& team_;
  const Decomposition& d_;
  const Rates& rates_;
  Shared* shared_;
  Columns columns_;
  ScratchWords words_;  ///< from the domain's lower left one on
  int count_;           ///< cells of this lane
  Place shifts_of_half_ = 0;
  std::uint32_t changes_ = 0, removals_ = 0;

  Place corners_[most_cells];         ///< of the cells
  std::uint64_t states_[most_cells];  ///< of their streams
  std::uint64_t randoms_[most_cells];
  Place sites_[most_cells];  ///< which site next, in the lowest bits of both halves
  int classes_[most_cells];

  // Of the attempts: sites, their words, and whether there may be a change of either kind.
  Place places_[most_cells];
  ScratchWords::Address words_at_[most_cells];
  std::uint32_t may_deposit_[most_cells], may_remove_[most_cells];
};

}  // namespace tessera::kpz
