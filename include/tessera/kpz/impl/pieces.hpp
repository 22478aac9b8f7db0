// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <tessera/kpz/impl/decomposition.hpp>
#include <tessera/kpz/impl/part.hpp>
#include <tessera/parallel/pieces.hpp>
#include <vector>

/// Arrays of the whole lattice, of which each rank has a part (parallel/pieces.hpp).
namespace tessera::kpz {

/// Rows of words of the surfaces, and of heights.
inline parallel::Pieces pieces_of_words(const Part& part) {
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  return {size(part.whole.replicas),
          {{size(part.whole.words_x()), size(part.whole.ny), size(part.first_x / word_sites),
            size(part.block.words_x()), size(part.first_y), size(part.block.ny)}}};
}
inline parallel::Pieces pieces_of_sites(const Part& part) {
  const auto size = [](int n) { return static_cast<std::size_t>(n); };
  return {size(part.whole.replicas),
          {{size(part.whole.nx), size(part.whole.ny), size(part.first_x), size(part.block.nx), size(part.first_y),
            size(part.block.ny)}}};
}
/// Streams: those of the thread cells, domain by domain, then those of the domains. `d`: the decomposition of the
/// whole.
inline parallel::Pieces pieces_of_streams(const Part& part, const Decomposition& d) {
  const auto periods = [&](int sites) { return static_cast<std::size_t>(sites / d.period); };
  const auto table = [&](std::size_t cells) {
    return parallel::CutTable{periods(part.whole.nx) * cells, periods(part.whole.ny), periods(part.first_x) * cells,
                              periods(part.block.nx) * cells, periods(part.first_y),  periods(part.block.ny)};
  };
  return {static_cast<std::size_t>(part.whole.replicas), {table(static_cast<std::size_t>(d.cells)), table(1)}};
}

}  // namespace tessera::kpz
