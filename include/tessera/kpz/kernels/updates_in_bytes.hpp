// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tessera/core/simd_streams.hpp>
#include <tessera/core/streams.hpp>
#include <tessera/kpz/decomposition.hpp>
#include <tessera/kpz/kernels/attempt_probe.hpp>
#include <tessera/kpz/kernels/site_bytes.hpp>
#include <tessera/kpz/rates.hpp>

/// The block layer on a host: what CollectiveUpdates does with lanes, one thread does with a byte for each site.
namespace tessera::kpz {

/// Coordinates of sites of a domain, and the offsets of their bytes: as many as a core computes with at once.
template <int largest_side>
struct Offsets;

template <>
struct Offsets<128> {
  using One = std::int16_t;
  using Vector = One __attribute__((vector_size(16)));
  static constexpr int at_once = 8;

  /// The four quarters of random numbers, which lie in memory, the lowest first.
  static void quarters(const std::uint64_t* random, Vector (&quarter)[4]) {
    const Vector a = detail::load<Vector>(random), b = detail::load<Vector>(random + 2);
    const Vector c = detail::load<Vector>(random + 4), d = detail::load<Vector>(random + 6);
    const auto mixed_low = [](const Vector& v, const Vector& w) {
      return __builtin_shufflevector(v, w, 0, 8, 1, 9, 2, 10, 3, 11);
    };
    const auto mixed_high = [](const Vector& v, const Vector& w) {
      return __builtin_shufflevector(v, w, 4, 12, 5, 13, 6, 14, 7, 15);
    };
    const Vector ab_even = mixed_low(a, b), ab_odd = mixed_high(a, b);
    const Vector cd_even = mixed_low(c, d), cd_odd = mixed_high(c, d);
    const Vector ab_low = mixed_low(ab_even, ab_odd), ab_high = mixed_high(ab_even, ab_odd);
    const Vector cd_low = mixed_low(cd_even, cd_odd), cd_high = mixed_high(cd_even, cd_odd);
    quarter[0] = __builtin_shufflevector(ab_low, cd_low, 0, 1, 2, 3, 8, 9, 10, 11);
    quarter[1] = __builtin_shufflevector(ab_low, cd_low, 4, 5, 6, 7, 12, 13, 14, 15);
    quarter[2] = __builtin_shufflevector(ab_high, cd_high, 0, 1, 2, 3, 8, 9, 10, 11);
    quarter[3] = __builtin_shufflevector(ab_high, cd_high, 4, 5, 6, 7, 12, 13, 14, 15);
  }
};

template <>
struct Offsets<256> {
  using One = std::int32_t;
  using Vector = One __attribute__((vector_size(16)));
  static constexpr int at_once = 4;

  static void quarters(const std::uint64_t* random, Vector (&quarter)[4]) {
    const Vector a = detail::load<Vector>(random), b = detail::load<Vector>(random + 2);
    const Vector low = __builtin_shufflevector(a, b, 0, 2, 4, 6), high = __builtin_shufflevector(a, b, 1, 3, 5, 7);
    quarter[0] = low & 0xffff;
    quarter[1] = (low >> 16) & 0xffff;
    quarter[2] = high & 0xffff;
    quarter[3] = (high >> 16) & 0xffff;
  }
};

/// What a kernel of a host is compiled for. `dead_border`: of the device layer; `in_classes`: with both kinds of update
/// in a dead border of the block layer, bulk, sides and corners of the shifted cells follow one after the other.
template <bool dead_border_, Rule rule_, bool in_classes_, int largest_side_>
struct HostKind {
  static constexpr bool dead_border = dead_border_;
  static constexpr Rule rule = rule_;
  static constexpr bool in_classes = in_classes_;
  static constexpr int largest_side = largest_side_;
};

/// The collective updates of a domain; see CollectiveUpdates. What a processor cannot foresee takes no branch: the
/// sites that change are listed first, and then they change.
template <class Kind, class Probe>
class UpdatesInBytes {
 public:
  using Sites = SiteBytes<Kind::dead_border, Kind::largest_side>;

  /// Of the domain whose sites are `sites`.
  UpdatesInBytes(const Decomposition& d, const Rates& rates, Sites& sites, const Probe& probe)
      : d_(d), probe_(probe), bytes_(sites.begin()), row_(sites.row()), closed_(sites.closed()) {
    for (int k = 0; k < d.cells; ++k) {
      const Place corner = d.cell_corner(k);
      corner_x_[k] = static_cast<One>(x_of(corner));
      corner_y_[k] = static_cast<One>(y_of(corner));
    }
    probability_of_[0] = Kind::rule == Rule::both ? rates.deposition : rates.only;
    if (Kind::rule == Rule::both) probability_of_[site::all] = rates.removal;
  }

  /// All collective updates of an interval. `streams` are those of the domain's cells, `shifts` is the domain's own.
  void run(std::uint64_t* streams, Stream& shifts) {
    const int draws = d_.rounds / d_.updates_a_draw;
    for (int draw = 0; draw < draws; ++draw) {
      const std::uint64_t shift_bits = shifts.draw();
      if constexpr (certain) draw_sites(streams);
      half_of_draw(streams, static_cast<Place>(shift_bits), 0);
      half_of_draw(streams, static_cast<Place>(shift_bits >> 32), certain ? 2 : 0);
    }
  }

  /// Updates done; of Rule::one_certain and Rule::one, all as one kind.
  std::uint32_t depositions() const { return changes_ - removals_; }
  std::uint32_t removals() const { return removals_; }

 private:
  using One = typename Offsets<Kind::largest_side>::One;
  using Vector = typename Offsets<Kind::largest_side>::Vector;
  static constexpr int at_once = Offsets<Kind::largest_side>::at_once;
  static constexpr int most_cells = Kind::largest_side * Kind::largest_side / 64;
  static constexpr bool certain = Kind::rule == Rule::one_certain;

  /// A random number for each cell: quarters for sites, and the upper half of it for what else an update needs.
  void draw_sites(std::uint64_t* streams) {
    int k = 0;
    for (; k + 1 < d_.cells; k += 2) detail::store(draw_both(streams + k), randoms_ + k);
    for (; k < d_.cells; ++k) {
      Stream stream(streams[k]);
      randoms_[k] = stream.draw();
      streams[k] = stream.state();
    }
    for (k = 0; k < d_.cells; k += at_once) {
      Vector quarters[4];
      Offsets<Kind::largest_side>::quarters(randoms_ + k, quarters);
      for (int i = 0; i < (certain ? 4 : 2); ++i) store(quarters[i], quarters_[i] + k);
    }
  }

  /// The collective updates that 32 bits for shifts are enough for, with sites from quarters `quarter` and the next.
  void half_of_draw(std::uint64_t* streams, Place shifts, int quarter) {
    for (int i = 0; i < d_.updates_a_draw / 2; ++i) {
      if constexpr (!certain) draw_sites(streams);
      choose(quarters_[quarter], quarters_[quarter + 1], certain ? i * d_.field : 0,
             (shifts >> (i * d_.field)) & d_.shift_bits);
      if constexpr (Kind::in_classes) {
        change_in_classes();
      } else {
        change(d_.cells, [](int k) { return k; });
      }
    }
  }

  /// The sites that the cells attempt, from bit `first_bit` of random numbers on.
  void choose(const One* x, const One* y, int first_bit, Place shift) {
    const auto bit = static_cast<One>(first_bit);
    const auto site_x = static_cast<One>(x_of(d_.site_bits)), site_y = static_cast<One>(y_of(d_.site_bits));
    const auto shift_x = static_cast<One>(x_of(shift)), shift_y = static_cast<One>(y_of(shift));
    const auto inside = static_cast<One>(d_.domain - 1), last_live = static_cast<One>(d_.domain - d_.border - 1);
    const auto row = static_cast<One>(row_), closed = static_cast<One>(closed_);
    const int cells = d_.cells;
    for (int k = 0; k < cells; k += at_once) {
      const Vector in_cell_x = (load(x + k) >> bit) & site_x, in_cell_y = (load(y + k) >> bit) & site_y;
      if constexpr (Kind::in_classes) {
        const Vector last_x = in_cell_x == static_cast<One>(x_of(d_.last_in_cell));
        const Vector last_y = in_cell_y == static_cast<One>(y_of(d_.last_in_cell));
        store(-(last_x + last_y), classes_ + k);
      }
      const Vector to_x = (in_cell_x + shift_x + load(corner_x_ + k)) & inside;
      const Vector to_y = (in_cell_y + shift_y + load(corner_y_ + k)) & inside;
      Vector offset = to_y * row + to_x;
      if constexpr (Kind::dead_border) {
        const Vector dead = (to_x > last_live) | (to_y > last_live);
        offset = (offset & ~dead) | (closed & dead);
      }
      store(offset, offsets_ + k);
    }
    if constexpr (Probe::sees)
      for (int k = 0; k < d_.cells; ++k)
        if (offsets_[k] != closed) probe_.attempt(place(offsets_[k] % row_, offsets_[k] / row_));
  }

  /// One collective update of the cells cell_at(0) .. cell_at(count - 1), none of which shares a slope with another one
  /// that can change with it.
  template <class CellAt>
  void change(int count, const CellAt& cell_at) {
    const std::uint8_t* const bytes = bytes_;
    One* const end = changing_;
    std::size_t changing = 0;
    const auto attempt = [&](int i) {
      const int k = cell_at(i);
      const std::ptrdiff_t offset = offsets_[k];
      end[changing] = static_cast<One>(offset);
      if constexpr (certain) {
        changing += bytes[offset] == 0;
      } else {
        changing += (randoms_[k] >> 32) < probability_of_[bytes[offset]];
      }
    };
    int i = 0;
    for (; i + at_once <= count; i += at_once)
      for (int next = 0; next < at_once; ++next) attempt(i + next);
    for (; i < count; ++i) attempt(i);
    flip(changing);
  }

  /// Flips the first `count` sites listed.
  void flip(std::size_t count) {
    std::uint8_t* const bytes = bytes_;
    const std::ptrdiff_t row = row_;
    std::uint32_t removals = 0;
    for (const One* next = changing_; next != changing_ + count; ++next) {
      std::uint8_t* const byte = bytes + *next;
      if constexpr (Kind::rule == Rule::both) removals += *byte & site::own_x;
      flip_site(byte, row);
    }
    changes_ += static_cast<std::uint32_t>(count);
    removals_ += removals;
  }

  void change_in_classes() {
    int members[3] = {0, 0, 0};
    for (int k = 0; k < d_.cells; ++k) {
      const auto its_class = classes_[k];
      members_[its_class][members[its_class]++] = static_cast<std::int16_t>(k);
    }
    for (int c = 0; c < 3; ++c) change(members[c], [&](int i) { return members_[c][i]; });
  }

  static Vector load(const One* from) { return detail::load<Vector>(__builtin_assume_aligned(from, sizeof(Vector))); }
  static void store(const Vector& vector, One* to) {
    detail::store(vector, __builtin_assume_aligned(to, sizeof(Vector)));
  }

  const Decomposition& d_;
  Probe probe_;
  std::uint8_t* bytes_;  ///< of the domain's lower left site
  int row_;              ///< from a site to the one above
  int closed_;           ///< to a byte of no site, where nothing can change
  std::uint32_t changes_ = 0, removals_ = 0;
  std::uint64_t probability_of_[site::all + 1] = {};  ///< of a change where the byte is this, times 2^32

  alignas(Vector) One corner_x_[most_cells] = {}, corner_y_[most_cells] = {};  ///< of the cells
  alignas(Vector) One quarters_[certain ? 4 : 2][most_cells];                  ///< of randoms_
  alignas(Vector) One offsets_[most_cells];                                    ///< from bytes_ to the sites
  alignas(Vector) One classes_[Kind::in_classes ? most_cells : 1];             ///< 0 bulk, 1 side, 2 corner
  std::uint64_t randoms_[most_cells] = {};
  One changing_[most_cells];                                    ///< offsets of sites that change
  std::int16_t members_[3][Kind::in_classes ? most_cells : 1];  ///< cells of each class
};

}  // namespace tessera::kpz
