// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tessera/kpz/parameters.hpp>
#include <tessera/kpz/state/decomposition.hpp>
#include <tessera/parallel/array_transfer.hpp>
#include <tessera/parallel/distribution.hpp>
#include <vector>

/// Distribution of a lattice among ranks.
namespace tessera::kpz {

/// Sides of the smallest block: in x a multiple of the period of the domains and of a word, in y the period.
inline int unit_x(const Parameters& p) { return std::min(p.nx, std::max(domain_period(p), word_sites)); }
inline parallel::UnitLattice units_of(const Parameters& p) {
  return {p.nx / unit_x(p),
          p.ny / domain_period(p),
          1,
          "periods of the domains",
          "lattice",
          ", a larger --size or a smaller --domain"};
}

/// Uses the given grid, or the one with the shortest borders. Throws InputError if the lattice cannot be divided so.
inline parallel::Distribution distribute(const Parameters& p, const parallel::Communicator& ranks,
                                         const std::optional<parallel::GridShape>& shape = {}) {
  return {ranks, units_of(p), shape};
}

/// The block of a rank: its sites, and their position in memory.
///
/// Memory has a halo around the block in each direction that is divided. There the subdomain of a replica, with as many
/// sites as the block, moves with the origin of the domains. It is up to date in a turn; the sites around it are those
/// of an earlier turn. See shifted_subdomains.hpp.
inline Lattice block_of(const Parameters& p, const parallel::RankGrid& grid, int rank) {
  constexpr int all_bits = ~0;
  const auto units = units_of(p);
  const int period = domain_period(p);
  Lattice block{static_cast<int>(grid.columns(units, rank).size()) * unit_x(p),
                static_cast<int>(grid.rows(units, rank).size()) * period, p.replicas};
  // A shifted subdomain extends up to a period and a site beyond the block to the right and above, and a site to the
  // left and below. Words around its domains are read even if they have no site of the subdomain.
  if (grid.cut_x()) {
    block.wrap_x = all_bits;
    block.first_x = word_sites;
    block.row = 1 + (block.nx + period) / word_sites + 4;
  }
  if (grid.cut_y()) {
    constexpr int margin = 4;  // period of a flat surface
    block.wrap_y = all_bits;
    block.first_y = margin;
    block.rows = margin + block.ny + period + margin;
  }
  return block;
}
/// The block of this rank.
inline Lattice block_of(const Parameters& p, const parallel::Distribution& distribution) {
  return distribution.is_serial() ? lattice_of(p) : block_of(p, distribution.grid, distribution.grid.rank());
}

/// Extents of the streams of a replica of a block with decomposition `d`: one for each thread cell of each domain of a
/// set, domain by domain, then one for each domain.
inline std::vector<parallel::Extent> extents_of_streams(const Decomposition& d) {
  const auto x = static_cast<std::size_t>(d.domains_x), y = static_cast<std::size_t>(d.domains) / x;
  return {{x * static_cast<std::size_t>(d.cells), y}, {x, y}};
}
/// Their number.
inline std::size_t streams_of_replica(const std::vector<parallel::Extent>& extents) {
  return extents[0].columns * extents[0].rows + extents[1].columns * extents[1].rows;
}

/// Transfer of the words of surfaces, [replicas, ny, words].
template <class ExecutionSpace>
parallel::ArrayTransfer<ExecutionSpace> transfer_of_words(const ExecutionSpace& space, const Lattice& block,
                                                          const parallel::Distribution& distribution = {}) {
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  return {
      space, distribution,
      parallel::BlockLayout{size(block.replicas), size(block.words_x()), size(block.ny), size(block.row), block.words(),
                            size(block.first_y) * size(block.row) + size(block.first_x / word_sites)}};
}

/// Numbers in the whole lattice of the streams of a replica of a block.
struct StreamNumbers {
  std::size_t cells, domains_x, own_domains;  ///< cells of a domain; domains of the block: in a row, and in total
  std::size_t first_x, first_y, whole_x, whole_domains;  ///< first domain, and number of domains of the whole lattice

  /// `tables`: those of extents_of_streams() at a rank.
  explicit StreamNumbers(const std::vector<parallel::CutTable>& tables)
      : cells(tables[0].columns / tables[1].columns),
        domains_x(tables[1].own_columns),
        own_domains(tables[1].own_size()),
        first_x(tables[1].first_column),
        first_y(tables[1].first_row),
        whole_x(tables[1].columns),
        whole_domains(tables[1].size()) {}

  KOKKOS_FORCEINLINE_FUNCTION std::size_t domain_in_whole(std::size_t domain) const {
    return (first_y + domain / domains_x) * whole_x + first_x + domain % domains_x;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::size_t operator()(std::size_t stream) const {
    if (stream >= own_domains * cells) return whole_domains * cells + domain_in_whole(stream - own_domains * cells);
    return domain_in_whole(stream / cells) * cells + stream % cells;
  }
};

}  // namespace tessera::kpz
