// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <tessera/core/streams.hpp>
#include <tessera/kpz/parameters.hpp>
#include <tessera/kpz/state/word.hpp>

namespace tessera::kpz {

/// Memory layout of the surfaces: words in rows, row by row, replica by replica. A row of fewer than 32 sites is one
/// word, which contains periodic images of the sites, so that the neighbours of any bit are those of its site.
///
/// A rank's block has a halo in each divided direction (subdomains.hpp). Coordinates count from its lower left site.
struct Lattice {
  int nx, ny;                            ///< sites
  int replicas;                          ///< each with a lattice
  int wrap_x = nx - 1, wrap_y = ny - 1;  ///< masks of the coordinates in memory; all bits set in a divided direction
  int first_x = 0, first_y = 0;          ///< lower left site in memory, at the beginning of a word
  int row = words_x(), rows = ny;        ///< words of a row, and rows of a replica, in memory

  KOKKOS_FORCEINLINE_FUNCTION int words_x() const { return nx < word_sites ? 1 : nx / word_sites; }  ///< words of a row
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t sites() const { return std::int64_t{nx} * ny; }           ///< of a replica
  /// Words of a replica in memory, halo included.
  KOKKOS_FORCEINLINE_FUNCTION std::size_t words() const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(rows);
  }
  std::size_t all_words() const { return words() * static_cast<std::size_t>(replicas); }  ///< of all replicas
  std::size_t bytes() const { return all_words() * sizeof(std::uint32_t); }               ///< of all_words()
  std::int64_t all_rows() const { return std::int64_t{ny} * replicas; }                   ///< of all replicas
  /// Index of word x of row y of a replica. Coordinates wrap around or, in a divided direction, may lie in the halo.
  KOKKOS_FORCEINLINE_FUNCTION std::size_t word(int replica, int x, int y) const {
    const auto of_row = static_cast<std::size_t>((y + first_y) & wrap_y);
    return static_cast<std::size_t>(replica) * words() + of_row * static_cast<std::size_t>(row) +
           static_cast<std::size_t>((x + first_x / word_sites) & (wrap_x >> log2_word_sites));
  }
  /// Number of images of a site in a word.
  KOKKOS_FORCEINLINE_FUNCTION int images() const { return nx < word_sites ? word_sites / nx : 1; }
  /// Bits of the images of the first site.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t image_bits() const { return nx < word_sites ? ~0u / lowest_bits(nx) : 1u; }
};

inline Lattice lattice_of(const Parameters& p) { return {p.nx, p.ny, p.replicas}; }  ///< undivided

inline constexpr int coarse_grid = 4;    ///< spacing of the origins of coarse dead borders, in sites
inline constexpr int smallest_cell = 4;  ///< side of the smallest thread cell, in sites

/// Decomposition of a lattice in both layers. An asynchronous interval has one launch for each set of domains that are
/// updated at once, in which a team makes `rounds` collective updates of its domain, of one attempt per thread cell.
struct Decomposition {
  int domain;                        ///< side in sites
  int period;                        ///< distance between domains that are updated at once
  int border;                        ///< width of the dead border; 0 for double tilings
  int sets;                          ///< sets of domains: 4 for double tilings, else 1
  int domains_x, domains;            ///< domains of a set: in a row, and in total
  int log2_domains_x, log2_domains;  ///< negative if not powers of two, as for some blocks of ranks
  int first_x, first_y;              ///< lower left site of the lattice in memory
  bool random_origin;                ///< moves in each interval
  int origin_bits;                   ///< mask of a coordinate of the origin, which lies within a period

  int cells_x, cells;       ///< thread cells of a domain: in a row, and in total
  int cell_x, cell_y;       ///< sites of a cell
  int rounds;               ///< collective updates of an interval
  int field;                ///< bits of a random number for a coordinate within a cell
  int updates_a_draw;       ///< collective updates per 64-bit random number, for shifts and Scheme::certain
  PackedSite site_bits;     ///< DB: mask of coordinates in the cell; DT: in an active sub-tile
  PackedSite shift_bits;    ///< DB: mask of coordinates of the origin; DT: of the active sub-tile
  PackedSite domain_bits;   ///< mask of coordinates in the domain
  PackedSite last_in_cell;  ///< upper right corner of a cell
  int site_bits_x;          ///< number of bits of site_bits in x

  /// For valid parameters.
  Decomposition(const Lattice& lattice, const Parameters& p)
      : domain(domain_side(p)),
        period(domain_period(p)),
        border(border_width(p)),
        sets(has_dead_border(p.device_layer) ? 1 : 4),
        domains_x(lattice.nx / period),
        domains(domains_x * (lattice.ny / period)),
        log2_domains_x(log2_of(domains_x)),
        log2_domains(log2_of(domains)),
        first_x(lattice.first_x),
        first_y(lattice.first_y),
        random_origin(p.device_layer != DeviceLayer::double_tiling),
        origin_bits((period - 1) & (p.device_layer == DeviceLayer::coarse_dead_border ? ~(coarse_grid - 1) : ~0)),
        cell_x(smallest_cell << thread_cell(p).x),
        cell_y(smallest_cell << thread_cell(p).y),
        rounds(static_cast<int>(async_interval(p) * cell_x * cell_y)),
        field(cell_x <= 16 && cell_y <= 16 ? 4 : 8),
        updates_a_draw(32 / field),
        domain_bits(packed_site(domain - 1, domain - 1)),
        last_in_cell(packed_site(cell_x - 1, cell_y - 1)) {
    cells_x = domain / cell_x;
    cells = cells_x * (domain / cell_y);
    if (p.block_layer == BlockLayer::dead_border) {
      site_bits = shift_bits = last_in_cell;
    } else {
      site_bits = packed_site(cell_x / 2 - 1, cell_y / 2 - 1);
      shift_bits = packed_site(cell_x / 2, cell_y / 2);
    }
    site_bits_x = log2_of(x_of(site_bits) + 1);
  }

  /// Mean number of attempts per interval and replica outside dead borders (equation 9).
  double attempts_an_interval() const {
    const double inner = static_cast<double>(domain - border) / domain;
    return all_attempts_an_interval() * inner * inner;
  }
  /// The same, dead borders included.
  double all_attempts_an_interval() const { return static_cast<double>(sets) * domains * cells * rounds; }

  /// Replica of domain `number` of a set, counted over all replicas.
  KOKKOS_FORCEINLINE_FUNCTION int replica_of(int number) const {
    return log2_domains >= 0 ? number >> log2_domains : number / domains;
  }
  /// Row of domain `number` in its set.
  KOKKOS_FORCEINLINE_FUNCTION int row_of(int number) const {
    return log2_domains_x >= 0 ? number >> log2_domains_x : number / domains_x;
  }

  /// Words per row of a domain; the last one may be used in part.
  KOKKOS_FORCEINLINE_FUNCTION int columns() const { return domain < word_sites ? 1 : domain / word_sites; }

  /// Lower left corner of a thread cell in its domain, before cells are shifted.
  KOKKOS_FORCEINLINE_FUNCTION PackedSite cell_corner(int cell) const {
    return packed_site(cell % cells_x * cell_x, cell / cells_x * cell_y);
  }

 private:
  static int log2_of(int n) {
    const auto number = static_cast<unsigned>(n);
    return std::has_single_bit(number) ? std::countr_zero(number) : -1;
  }
};

/// Indices of the streams of a domain.
struct DomainStreams {
  std::size_t first_cell;  ///< of the first of its thread cells, which are contiguous
  std::size_t of_domain;   ///< of the collective updates

  /// Of a domain of one set, in a replica.
  KOKKOS_FORCEINLINE_FUNCTION DomainStreams(const Decomposition& d, int replica, int domain) {
    // Factors fit into 32 bits, which a GPU multiplies in one instruction.
    const auto domains = static_cast<std::uint32_t>(d.domains), cells = static_cast<std::uint32_t>(d.cells);
    const std::size_t before = std::size_t{static_cast<std::uint32_t>(replica) * domains} * (cells + 1);
    first_cell = before + std::size_t{static_cast<std::uint32_t>(domain)} * cells;
    of_domain = before + std::size_t{domains} * cells + static_cast<std::uint32_t>(domain);
  }
};

/// Lower left corner, in sites.
struct Corner {
  int x, y;  ///< in sites
};

/// Origin of the domains in an interval, a hash of (seed of the replica, interval). All origins within a period of the
/// domains are equally likely. (Shifts by periods would give the same domains with other streams.)
KOKKOS_INLINE_FUNCTION Corner origin_of_interval(const Decomposition& d, std::uint64_t seed, std::uint64_t interval) {
  if (!d.random_origin) return {0, 0};
  const std::uint64_t random = hash(seed, interval, Purpose::kpz_origin);
  return {static_cast<int>(random >> 40) & d.origin_bits, static_cast<int>(random & 0xffffff) & d.origin_bits};
}

/// The set of domains whose turn it is in an interval; all orders are equally likely. Bits 0, 1: odd numbers in x, y.
KOKKOS_INLINE_FUNCTION std::uint32_t set_of_turn(const Decomposition& d, std::uint64_t seed, std::uint64_t interval,
                                                 int turn) {
  std::uint32_t set = 0;
  if (d.sets > 1) {
    // One of 24 orders, in the factorial number system: the next set is removed from the remaining ones.
    auto order = static_cast<std::uint32_t>((hash(seed, interval, Purpose::kpz_order) >> 32) * 24 >> 32);
    std::uint32_t left = 0x3210;
    for (int i = 0; i < 4; ++i) {  // unrolled, with constant numbers of choices: no division by a variable
      if (i > turn) break;
      const auto choices = static_cast<std::uint32_t>(4 - i);
      const std::uint32_t position = 4 * (order % choices);
      order /= choices;
      set = (left >> position) & 3;
      const std::uint32_t below = (1u << position) - 1;
      left = (left & below) | ((left >> 4) & ~below);
    }
  }
  return set;
}

/// Lower left corner in memory of domain `number` of a set; `seed`: of the replica.
KOKKOS_INLINE_FUNCTION Corner domain_corner(const Decomposition& d, std::uint64_t seed, std::uint64_t interval,
                                            int turn, int number) {
  const int row = d.row_of(number);
  const Corner origin = origin_of_interval(d, seed, interval);
  const std::uint32_t set = set_of_turn(d, seed, interval, turn);
  return {d.first_x + (number - row * d.domains_x) * d.period + origin.x + static_cast<int>(set & 1) * d.domain,
          d.first_y + row * d.period + origin.y + static_cast<int>(set >> 1) * d.domain};
}

}  // namespace tessera::kpz
