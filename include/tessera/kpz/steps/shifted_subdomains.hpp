// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tessera/core/host_array.hpp>
#include <tessera/kpz/state/decomposition.hpp>
#include <tessera/kpz/state/subdomains.hpp>
#include <tessera/parallel/exchange.hpp>
#include <utility>
#include <vector>

/// Shifted subdomains of a lattice that is decomposed among ranks.
namespace tessera::kpz {

/// A rectangle of sites of a replica, relative to the lower left site of a rank's block.
struct Strip {
  int replica, first_x, end_x, first_y, end_y;

  /// First word of a row.
  KOKKOS_FORCEINLINE_FUNCTION int first_word() const { return first_x >> log2_word_sites; }
  KOKKOS_FORCEINLINE_FUNCTION int words_x() const {
    return ((end_x + word_sites - 1) >> log2_word_sites) - first_word();
  }
  std::size_t words() const {
    if (end_x <= first_x || end_y <= first_y) return 0;
    return static_cast<std::size_t>(words_x()) * static_cast<std::size_t>(end_y - first_y);
  }
  /// Mask of the sites of word `number` of a row.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t bits(int number) const {
    const int begin = (first_word() + number) * word_sites, before = first_x - begin, until = end_x - begin;
    return lowest_bits(until) & ~(before > 0 ? lowest_bits(before) : 0u);
  }
};

namespace detail {
/// Copies the words of a strip to elements `first` and up of a buffer, or back without changing bits outside the strip.
template <bool pack, class ExecutionSpace, class Surface>
void copy_strip(const ExecutionSpace& space, const Lattice& lattice, const Strip& strip, const Surface& words,
                const Surface& buffer, std::size_t first) {
  if (strip.words() == 0) return;
  Kokkos::parallel_for(
      pack ? "tessera::kpz::pack_strip" : "tessera::kpz::unpack_strip",
      Indices<ExecutionSpace, std::size_t>(space, 0, strip.words()), KOKKOS_LAMBDA(std::size_t i) {
        const auto in_row = static_cast<std::size_t>(strip.words_x());
        const int number = static_cast<int>(i % in_row);
        const std::size_t at =
            lattice.word(strip.replica, strip.first_word() + number, strip.first_y + static_cast<int>(i / in_row));
        const std::uint32_t bits = strip.bits(number);
        if (pack)
          buffer(first + i) = words(at);
        else
          words(at) = (words(at) & ~bits) | (buffer(first + i) & bits);
      });
}
}  // namespace detail

/// Maximum size in bytes of the strips that a block sends and receives at both sides, first in x and then in y.
inline std::size_t bytes_of_strips(const Lattice& lattice, const Decomposition& d, const parallel::RankGrid& grid) {
  constexpr int sides = 4;
  const int widest = d.period + 2;
  const Strip of_x{0, -1, widest + word_sites - 1, 0, lattice.ny}, of_y{0, -1, lattice.nx + word_sites, 0, widest};
  const std::size_t words = std::max(grid.cut_x() ? of_x.words() : 0, grid.cut_y() ? of_y.words() : 0);
  return sides * words * static_cast<std::size_t>(lattice.replicas) * sizeof(std::uint32_t);
}

/// The up-to-date sites of a replica at a rank: a subdomain as large as the rank's block, but shifted, equally at all
/// ranks. When the shift changes, neighbours exchange strips, first in x, then in y.
///
/// In a turn a subdomain contains all its domains and the sites next to them. In x it begins one site to the left of
/// the origin, or, with double tilings if the domains are at the right of their periods, one site to the right of it.
/// With dead borders one more column at the right is up to date, which lies in a dead border and is read by both
/// neighbours. The same holds in y.
template <class ExecutionSpace>
class ShiftedSubdomains {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;
  using Surface = Kokkos::View<std::uint32_t*, MemorySpace>;

  /// `lattice`: this rank's block, with flat surfaces, also in the halo. `d`: its decomposition.
  ShiftedSubdomains(const ExecutionSpace& space, const Lattice& lattice, const Decomposition& d,
                    const parallel::Distribution& distribution)
      : space_(space),
        lattice_(lattice),
        d_(d),
        grid_(distribution.grid),
        exchange_(space, distribution.ranks),
        at_(static_cast<std::size_t>(lattice.replicas), block_corner()) {
    const std::size_t words = bytes_of_strips(lattice_, d_, grid_) / sizeof(std::uint32_t) / 4;
    for (auto* strips : {&sent_, &received_})
      for (Strips& side : *strips)
        side.buffer = Surface(Kokkos::view_alloc(Kokkos::WithoutInitializing, "tessera::kpz::strips"), words);
  }

  /// Whether the lattice is divided in any direction.
  bool is_divided() const { return grid_.cut_x() || grid_.cut_y(); }

  /// Collective. Aligns the subdomains with the domains of a turn. `seed`: of replica 0.
  void align_to_tiling(const Surface& words, std::uint64_t seed, std::uint64_t interval, int turn) {
    if (!is_divided()) return;
    std::vector<Corner> to;
    for (int r = 0; r < lattice_.replicas; ++r) {
      const std::uint64_t of_replica = seed + static_cast<std::uint64_t>(r);
      const Corner origin = origin_of_interval(d_, of_replica, interval);
      const std::uint32_t set = set_of_turn(d_, of_replica, interval, turn);
      to.push_back({origin.x + ((set & 1) != 0 ? 1 : -1), origin.y + ((set & 2) != 0 ? 1 : -1)});
    }
    move(words, to, d_.border > 0 ? 1 : 0);
  }

  /// Collective. Moves the subdomains back to the blocks, plus the columns to the left of them and the rows below.
  void align_to_blocks(const Surface& words) {
    if (is_divided()) move(words, std::vector(at_.size(), block_corner()), 1);
  }

  /// Collective. Fills the halo of surfaces of which only the blocks are up to date.
  void fill_halo(const Surface& words) {
    if (!is_divided()) return;
    std::vector<Corner> at = std::exchange(at_, std::vector(at_.size(), Corner{0, 0}));
    move(words, std::vector(at_.size(), block_corner()), 1);
    at_ = std::move(at);
  }

 private:
  /// Strips that are sent to, or received from, the neighbour at one side.
  struct Strips {
    std::vector<Strip> strips;
    Surface buffer;

    std::size_t words() const {
      std::size_t sum = 0;
      for (const Strip& strip : strips) sum += strip.words();
      return sum;
    }
    auto message() const { return Kokkos::subview(buffer, std::pair(std::size_t{0}, words())); }
  };
  enum Side { lower, upper };

  static Corner block_corner() { return {-1, -1}; }

  void move(const Surface& words, const std::vector<Corner>& to, int more) {
    if (grid_.cut_x()) {
      for (std::size_t r = 0; r < to.size(); ++r) {
        const int from_y = grid_.cut_y() ? at_[r].y : 0;
        shift(at_[r].x, to[r].x, lattice_.nx, more, [&](Strips& side, int first, int end) {
          side.strips.push_back({static_cast<int>(r), first, end, from_y, from_y + lattice_.ny});
        });
        at_[r].x = to[r].x;
      }
      swap_strips(words, {grid_.neighbour(-1, 0), grid_.neighbour(1, 0)});
    }
    if (grid_.cut_y()) {
      for (std::size_t r = 0; r < to.size(); ++r) {
        const int from_x = grid_.cut_x() ? at_[r].x : 0, row = lattice_.words_x() * word_sites,
                  end_x = grid_.cut_x() ? from_x + lattice_.nx + more : row;
        shift(at_[r].y, to[r].y, lattice_.ny, more, [&](Strips& side, int first, int end) {
          side.strips.push_back({static_cast<int>(r), from_x, end_x, first, end});
        });
        at_[r].y = to[r].y;
      }
      swap_strips(words, {grid_.neighbour(0, -1), grid_.neighbour(0, 1)});
    }
  }

  /// Adds the strips for moving a subdomain of `size` sites, with `more` additional sites at the new position.
  template <class Add>
  void shift(int from, int to, int size, int more, const Add& add) {
    if (to >= from) {
      add(sent_[lower], from, to + more);
      add(received_[upper], from + size, to + more + size);
    } else {
      add(sent_[upper], to + size, from + size);
      add(received_[lower], to, from);
    }
  }

  void swap_strips(const Surface& words, const std::array<int, 2>& ranks) {
    copy_strips<true>(words, sent_);
    // The tag is the side to which a message goes: both neighbours may be the same rank.
    for (const int side : {lower, upper}) {
      const auto at = static_cast<std::size_t>(side);
      if (sent_[at].words() > 0) exchange_.send(ranks[at], side, sent_[at].message());
      if (received_[at].words() > 0) exchange_.receive(ranks[at], upper - side, received_[at].message());
    }
    exchange_.start();
    exchange_.wait();
    copy_strips<false>(words, received_);
    for (auto* sides : {&sent_, &received_})
      for (Strips& side : *sides) side.strips.clear();
  }

  template <bool pack>
  void copy_strips(const Surface& words, const std::array<Strips, 2>& sides) const {
    for (const Strips& side : sides) {
      std::size_t first = 0;
      for (const Strip& strip : side.strips) {
        detail::copy_strip<pack>(space_, lattice_, strip, words, side.buffer, first);
        first += strip.words();
      }
    }
  }

  ExecutionSpace space_;
  Lattice lattice_;
  Decomposition d_;
  parallel::RankGrid grid_;
  parallel::Exchange<ExecutionSpace> exchange_;
  std::vector<Corner> at_;  ///< shift of each replica from the corner of the block, in divided directions
  std::array<Strips, 2> sent_, received_;
};

}  // namespace tessera::kpz
