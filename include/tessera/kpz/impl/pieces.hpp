// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <tessera/kpz/impl/decomposition.hpp>
#include <tessera/kpz/impl/subdomains.hpp>
#include <tessera/parallel/pieces.hpp>

/// Arrays of the whole lattice, distributed among ranks (parallel/pieces.hpp).
namespace tessera::kpz {

/// Rows of words of the surfaces, and rows of heights.
inline parallel::Pieces pieces_of_words(const Subdomain& subdomain) {
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  return {size(subdomain.whole.replicas),
          {{size(subdomain.whole.words_x()), size(subdomain.whole.ny), size(subdomain.first_x / word_sites),
            size(subdomain.block.words_x()), size(subdomain.first_y), size(subdomain.block.ny)}}};
}
inline parallel::Pieces pieces_of_sites(const Subdomain& subdomain) {
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  return {size(subdomain.whole.replicas),
          {{size(subdomain.whole.nx), size(subdomain.whole.ny), size(subdomain.first_x), size(subdomain.block.nx),
            size(subdomain.first_y), size(subdomain.block.ny)}}};
}
/// Streams of the thread cells, domain by domain, then streams of the domains. `d` is the decomposition of the whole
/// lattice.
inline parallel::Pieces pieces_of_streams(const Subdomain& subdomain, const Decomposition& d) {
  const auto periods = [&](int sites) { return static_cast<std::size_t>(sites / d.period); };
  const auto table = [&](std::size_t cells) {
    return parallel::CutTable{periods(subdomain.whole.nx) * cells, periods(subdomain.whole.ny),
                              periods(subdomain.first_x) * cells,  periods(subdomain.block.nx) * cells,
                              periods(subdomain.first_y),          periods(subdomain.block.ny)};
  };
  return {static_cast<std::size_t>(subdomain.whole.replicas), {table(static_cast<std::size_t>(d.cells)), table(1)}};
}

}  // namespace tessera::kpz
