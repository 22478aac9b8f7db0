// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <tessera/core/streams.hpp>
#include <tessera/kpz/parameters.hpp>
#include <tessera/kpz/word.hpp>

namespace tessera::kpz {

/// The lattices of all replicas: words in rows, row by row, replica by replica. A row of less than 32 sites is one
/// word, in which each site stands several times, one period apart: so the neighbours of a bit are those of its site
/// everywhere.
struct Lattice {
  int nx, ny;  ///< sites
  int replicas;

  KOKKOS_FORCEINLINE_FUNCTION int words_x() const { return nx < word_sites ? 1 : nx / word_sites; }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t sites() const { return std::int64_t{nx} * ny; }
  KOKKOS_FORCEINLINE_FUNCTION std::size_t words() const {
    return static_cast<std::size_t>(words_x()) * static_cast<std::size_t>(ny);
  }
  std::size_t all_words() const { return words() * static_cast<std::size_t>(replicas); }
  /// Rows of all replicas.
  std::int64_t all_rows() const { return std::int64_t{ny} * replicas; }
  /// Where word x of row y of a replica stands; the coordinates are taken modulo the lattice.
  KOKKOS_FORCEINLINE_FUNCTION std::size_t word(int replica, int x, int y) const {
    const auto row = static_cast<std::size_t>(y & (ny - 1));
    return static_cast<std::size_t>(replica) * words() + row * static_cast<std::size_t>(words_x()) +
           static_cast<std::size_t>(x & (words_x() - 1));
  }
  /// How often a site stands in a word, and the bits where the first one does.
  KOKKOS_FORCEINLINE_FUNCTION int images() const { return nx < word_sites ? word_sites / nx : 1; }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t image_bits() const { return nx < word_sites ? ~0u / lowest_bits(nx) : 1u; }
};

inline Lattice lattice_of(const Parameters& p) { return {p.nx, p.ny, p.replicas}; }

/// Sites of the grid that the origin of coarse dead borders lies on, and of the sides that thread cells double.
inline constexpr int coarse_grid = 4, smallest_cell = 4;

/// How a lattice is decomposed, in both layers. An asynchronous interval is a launch for each set of domains that are
/// updated at once; in it a team gives its domain `rounds` collective updates, of one attempt in each thread cell.
struct Decomposition {
  int domain;              ///< side in sites
  int period;              ///< from one domain to the next that is updated at once
  int border;              ///< width of the dead border; 0 for double tilings
  int sets;                ///< of domains: 4 for double tilings, else 1
  int domains_x, domains;  ///< of a set: in a row, and all
  int log2_domains_x, log2_domains;
  bool random_origin;  ///< of the tiling
  int origin_bits;     ///< of a coordinate of the origin that may be set: it lies within a period

  int cells_x, cells;  ///< thread cells of a domain: in a row, and all
  int cell_x, cell_y;  ///< sites of a cell
  int rounds;          ///< collective updates of an interval
  int field;           ///< bits of a random number that a coordinate within a cell takes
  int updates_a_draw;  ///< collective updates that a 64-bit random number is enough for
  Place site_bits;     ///< DB: coordinates in the cell; DT: in an active sub-tile
  Place shift_bits;    ///< DB: coordinates of the origin; DT: which sub-tile is active
  Place domain_bits;   ///< coordinates in the domain
  Place last_in_cell;  ///< the upper right corner of a cell

  Decomposition(const Lattice& lattice, const Parameters& p)
      : domain(domain_side(p)),
        period(has_dead_border(p.device_layer) ? domain : 2 * domain),
        border(border_width(p)),
        sets(has_dead_border(p.device_layer) ? 1 : 4),
        domains_x(lattice.nx / period),
        domains(domains_x * (lattice.ny / period)),
        log2_domains_x(std::countr_zero(static_cast<unsigned>(domains_x))),
        log2_domains(std::countr_zero(static_cast<unsigned>(domains))),
        random_origin(p.device_layer != DeviceLayer::double_tiling),
        origin_bits((period - 1) & (p.device_layer == DeviceLayer::coarse_dead_border ? ~(coarse_grid - 1) : ~0)),
        cell_x(smallest_cell << p.thread_cell_x),
        cell_y(smallest_cell << p.thread_cell_y),
        rounds(static_cast<int>(async_interval(p) * cell_x * cell_y)),
        field(cell_x <= 16 && cell_y <= 16 ? 4 : 8),
        updates_a_draw(32 / field),
        domain_bits(place(domain - 1, domain - 1)),
        last_in_cell(place(cell_x - 1, cell_y - 1)) {
    cells_x = domain / cell_x;
    cells = cells_x * (domain / cell_y);
    if (p.block_layer == BlockLayer::dead_border) {
      site_bits = shift_bits = last_in_cell;
    } else {
      site_bits = place(cell_x / 2 - 1, cell_y / 2 - 1);
      shift_bits = place(cell_x / 2, cell_y / 2);
    }
  }

  /// Attempts on sites that are not in a dead border, in one interval, of a replica: on average (equation 9).
  double attempts_an_interval() const {
    const double inner = static_cast<double>(domain - border) / domain;
    return all_attempts_an_interval() * inner * inner;
  }
  /// With those that are in one.
  double all_attempts_an_interval() const { return static_cast<double>(sets) * domains * cells * rounds; }

  /// Words of a row of a domain, the last of which may be part of one.
  KOKKOS_FORCEINLINE_FUNCTION int columns() const { return domain < word_sites ? 1 : domain / word_sites; }

  /// The lower left corner of a thread cell in its domain, were the cells not shifted.
  KOKKOS_FORCEINLINE_FUNCTION Place cell_corner(int cell) const {
    return place(cell % cells_x * cell_x, cell / cells_x * cell_y);
  }
};

/// The number of streams of a replica: one for each thread cell of each domain of a set, then one for each domain.
inline std::size_t streams_of_replica(const Decomposition& d) {
  return static_cast<std::size_t>(d.domains) * (static_cast<std::size_t>(d.cells) + 1);
}

/// Where the streams of a domain stand.
struct DomainStreams {
  std::size_t first_cell;  ///< of its thread cells, one after the other
  std::size_t own;         ///< of the domain

  KOKKOS_FORCEINLINE_FUNCTION DomainStreams(const Decomposition& d, int replica, int domain) {
    // All of them fit in 32 bits but the results: a GPU multiplies such numbers at once.
    const auto domains = static_cast<std::uint32_t>(d.domains), cells = static_cast<std::uint32_t>(d.cells);
    const std::size_t before = std::size_t{static_cast<std::uint32_t>(replica) * domains} * (cells + 1);
    first_cell = before + std::size_t{static_cast<std::uint32_t>(domain)} * cells;
    own = before + std::size_t{domains} * cells + static_cast<std::uint32_t>(domain);
  }
};

/// A domain's lower left corner, in sites of the lattice.
struct Corner {
  int x, y;
};

/// Where domain number `number` of the set that comes as number `turn` in interval `interval` lies. `seed` is the
/// replica's. The origin and the order of the sets are a hash of (seed, interval), equally likely all. The origin lies
/// within a period of the domains: all others would only number the same domains differently, and let a domain of a
/// number, with its streams, be anywhere on the lattice.
KOKKOS_INLINE_FUNCTION Corner domain_corner(const Decomposition& d, std::uint64_t seed, std::uint64_t interval,
                                            int turn, int number) {
  Corner corner{(number & (d.domains_x - 1)) * d.period, (number >> d.log2_domains_x) * d.period};
  if (d.random_origin) {
    const std::uint64_t random = hash(seed, interval, Purpose::kpz_origin);
    corner.x += static_cast<int>(random >> 40) & d.origin_bits;
    corner.y += static_cast<int>(random & 0xffffff) & d.origin_bits;
  }
  if (d.sets > 1) {
    // One of 24 orders, in the factorial number system; the set that comes next is taken out of those left.
    auto order = static_cast<std::uint32_t>((hash(seed, interval, Purpose::kpz_order) >> 32) * 24 >> 32);
    std::uint32_t left = 0x3210;
    std::uint32_t set = 0;
    for (int i = 0; i < 4; ++i) {  // known numbers of choices: no division by one that is not
      if (i > turn) break;
      const auto choices = static_cast<std::uint32_t>(4 - i);
      const std::uint32_t position = 4 * (order % choices);
      order /= choices;
      set = (left >> position) & 3;
      const std::uint32_t below = (1u << position) - 1;
      left = (left & below) | ((left >> 4) & ~below);
    }
    corner.x += static_cast<int>(set & 1) * d.domain;
    corner.y += static_cast<int>(set >> 1) * d.domain;
  }
  return corner;
}

}  // namespace tessera::kpz
