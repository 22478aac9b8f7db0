// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <tessera/kpz/impl/decomposition.hpp>
#include <tessera/kpz/impl/subdomains.hpp>
#include <tessera/parallel/exchange.hpp>
#include <utility>
#include <vector>

/// Where ranks share out a lattice: which sites a rank has at a turn.
namespace tessera::kpz {

/// A rectangle of sites of a replica, counted from the lower left site of a rank's block.
struct Strip {
  int replica, first_x, end_x, first_y, end_y;

  /// Words that have sites of a row, from the first one on.
  KOKKOS_FORCEINLINE_FUNCTION int first_word() const { return first_x >> log2_word_sites; }
  KOKKOS_FORCEINLINE_FUNCTION int words_x() const {
    return ((end_x + word_sites - 1) >> log2_word_sites) - first_word();
  }
  /// Words that have sites of it.
  std::size_t words() const {
    if (end_x <= first_x || end_y <= first_y) return 0;
    return static_cast<std::size_t>(words_x()) * static_cast<std::size_t>(end_y - first_y);
  }
  /// The bits of a word, of number `number` in a row, that are its sites.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t bits(int number) const {
    const int begin = (first_word() + number) * word_sites, before = first_x - begin, until = end_x - begin;
    return lowest_bits(until) & ~(before > 0 ? lowest_bits(before) : 0u);
  }
};

namespace detail {

template <class ExecutionSpace, class Surface, class Buffer>
void pack_strip(const ExecutionSpace& space, const Lattice& lattice, const Strip& strip, const Surface& words,
                const Buffer& buffer, std::size_t first) {
  if (strip.words() == 0) return;
  Kokkos::parallel_for(
      "tessera::kpz::pack_strip",
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>(space, 0, strip.words()),
      KOKKOS_LAMBDA(std::size_t i) {
        const auto in_row = static_cast<std::size_t>(strip.words_x());
        buffer(first + i) = words(lattice.word(strip.replica, strip.first_word() + static_cast<int>(i % in_row),
                                               strip.first_y + static_cast<int>(i / in_row)));
      });
}

/// Words at the sides of a strip keep the sites that are not its.
template <class ExecutionSpace, class Surface, class Buffer>
void unpack_strip(const ExecutionSpace& space, const Lattice& lattice, const Strip& strip, const Surface& words,
                  const Buffer& buffer, std::size_t first) {
  if (strip.words() == 0) return;
  Kokkos::parallel_for(
      "tessera::kpz::unpack_strip",
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>(space, 0, strip.words()),
      KOKKOS_LAMBDA(std::size_t i) {
        const auto in_row = static_cast<std::size_t>(strip.words_x());
        const int number = static_cast<int>(i % in_row);
        const std::size_t at =
            lattice.word(strip.replica, strip.first_word() + number, strip.first_y + static_cast<int>(i / in_row));
        const std::uint32_t bits = strip.bits(number);
        words(at) = (words(at) & ~bits) | (buffer(first + i) & bits);
      });
}

}  // namespace detail

/// Bytes of the strips that the frames of a block send and receive, at most: in x and in y one after the other, to
/// either side.
inline std::size_t bytes_of_strips(const Lattice& lattice, const Decomposition& d, const parallel::RankGrid& grid) {
  constexpr int sides = 4;
  const int widest = d.period + 2;
  const Strip of_x{0, -1, widest + word_sites - 1, 0, lattice.ny}, of_y{0, -1, lattice.nx + word_sites, 0, widest};
  const std::size_t words = std::max(grid.cut_x() ? of_x.words() : 0, grid.cut_y() ? of_y.words() : 0);
  return sides * words * static_cast<std::size_t>(lattice.replicas) * sizeof(std::uint32_t);
}

/// The frame of each replica: as many sites as the rank's block has, that are right. All ranks' frames are shifted
/// alike from their blocks, so that together they are the lattice at any time. When they move, strips go to neighbours:
/// first in x, then in y.
///
/// At a turn the frame lies so that all its domains and the sites next to those are within it: with double tilings one
/// site to the left of the origin where the domains are at the left of their periods, and one to the right of it where
/// they are at the right. With dead borders it lies one site to the left, and a column more at the right is right, too,
/// which is in a dead border and which both neighbours read. Likewise in y.
template <class ExecutionSpace>
class Frames {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;
  using Surface = Kokkos::View<std::uint32_t*, MemorySpace>;

  /// `lattice`: this rank's block, all of whose surfaces are flat, also around it. `d`: its decomposition.
  Frames(const ExecutionSpace& space, const Lattice& lattice, const Decomposition& d, const Subdomains& subdomains)
      : space_(space),
        lattice_(lattice),
        d_(d),
        grid_(subdomains.grid),
        exchange_(space, subdomains.communicator),
        at_(static_cast<std::size_t>(lattice.replicas), home_corner()) {
    const std::size_t words = bytes() / sizeof(std::uint32_t) / 4;
    for (auto* strips : {&sent_, &received_})
      for (Strips& side : *strips)
        side.buffer = Surface(Kokkos::view_alloc(Kokkos::WithoutInitializing, "tessera::kpz::strips"), words);
  }

  /// Bytes allocated on the device.
  std::size_t bytes() const { return cut() ? bytes_of_strips(lattice_, d_, grid_) : 0; }

  /// Whether any direction is cut.
  bool cut() const { return grid_.cut_x() || grid_.cut_y(); }

  /// All ranks: moves the frames of the surfaces to where they have to be in a turn. `seed` is that of replica 0.
  void move_for(const Surface& words, std::uint64_t seed, std::uint64_t interval, int turn) {
    if (!cut()) return;
    std::vector<Corner> to;
    for (int r = 0; r < lattice_.replicas; ++r) {
      const std::uint64_t of_replica = seed + static_cast<std::uint64_t>(r);
      const Corner origin = origin_of_interval(d_, of_replica, interval);
      const std::uint32_t set = set_of_turn(d_, of_replica, interval, turn);
      to.push_back({origin.x + ((set & 1) != 0 ? 1 : -1), origin.y + ((set & 2) != 0 ? 1 : -1)});
    }
    move(words, to, d_.border > 0 ? 1 : 0);
  }

  /// All ranks: moves the frames back, so that the blocks are right, and the columns and rows to the left of them and
  /// below.
  void move_home(const Surface& words) {
    if (cut()) move(words, std::vector(at_.size(), home_corner()), 1);
  }

  /// All ranks: the same for surfaces of which the blocks alone are right.
  void surround(const Surface& words) {
    if (!cut()) return;
    const std::vector<Corner> before(at_.size(), Corner{0, 0});
    std::vector<Corner> at = std::exchange(at_, before);
    move(words, std::vector(at_.size(), home_corner()), 1);
    at_ = std::move(at);
  }

 private:
  /// What goes to the neighbours of smaller and larger coordinate, and comes from them.
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

  static Corner home_corner() { return {-1, -1}; }

  void move(const Surface& words, const std::vector<Corner>& to, int more) {
    if (grid_.cut_x()) {
      for (std::size_t r = 0; r < to.size(); ++r) {
        const int from_y = grid_.cut_y() ? at_[r].y : 0;
        const Strip rows{static_cast<int>(r), 0, 0, from_y, from_y + lattice_.ny};
        shift(at_[r].x, to[r].x, lattice_.nx, more, [&](Strips& strips, int first, int end) {
          Strip strip = rows;
          strip.first_x = first;
          strip.end_x = end;
          strips.strips.push_back(strip);
        });
        at_[r].x = to[r].x;
      }
      swap_strips(words, grid_.neighbour(-1, 0), grid_.neighbour(1, 0));
    }
    if (grid_.cut_y()) {
      for (std::size_t r = 0; r < to.size(); ++r) {
        const int from_x = grid_.cut_x() ? at_[r].x : 0, row = lattice_.words_x() * word_sites;
        const Strip columns{static_cast<int>(r), from_x, grid_.cut_x() ? from_x + lattice_.nx + more : row, 0, 0};
        shift(at_[r].y, to[r].y, lattice_.ny, more, [&](Strips& strips, int first, int end) {
          Strip strip = columns;
          strip.first_y = first;
          strip.end_y = end;
          strips.strips.push_back(strip);
        });
        at_[r].y = to[r].y;
      }
      swap_strips(words, grid_.neighbour(0, -1), grid_.neighbour(0, 1));
    }
  }

  /// The strips of a frame of `size` sites that moves from one place to another one, with so many sites more there.
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

  void swap_strips(const Surface& words, int lower_rank, int upper_rank) {
    // A tag for each way that a message goes: both neighbours may be the same rank.
    constexpr int down = 0, up = 1;
    for (const Strips& side : sent_)
      for_each(side, [&](const Strip& strip, std::size_t first) {
        detail::pack_strip(space_, lattice_, strip, words, side.buffer, first);
      });
    if (sent_[lower].words() > 0) exchange_.send(lower_rank, down, sent_[lower].message());
    if (sent_[upper].words() > 0) exchange_.send(upper_rank, up, sent_[upper].message());
    if (received_[upper].words() > 0) exchange_.receive(upper_rank, down, received_[upper].message());
    if (received_[lower].words() > 0) exchange_.receive(lower_rank, up, received_[lower].message());
    exchange_.start();
    exchange_.wait();
    for (const Strips& side : received_)
      for_each(side, [&](const Strip& strip, std::size_t first) {
        detail::unpack_strip(space_, lattice_, strip, words, side.buffer, first);
      });
    for (auto* strips : {&sent_, &received_})
      for (Strips& side : *strips) side.strips.clear();
  }

  template <class What>
  static void for_each(const Strips& side, const What& what) {
    std::size_t first = 0;
    for (const Strip& strip : side.strips) {
      what(strip, first);
      first += strip.words();
    }
  }

  ExecutionSpace space_;
  Lattice lattice_;
  Decomposition d_;
  parallel::RankGrid grid_;
  parallel::Exchange<ExecutionSpace> exchange_;
  std::vector<Corner> at_;  ///< of each replica, from the block's corner; of directions that are cut
  std::array<Strips, 2> sent_, received_;
};

}  // namespace tessera::kpz
