// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <tessera/core/kokkos_ext/scratch_words.hpp>
#include <tessera/core/kokkos_ext/team_scratch.hpp>
#include <tessera/core/kokkos_ext/word_bits.hpp>
#include <tessera/core/streams.hpp>
#include <tessera/kpz/kernels/block_layer.hpp>
#include <tessera/kpz/kernels/scratch_columns.hpp>
#include <tessera/kpz/state/decomposition.hpp>
#include <tessera/kpz/state/rates.hpp>
#include <tessera/kpz/state/word.hpp>

/// Mapping of the block layer to GPUs: a lane has one or a few thread cells; the domain is in scratch memory.
namespace tessera::kpz {

/// Sides of the domains and thread cells for which common kernels are compiled.
inline constexpr int common_domain = 128, common_cell = 8;

inline bool is_common(const Decomposition& d) {
  return d.domain == common_domain && d.cell_x == common_cell && d.cell_y == common_cell;
}

/// The cells of a domain; see collective_updates(). `most_cells`: maximum per lane, few enough for registers.
/// `common`: domain and cells have the common sides, and every lane has most_cells cells.
template <class Scheme, int most_cells, bool common, class Team>
class LaneCells {
 public:
  /// Lanes of a team if known at compile time, else 0.
  static constexpr int lanes = common ? common_domain * common_domain / (common_cell * common_cell * most_cells) : 0;
  using Columns = ScratchColumns<common ? common_domain : 0, lanes>;
  using Window = kpz::Window<common, common && !Scheme::dead_border>;

  /// With two updates in flight a lane waits less for memory; registers suffice for this with one cell.
  static constexpr int unrolled = most_cells == 1 ? 2 : 1;

  static constexpr int scratch_level = 0;
  static std::size_t scratch(const Decomposition& d) { return sizeof(Shared) + Columns::bytes(d) + alignof(Shared); }

  KOKKOS_FORCEINLINE_FUNCTION LaneCells(const Team& team, const Decomposition& d, const Rates& rates)
      : team_(team),
        d_(d),
        deposits_(Scheme::both ? rates.deposition : rates.only),
        removes_(rates.removal),
        shared_(scratch_array<Shared>(team, 1)),
        columns_(d, scratch_array<std::uint32_t>(team, Columns::words(d))),
        words_(&columns_.at(0, 0), team.team_size()),
        count_(common ? most_cells : (d.cells - team.team_rank() + team.team_size() - 1) / team.team_size()) {}

  /// Loads the streams of the domain's cells, from index `first` on, and of the domain itself.
  template <class States>
  KOKKOS_FORCEINLINE_FUNCTION void load(const States& streams, std::size_t first, std::size_t domain) {
    for_each_cell([&](int k) {
      corners_[k] = common ? common_corner(cell(k)) : d_.cell_corner(cell(k));
      states_[k] = streams(first + static_cast<std::size_t>(cell(k)));
    });
    domain_state_ = streams(domain);
  }
  template <class States>
  KOKKOS_FORCEINLINE_FUNCTION void store(const States& streams, std::size_t first, std::size_t domain) const {
    for_each_cell([&](int k) { streams(first + static_cast<std::size_t>(cell(k))) = states_[k]; });
    if (team_.team_rank() == 0) streams(domain) = shared_->shifts;
  }

  /// Called after load(). The sites and the stream of the domain are available after the next barrier.
  KOKKOS_FORCEINLINE_FUNCTION void read(const Window& window) const {
    columns_.read(team_, window);
    if (team_.team_rank() != 0) return;
    shared_->shifts = domain_state_;
    shared_->changes = shared_->removals = 0;
    draw_shifts(0);
  }
  /// Also sums the updates of all lanes; the first lane has the sum after the next barrier.
  KOKKOS_FORCEINLINE_FUNCTION void write(const Window& window) const {
    Kokkos::atomic_add(&shared_->changes, changes_);
    if constexpr (Scheme::both) Kokkos::atomic_add(&shared_->removals, removals_);
    columns_.write(team_, window);
  }

  KOKKOS_FORCEINLINE_FUNCTION std::uint64_t shifts(int draw, bool last) {
    const std::uint64_t bits = shared_->drawn[draw & 1];
    // The number that is overwritten was last read before the barriers of the previous updates.
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

  template <int step, class What>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_update(const What& what) const {
    if constexpr (common && Scheme::certain) {
      what(0);
      what(1);
      what(2);
      what(3);
    } else {
      const int updates = common ? 4 : d_.updates_a_draw / 2;
#if defined(__CUDA_ARCH__)  // clang does not unroll a loop with barriers whose length is unknown
#pragma unroll(unrolled)
#endif
      for (int update = 0; update < updates; update += step) what(update);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void half(int number, PackedSite shifts) {
    shifts_of_half_ = common ? shifts & common_shifts : shifts;
    if constexpr (Scheme::certain)
      for_each_cell([&](int k) {
        const auto random = static_cast<PackedSite>(randoms_[k] >> (32 * number));
        if constexpr (common) {
          // For four updates at once, in bytes: the four-bit sums of site and shift, plus the corner.
          const PackedSite steps = (random & common_sites) + shifts_of_half_, corners = corners_[k] * 0x0101u;
          sites_[k] = corners + (steps & 0x0f0f0f0fu);
          other_sites_[k] = corners + ((steps >> 4) & 0x0f0f0f0fu);
        } else {
          sites_[k] = random;
        }
      });
  }

  template <int of_draw>
  KOKKOS_FORCEINLINE_FUNCTION void choose(int update) {
    const int bit = update * (common ? 4 : d_.field);
    const PackedSite shift = (shifts_of_half_ >> bit) & (common ? packed_site(0xf, 0xf) : d_.shift_bits);
    for_each_cell([&](int k) {
      const auto number = static_cast<std::uint32_t>(randoms_[k] >> (32 * of_draw));
      PackedSite site;  // only its bits in domain_bits() are defined
      if constexpr (Scheme::certain && common) {
        site = (update % 2 == 0 ? sites_[k] : other_sites_[k]) >> (update / 2 * 8);
      } else {
        const PackedSite in_cell = Scheme::certain ? (sites_[k] >> bit) & site_bits() : site_of(number);
        site = corners_[k] + in_cell + shift;
        if (!common) site &= d_.domain_bits;  // for the bit index, too: domains may be narrower than words
        if constexpr (Scheme::in_classes)
          on_side_[k] = is_on_side(in_cell, common ? packed_site(common_cell - 1, common_cell - 1) : d_.last_in_cell);
      }
      words_at_[k] = words_.address(site & (domain_bits() & ~packed_site(word_sites - 1, 0)),
                                    static_cast<std::uint32_t>(column_bytes()) / word_sites, sizeof(std::uint32_t));
      const bool live = !Scheme::dead_border || is_live(site & domain_bits());
      const std::uint32_t its_bit = shifted_left(1u, site);
      if constexpr (Scheme::both) {
        may_deposit_[k] = live && deposits_.allows(number) ? its_bit : 0u;
        may_remove_[k] = live && removes_.allows(number) ? its_bit : 0u;
      } else {
        may_deposit_[k] = live && (Scheme::certain || deposits_.allows(number)) ? its_bit : 0u;
      }
    });
  }

  KOKKOS_FORCEINLINE_FUNCTION void update() {
    // All words are requested before the first arrives.
    Neighbourhood near[most_cells] = {};
    for_each_cell([&](int k) { near[k] = neighbourhood(k); });
    if constexpr (!Scheme::tiled && !Scheme::in_classes) sync_warps(team_);
    for_each_cell([&](int k) { change(k, near[k], Scheme::in_classes && on_side_[k] ? 0u : ~0u); });
    sync_warps(team_);
  }
  KOKKOS_FORCEINLINE_FUNCTION void update_sides() {
    for_each_cell([&](int k) {
      if (on_side_[k]) change(k, neighbourhood(k));
    });
    sync_warps(team_);
  }

  /// Numbers of updates, at the first lane; a single kind is counted as depositions.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t depositions() const { return shared_->changes - shared_->removals; }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t removals() const { return shared_->removals; }

 private:
  /// Whether unneeded loads and flips are skipped, as measured to be faster. Shared memory limits the speed of attempts
  /// that are certain, above all with several cells; the lanes limit that of all others.
  static constexpr bool spares_loads = Scheme::certain, spares_flips = Scheme::certain && most_cells > 1;
  /// Masks of sites in a common cell or its sub-tile, and of shifts, in all fields of four bits.
  static constexpr PackedSite common_sites = Scheme::tiled ? 0x33333333u : 0x77777777u,
                              common_shifts = Scheme::tiled ? 0x44444444u : 0x77777777u;
  static constexpr PackedSite no_borrow = packed_site(0x8000, 0x8000);

  /// Data shared by the lanes: the domain's stream of shifts, its current and next number, and the counts of updates.
  struct Shared {
    std::uint64_t shifts, drawn[2];
    std::uint32_t changes, removals;
  };
  KOKKOS_FORCEINLINE_FUNCTION void draw_shifts(int number) const {
    Stream stream(shared_->shifts);
    shared_->drawn[number] = stream.draw();
    shared_->shifts = stream.state();
  }

  /// Calls what(k) for the cells of this lane.
  template <class What>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_cell(const What& what) const {
    for (int k = 0; k < most_cells; ++k)
      if (common || k < count_) what(k);
  }
  KOKKOS_FORCEINLINE_FUNCTION int cell(int k) const {
    return team_.team_rank() + k * (common ? lanes : team_.team_size());
  }

  KOKKOS_FORCEINLINE_FUNCTION static PackedSite common_corner(int cell) {
    constexpr unsigned in_row = common_domain / common_cell;
    const auto number = static_cast<unsigned>(cell);
    return packed_site(static_cast<int>(number % in_row * common_cell),
                       static_cast<int>(number / in_row * common_cell));
  }

  KOKKOS_FORCEINLINE_FUNCTION PackedSite site_bits() const {
    return common ? common_sites & packed_site(0xf, 0xf) : d_.site_bits;
  }
  /// A site in a cell, or in its sub-tile, from the lowest bits of a random number: x, and above it y.
  KOKKOS_FORCEINLINE_FUNCTION PackedSite site_of(std::uint32_t number) const {
    const int bits_x = common ? (Scheme::tiled ? 2 : 3) : d_.site_bits_x;
    return (number & site_bits() & 0xffffu) | ((number << (16 - bits_x)) & site_bits() & ~0xffffu);
  }

  KOKKOS_FORCEINLINE_FUNCTION int domain() const { return common ? common_domain : d_.domain; }
  KOKKOS_FORCEINLINE_FUNCTION PackedSite domain_bits() const {
    return common ? packed_site(common_domain - 1, common_domain - 1) : d_.domain_bits;
  }
  KOKKOS_FORCEINLINE_FUNCTION int column_bytes() const {
    return Columns::stride(domain()) * static_cast<int>(sizeof(std::uint32_t));
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_live(PackedSite p) const {
    const PackedSite last_live = packed_site(domain() - d_.border - 1, domain() - d_.border - 1) | no_borrow;
    return ((last_live - p) & no_borrow) == no_borrow;
  }

  /// The word of the site that cell k attempts, and the neighbours' words as far as they are needed.
  KOKKOS_FORCEINLINE_FUNCTION Neighbourhood neighbourhood(int k) const {
    const auto at = words_at_[k];
    const auto column = static_cast<ScratchWords::Address>(column_bytes());
    const std::uint32_t asked = Scheme::both ? may_deposit_[k] | may_remove_[k] : may_deposit_[k];
    const std::uint32_t word = words_.load(at), up = words_.load(at + sizeof(std::uint32_t)),
                        down = words_.load(at - sizeof(std::uint32_t));
    return {word, words_.template from_right<spares_loads>(word, asked, at + column), up,
            words_.template from_left<spares_loads>(word, asked, at - column), down};
  }
  /// Makes the attempt of a cell if its bit is among `allowed`.
  KOKKOS_FORCEINLINE_FUNCTION void change(int k, const Neighbourhood& near, std::uint32_t allowed = ~0u) {
    const std::uint32_t removable = near.removable();
    const std::uint32_t may =
        Scheme::both ? (may_deposit_[k] & ~removable) | (may_remove_[k] & removable) : may_deposit_[k] & ~removable;
    const std::uint32_t changing = near.open() & may & allowed;
    if constexpr (Scheme::both) removals_ = add_if_any(removals_, changing & removable);
    words_.template flip<spares_flips>(words_at_[k], changing, changes_);
  }

  const Team& team_;
  const Decomposition& d_;
  const Chance deposits_, removes_;
  Shared* shared_;
  Columns columns_;
  ScratchWords words_;              ///< words of the domain, from the lower left one on
  int count_;                       ///< cells of this lane
  std::uint64_t domain_state_ = 0;  ///< state of the domain's stream before the first draw
  PackedSite shifts_of_half_ = 0;
  std::uint32_t changes_ = 0, removals_ = 0;

  PackedSite corners_[most_cells];    ///< of the cells
  std::uint64_t states_[most_cells];  ///< of their streams
  std::uint64_t randoms_[most_cells];
  PackedSite sites_[most_cells];        ///< sites in the cells; common: plus corners, for even updates, in bytes
  PackedSite other_sites_[most_cells];  ///< common: for odd updates
  bool on_side_[most_cells];

  // Of the attempts: addresses of the words of the sites, and the bits that may change.
  ScratchWords::Address words_at_[most_cells];
  std::uint32_t may_deposit_[most_cells], may_remove_[most_cells];
};

}  // namespace tessera::kpz
