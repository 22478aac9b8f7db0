// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tessera/kpz/impl/decomposition.hpp>
#include <tessera/kpz/parameters.hpp>
#include <tessera/parallel/block.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/rank_grid.hpp>
#include <vector>

/// Decomposition of a lattice among ranks.
namespace tessera::kpz {

/// Sides of the smallest block: a multiple of the period of the domains and of a word.
inline int unit_x(const Parameters& p) {
  const int period = has_dead_border(p.device_layer) ? domain_side(p) : 2 * domain_side(p);
  return std::min(p.nx, std::max(period, word_sites));
}
inline int unit_y(const Parameters& p) { return has_dead_border(p.device_layer) ? domain_side(p) : 2 * domain_side(p); }
inline parallel::UnitLattice units_of(const Parameters& p) {
  return {p.nx / unit_x(p),         p.ny / unit_y(p), 1,
          "periods of the domains", "lattice",        ", a larger --size or a smaller --domain"};
}

/// Subdomain of a rank: its block of sites, with the position in the whole lattice and in memory.
///
/// Memory has a halo around the block in each direction that is divided. There the subdomain of a replica, with as many
/// sites as the block, moves with the origin of the domains. It is up to date in a turn; the sites around it are those
/// of an earlier turn. See shifted_subdomains.hpp.
struct Subdomain {
  Lattice whole, block;
  int first_x, first_y;  ///< the lower left site of the block in the whole

  /// The subdomain of a rank.
  Subdomain(const Parameters& p, const parallel::RankGrid& grid, int rank)
      : whole(lattice_of(p)), block(whole), first_x(0), first_y(0) {
    const auto units = units_of(p);
    const auto columns = grid.columns(units, rank), rows = grid.rows(units, rank);
    first_x = static_cast<int>(columns.first) * unit_x(p);
    first_y = static_cast<int>(rows.first) * unit_y(p);
    block = {static_cast<int>(columns.size()) * unit_x(p), static_cast<int>(rows.size()) * unit_y(p), p.replicas};
    const int period = Decomposition(whole, p).period;
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
  }

 private:
  static constexpr int all_bits = ~0;
};

/// The ranks that share a lattice, their grid and their subdomains. The default is a single rank.
struct Subdomains {
  parallel::Communicator communicator;
  parallel::RankGrid grid;
  std::vector<Subdomain> parts;  ///< of all ranks; empty for a single rank

  Subdomains() = default;
  /// Uses the given grid, or the one with the shortest borders. Throws InputError if the lattice cannot be divided so.
  Subdomains(const Parameters& p, const parallel::Communicator& of, const std::optional<parallel::GridShape>& shape)
      : communicator(of), grid(of, units_of(p), shape) {
    if (is_serial()) return;
    for (int rank = 0; rank < of.size(); ++rank) parts.emplace_back(p, grid, rank);
  }

  bool is_serial() const { return communicator.size() == 1; }
  /// This rank's block of `whole`, and the whole lattice of a block.
  Lattice block(const Lattice& whole) const { return is_serial() ? whole : own().block; }
  Lattice whole(const Lattice& block) const { return is_serial() ? block : own().whole; }
  /// This rank's subdomain, if there are several ranks.
  const Subdomain& own() const { return parts[static_cast<std::size_t>(communicator.rank())]; }
};

/// Numbers in the whole lattice of the streams of a replica of a subdomain with decomposition `d`.
struct StreamNumbers {
  std::size_t cells, domains_x, domains;  ///< cells of a domain; domains of the subdomain: in a row, and in total
  std::size_t first_x, first_y, whole_x, whole_domains;  ///< first domain, and number of domains of the whole lattice

  StreamNumbers(const Subdomain& subdomain, const Decomposition& d)
      : cells(static_cast<std::size_t>(d.cells)),
        domains_x(static_cast<std::size_t>(d.domains_x)),
        domains(static_cast<std::size_t>(d.domains)),
        first_x(static_cast<std::size_t>(subdomain.first_x / d.period)),
        first_y(static_cast<std::size_t>(subdomain.first_y / d.period)),
        whole_x(static_cast<std::size_t>(subdomain.whole.nx / d.period)),
        whole_domains(whole_x * static_cast<std::size_t>(subdomain.whole.ny / d.period)) {}

  KOKKOS_FORCEINLINE_FUNCTION std::size_t domain_in_whole(std::size_t domain) const {
    return (first_y + domain / domains_x) * whole_x + first_x + domain % domains_x;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::size_t operator()(std::size_t stream) const {
    if (stream >= domains * cells) return whole_domains * cells + domain_in_whole(stream - domains * cells);
    return domain_in_whole(stream / cells) * cells + stream % cells;
  }
};

/// Seeds streams first .. first+count-1 as those of a replica of a subdomain.
template <class ExecutionSpace, class States>
void seed_part(const ExecutionSpace& space, const States& states, std::uint64_t seed, std::size_t first,
               std::size_t count, const StreamNumbers& numbers) {
  Kokkos::parallel_for(
      "tessera::kpz::seed_part", Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>(space, 0, count),
      KOKKOS_LAMBDA(std::size_t i) { states(first + i) = stream_start(seed, numbers(i)); });
}

}  // namespace tessera::kpz
