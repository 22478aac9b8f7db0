// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <optional>
#include <tessera/kpz/parameters.hpp>
#include <tessera/kpz/state/decomposition.hpp>
#include <tessera/parallel/array_transfer.hpp>
#include <tessera/parallel/distribution.hpp>
#include <vector>

/// Distribution of a lattice among ranks.
namespace tessera::kpz {

/// Smallest width of a block: a multiple of the period of the domains and of a word. The smallest height is the period.
inline int unit_x(const Parameters& p) { return std::min(p.nx, std::max(domain_period(p), word_sites)); }
inline parallel::UnitLattice units_of(const Parameters& p) {
  const char* const advice = ", a larger --size or a smaller --domain";
  return {p.nx / unit_x(p), p.ny / domain_period(p), 1, "periods of the domains", "lattice", advice};
}

/// Divides the lattice among ranks in this shape, by default with the shortest borders. Throws InputError if it cannot.
inline parallel::Distribution distribute(const Parameters& p, const parallel::Communicator& ranks,
                                         const std::optional<parallel::GridShape>& shape = {}) {
  return {ranks, units_of(p), shape};
}

/// The block of a rank: its sites, and their position in memory. The halo in each divided direction is room for the
/// shifted subdomains (shifted_subdomains.hpp); only their sites are up to date.
inline Lattice block_of(const Parameters& p, const parallel::RankGrid& grid, int rank) {
  constexpr int all_bits = ~0;
  const auto units = units_of(p);
  const int period = domain_period(p);
  Lattice block{static_cast<int>(grid.columns(units, rank).size()) * unit_x(p),
                static_cast<int>(grid.rows(units, rank).size()) * period, p.replicas};
  // A subdomain extends beyond the block by up to a period and a site to the right and above, and a site to the left
  // and below. Words around its domains are read even if they contain no site of the subdomain.
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
inline Lattice block_of(const Parameters& p, const parallel::Distribution& distribution) {
  return distribution.is_serial() ? lattice_of(p) : block_of(p, distribution.grid, distribution.grid.rank());
}

/// Tables of the streams of a replica: of all thread cells of the domains of a set, domain by domain; then of domains.
inline std::vector<parallel::Extent> extents_of_streams(const Decomposition& d) {
  const auto x = static_cast<std::size_t>(d.domains_x), y = static_cast<std::size_t>(d.domains) / x;
  return {{x * static_cast<std::size_t>(d.cells), y}, {x, y}};
}
inline std::size_t streams_of_replica(const std::vector<parallel::Extent>& extents) {
  return extents[0].columns * extents[0].rows + extents[1].columns * extents[1].rows;
}

/// Transfer of the words of surfaces, [replicas, ny, words of a row].
template <class ExecutionSpace>
parallel::ArrayTransfer<ExecutionSpace> transfer_of_words(const ExecutionSpace& space, const Lattice& block,
                                                          const parallel::Distribution& distribution = {}) {
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  return {
      space, distribution,
      parallel::BlockLayout{size(block.replicas), size(block.words_x()), size(block.ny), size(block.row), block.words(),
                            size(block.first_y) * size(block.row) + size(block.first_x / word_sites)}};
}

/// Numbers in the whole lattice of the streams of a rank's block, for one replica.
struct StreamNumbers {
  parallel::CutTable domains;
  std::size_t cells;  ///< of a domain

  /// `tables`: of extents_of_streams() at a rank.
  explicit StreamNumbers(const std::vector<parallel::CutTable>& tables)
      : domains(tables[1]), cells(tables[0].columns / tables[1].columns) {}

  KOKKOS_FORCEINLINE_FUNCTION std::size_t domain_in_whole(std::size_t domain) const {
    return (domains.first_row + domain / domains.own_columns) * domains.columns + domains.first_column +
           domain % domains.own_columns;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::size_t operator()(std::size_t stream) const {
    const std::size_t own = domains.own_columns * domains.own_rows, whole = domains.columns * domains.rows;
    if (stream >= own * cells) return whole * cells + domain_in_whole(stream - own * cells);
    return domain_in_whole(stream / cells) * cells + stream % cells;
  }
};

}  // namespace tessera::kpz
