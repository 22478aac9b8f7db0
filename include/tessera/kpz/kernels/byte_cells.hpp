// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <tessera/core/kokkos_ext/team_scratch.hpp>
#include <tessera/core/streams.hpp>
#include <tessera/kpz/kernels/scratch_columns.hpp>
#include <tessera/kpz/kernels/site_bytes.hpp>
#include <tessera/kpz/state/decomposition.hpp>
#include <tessera/kpz/state/rates.hpp>

/// Mapping of the block layer to CPUs: a thread has all cells of a domain, and one byte per site.
namespace tessera::kpz {

/// SIMD vectors of coordinates of sites of a domain, and of offsets of their bytes.
template <int largest_side>
struct Offsets;

template <>
struct Offsets<128> {
  using One = std::int16_t;
  using Vector = One __attribute__((vector_size(16)));
  static constexpr int at_once = 8;

  /// The four quarters of random numbers in memory, the lowest first.
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

/// The cells of a domain; see collective_updates(). To avoid data-dependent branches, the sites that change are first
/// listed and then changed. `largest_side`: of a domain.
template <class Scheme, int largest_side, class Team>
class ByteCells {
 public:
  /// The largest domains exceed the limit of level 0.
  static constexpr int scratch_level = 1;
  static constexpr int unrolled = 1;
  static std::size_t scratch(const Decomposition& d) {
    return ScratchColumns<>::bytes(d) + SiteBytes::bytes(d) + 2 * alignof(std::uint32_t);
  }

  ByteCells(const Team& team, const Decomposition& d, const Rates& rates)
      : d_(d),
        columns_(d,
                 scratch_array<std::uint32_t>(team, ScratchColumns<>::words(d), alignof(std::uint32_t), scratch_level)),
        sites_(d, columns_,
               scratch_array<std::uint8_t>(team, SiteBytes::bytes(d), alignof(std::uint32_t), scratch_level)) {
    for (int k = 0; k < d.cells; ++k) {
      const PackedSite corner = d.cell_corner(k);
      corner_x_[k] = static_cast<One>(x_of(corner));
      corner_y_[k] = static_cast<One>(y_of(corner));
    }
    probability_of_[0] = Scheme::both ? rates.deposition : rates.only;
    if (Scheme::both) probability_of_[site::all] = rates.removal;
  }

  template <class States>
  void load(const States& streams, std::size_t first, std::size_t domain) {
    streams_ = streams.data() + first;
    shifts_ = Stream(streams(domain));
  }
  template <class States>
  void store(const States& streams, std::size_t, std::size_t domain) const {
    streams(domain) = shifts_.state();
  }

  using Window = kpz::Window<false, false>;

  void read(const Window& window) {
    columns_.read(window);
    sites_.from_columns();
  }
  void write(const Window& window) {
    sites_.to_columns();
    columns_.write(window);
  }

  std::uint64_t shifts(int, bool) { return shifts_.draw(); }
  template <int step, class What>
  void for_each_update(const What& what) const {
    for (int update = 0; update < d_.updates_a_draw / 2; update += step) what(update);
  }

  void draw() {
    int k = 0;
    for (; k + 1 < d_.cells; k += 2) detail::store(draw_both(streams_ + k), randoms_ + k);
    for (; k < d_.cells; ++k) {
      Stream stream(streams_[k]);
      randoms_[k] = stream.draw();
      streams_[k] = stream.state();
    }
    for (k = 0; k < d_.cells; k += at_once) {
      Vector quarters[4];
      Offsets<largest_side>::quarters(randoms_ + k, quarters);
      for (int i = 0; i < 4; i += Scheme::certain ? 1 : 2) store(quarters[i], quarters_[i] + k);
    }
  }

  void half(int number, PackedSite shifts) {
    if constexpr (Scheme::certain) half_ = number;
    shifts_of_half_ = shifts;
  }

  template <int of_draw>
  void choose(int update) {
    const int bit = update * d_.field;
    const PackedSite shift = (shifts_of_half_ >> bit) & d_.shift_bits;
    if constexpr (Scheme::certain) {
      choose_from(quarters_[2 * half_], quarters_[2 * half_ + 1], bit, bit, shift);
    } else {
      half_ = of_draw;
      choose_from(quarters_[2 * half_], quarters_[2 * half_], 0, d_.site_bits_x, shift);
    }
    if constexpr (Scheme::in_classes) {
      for (int& members : members_of_) members = 0;
      for (int k = 0; k < d_.cells; ++k) {
        const auto its_class = classes_[k];
        members_[its_class][members_of_[its_class]++] = static_cast<std::int16_t>(k);
      }
    }
  }

  void update() {
    if constexpr (Scheme::in_classes)
      change(members_of_[0], [&](int i) { return members_[0][i]; });
    else
      change(d_.cells, [](int k) { return k; });
  }
  void update_sides() {
    change(members_of_[1], [&](int i) { return members_[1][i]; });
  }

  /// Numbers of updates; a single kind is counted as depositions.
  std::uint32_t depositions() const { return changes_ - removals_; }
  std::uint32_t removals() const { return removals_; }

 private:
  using One = typename Offsets<largest_side>::One;
  using Vector = typename Offsets<largest_side>::Vector;
  static constexpr int at_once = Offsets<largest_side>::at_once;
  static constexpr int most_cells = largest_side * largest_side / 64;

  /// Selects the sites that the cells attempt, from bits first_x and up of x, and first_y and up of y.
  void choose_from(const One* x, const One* y, int first_x, int first_y, PackedSite shift) {
    const auto bit_x = static_cast<One>(first_x), bit_y = static_cast<One>(first_y);
    const auto site_x = static_cast<One>(x_of(d_.site_bits)), site_y = static_cast<One>(y_of(d_.site_bits));
    const auto shift_x = static_cast<One>(x_of(shift)), shift_y = static_cast<One>(y_of(shift));
    const auto inside = static_cast<One>(d_.domain - 1), last_live = static_cast<One>(d_.domain - d_.border - 1);
    const auto row = static_cast<One>(sites_.row()), closed = static_cast<One>(sites_.closed());
    const int cells = d_.cells;
    for (int k = 0; k < cells; k += at_once) {
      const Vector in_cell_x = (load(x + k) >> bit_x) & site_x, in_cell_y = (load(y + k) >> bit_y) & site_y;
      if constexpr (Scheme::in_classes) {
        const Vector last_x = in_cell_x == static_cast<One>(x_of(d_.last_in_cell));
        const Vector last_y = in_cell_y == static_cast<One>(y_of(d_.last_in_cell));
        store((last_x ^ last_y) & One{1}, classes_ + k);
      }
      const Vector to_x = (in_cell_x + shift_x + load(corner_x_ + k)) & inside;
      const Vector to_y = (in_cell_y + shift_y + load(corner_y_ + k)) & inside;
      Vector offset = to_y * row + to_x;
      if constexpr (Scheme::dead_border) {
        const Vector dead = (to_x > last_live) | (to_y > last_live);
        offset = (offset & ~dead) | (closed & dead);
      }
      store(offset, offsets_ + k);
    }
  }

  /// Collective update of cells cell_at(0) .. cell_at(count - 1). No two of their sites that can change share a slope.
  template <class CellAt>
  void change(int count, const CellAt& cell_at) {
    const std::uint8_t* const bytes = sites_.begin();
    One* const end = changing_;
    std::size_t changing = 0;
    const auto attempt = [&](int i) {
      const int k = cell_at(i);
      const std::ptrdiff_t offset = offsets_[k];
      end[changing] = static_cast<One>(offset);
      if constexpr (Scheme::certain)
        changing += bytes[offset] == 0;
      else
        changing += static_cast<std::uint32_t>(randoms_[k] >> (32 * half_)) < probability_of_[bytes[offset]];
    };
    int i = 0;
    for (; i + at_once <= count; i += at_once)
      for (int next = 0; next < at_once; ++next) attempt(i + next);
    for (; i < count; ++i) attempt(i);
    flip(changing);
  }

  /// Flips the listed sites.
  void flip(std::size_t count) {
    std::uint8_t* const bytes = sites_.begin();
    const std::ptrdiff_t row = sites_.row();
    std::uint32_t removals = 0;
    for (const One* next = changing_; next != changing_ + count; ++next) {
      std::uint8_t* const byte = bytes + *next;
      if constexpr (Scheme::both) removals += *byte & site::own_x;
      flip_site(byte, row);
    }
    changes_ += static_cast<std::uint32_t>(count);
    removals_ += removals;
  }

  static Vector load(const One* from) { return detail::load<Vector>(__builtin_assume_aligned(from, sizeof(Vector))); }
  static void store(const Vector& vector, One* to) {
    detail::store(vector, __builtin_assume_aligned(to, sizeof(Vector)));
  }

  const Decomposition& d_;
  ScratchColumns<> columns_;
  SiteBytes sites_;
  std::uint64_t* streams_ = nullptr;  ///< of the cells
  Stream shifts_{1};
  PackedSite shifts_of_half_ = 0;
  int half_ = 0;  ///< of the random numbers, for these updates
  std::uint32_t changes_ = 0, removals_ = 0;
  std::uint64_t probability_of_[site::all + 1] = {};  ///< of a change, for each value of the byte, times 2^32

  alignas(Vector) One corner_x_[most_cells] = {}, corner_y_[most_cells] = {};  ///< of the cells
  alignas(Vector) One quarters_[4][most_cells];                                ///< quarters of randoms_
  alignas(Vector) One offsets_[most_cells];                           ///< from the lower left site to the sites
  alignas(Vector) One classes_[Scheme::in_classes ? most_cells : 1];  ///< whether on a side
  std::uint64_t randoms_[most_cells] = {};
  One changing_[most_cells];  ///< offsets of the sites that change
  int members_of_[2] = {};
  std::int16_t members_[2][Scheme::in_classes ? most_cells : 1];  ///< cells of each class
};

}  // namespace tessera::kpz
