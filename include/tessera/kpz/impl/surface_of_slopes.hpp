// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tessera/kpz/impl/decomposition.hpp>
#include <tessera/kpz/impl/word.hpp>
#include <vector>

/// Bit code of files with two slopes per site instead of one bit: 4 x 4 sites in a word of 32 bits, 1 for up and 0 for
/// down. Bit 4 x + y is the slope from the left neighbour to site (x, y), bit 16 + 4 y + x the slope from its lower
/// neighbour.
namespace tessera::kpz {

inline std::vector<std::size_t> slopes_shape(const Lattice& lattice) {
  return {static_cast<std::size_t>(lattice.replicas), static_cast<std::size_t>(lattice.ny / 4),
          static_cast<std::size_t>(lattice.nx / 4)};
}

namespace detail {

/// The slopes of one replica, by site.
struct SlopesOfReplica {
  const std::uint32_t* words;
  int nx;

  std::uint32_t word(int x, int y) const {
    return words[static_cast<std::size_t>(y / 4) * static_cast<std::size_t>(nx / 4) + static_cast<std::size_t>(x / 4)];
  }
  std::uint32_t in_x(int x, int y) const { return word(x, y) >> (4 * (x % 4) + y % 4) & 1u; }
  std::uint32_t in_y(int x, int y) const { return word(x, y) >> (16 + 4 * (y % 4) + x % 4) & 1u; }
};

}  // namespace detail

/// Bits of the surfaces with these slopes, such that site (0, 0) of each replica has the bit 0. Empty if the slopes are
/// not those of surfaces.
inline std::optional<std::vector<std::uint32_t>> surface_of_slopes(const Lattice& lattice,
                                                                   const std::vector<std::uint32_t>& slopes) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  std::vector<std::uint32_t> surface(lattice.all_words());
  std::uint64_t wrong = 0;
  for (int r = 0; r < lattice.replicas; ++r) {
    const detail::SlopesOfReplica from{
        slopes.data() + static_cast<std::size_t>(r) * (static_cast<std::size_t>(lattice.sites()) / 16), lattice.nx};
    std::vector<std::uint32_t> starts(static_cast<std::size_t>(lattice.ny));  // bits of column 0
    for (std::size_t y = 1; y < starts.size(); ++y) starts[y] = starts[y - 1] ^ 1u ^ from.in_y(0, static_cast<int>(y));
    const Kokkos::RangePolicy<Host> rows(0, lattice.ny);
    Kokkos::parallel_for("tessera::kpz::surface_of_slopes", rows, [&](int y) {
      std::uint32_t* const row = surface.data() + lattice.word(r, 0, y);
      std::uint32_t bit = starts[static_cast<std::size_t>(y)];
      for (int x = 0; x < lattice.nx; ++x) {
        if (x > 0) bit ^= 1u ^ from.in_x(x, y);
        row[x / word_sites] |= bit * lattice.image_bits() << (x % word_sites);
      }
    });
    std::uint64_t of_replica = 0;
    Kokkos::parallel_reduce(
        "tessera::kpz::compare_slopes", rows,
        [&](int y, std::uint64_t& count) {
          const auto bit = [&](int x, int row) {
            const int inside = x & (lattice.nx - 1);
            return surface[lattice.word(r, inside / word_sites, row)] >> (inside % word_sites);
          };
          for (int x = 0; x < lattice.nx; ++x)
            count += ((rises(bit(x - 1, y), bit(x, y)) ^ from.in_x(x, y)) & 1u) +
                     ((rises(bit(x, y - 1), bit(x, y)) ^ from.in_y(x, y)) & 1u);
        },
        of_replica);
    wrong += of_replica;
  }
  if (wrong != 0) return std::nullopt;
  return surface;
}

}  // namespace tessera::kpz
