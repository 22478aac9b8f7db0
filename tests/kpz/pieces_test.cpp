// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <tessera/kpz/state/subdomains.hpp>
#include <vector>

#include "tests/kpz/schemes.hpp"

namespace tessera::testing {
namespace {

using parallel::GridShape;
using parallel::Pieces;

constexpr int ranks = 6;

/// The lattice of these parameters, divided among 3 x 2 ranks.
parallel::Distribution distribution_of(const kpz::Parameters& p) {
  parallel::Distribution distribution;
  distribution.units = kpz::units_of(p);
  distribution.grid = parallel::RankGrid({}, GridShape{3, 2});
  return distribution;
}
kpz::Decomposition decomposition_of_block(const kpz::Parameters& p, int rank) {
  return {kpz::block_of(p, distribution_of(p).grid, rank), p};
}
std::vector<Pieces> pieces_of_streams(const kpz::Parameters& p) {
  return distribution_of(p).pieces(2, kpz::extents_of_streams(decomposition_of_block(p, 0)));
}

kpz::Parameters lattice_of_periods() {
  kpz::Parameters p = small_lattice();
  p.nx = p.ny = 128;
  p.domain = 16;
  p.replicas = 2;
  return p;
}

/// Pieces of all ranks are the whole, each element once, in any stretch of it; within a rank they follow each other.
void expect_whole(const std::vector<Pieces>& all) {
  const std::size_t size = all.front().size();
  for (const std::size_t at_once : {size, size / 2 + 1, std::size_t{1000}, std::size_t{7}}) {
    std::vector<std::size_t> next(all.size());
    for (std::size_t begin = 0; begin < size; begin += at_once) {
      const std::size_t end = std::min(size, begin + at_once);
      std::vector<int> seen(end - begin);
      for (std::size_t rank = 0; rank < all.size(); ++rank) {
        const Pieces& pieces = all[rank];
        const std::size_t before = next[rank];
        if (pieces.count(begin, end) > 0) {
          EXPECT_EQ(pieces.count(0, begin), before);
        }
        pieces.for_each(begin, end, [&](std::size_t in_whole, std::size_t in_part, std::size_t count) {
          ASSERT_EQ(in_part, next[rank]);
          for (std::size_t i = 0; i < count; ++i) ++seen.at(in_whole + i - begin);
          next[rank] += count;
        });
        EXPECT_EQ(pieces.count(begin, end), next[rank] - before);
      }
      ASSERT_EQ(seen, std::vector<int>(end - begin, 1)) << begin;
    }
    for (std::size_t rank = 0; rank < all.size(); ++rank) EXPECT_EQ(next[rank], all[rank].own_size());
  }
}

TEST(Pieces, OfAllRanksMakeUpTheLattice) {
  for (const kpz::Parameters& p : all_schemes(lattice_of_periods())) {
    SCOPED_TRACE(describe(p));
    const kpz::Decomposition d(kpz::lattice_of(p), p);
    const kpz::Lattice first = kpz::block_of(p, distribution_of(p).grid, 0);
    const auto of_table = [&](int columns, int rows) {
      return distribution_of(p).pieces(2, {{static_cast<std::size_t>(columns), static_cast<std::size_t>(rows)}});
    };
    const auto words = of_table(first.words_x(), first.ny), sites = of_table(first.nx, first.ny),
               streams = pieces_of_streams(p);
    for (int rank = 0; rank < ranks; ++rank) {
      const auto r = static_cast<std::size_t>(rank);
      const kpz::Lattice block = kpz::block_of(p, distribution_of(p).grid, rank);
      EXPECT_EQ(words[r].size(), kpz::lattice_of(p).all_words());
      EXPECT_EQ(sites[r].own_size(), 2 * static_cast<std::size_t>(block.sites()));
      EXPECT_EQ(streams[r].size(), 2 * kpz::streams_of_replica(kpz::extents_of_streams(d)));
      EXPECT_EQ(streams[r].own_size(),
                2 * kpz::streams_of_replica(kpz::extents_of_streams(decomposition_of_block(p, rank))));
    }
    expect_whole(words);
    expect_whole(sites);
    expect_whole(streams);
  }
}

/// A stream has the number that it has in the file, less those of replicas before.
TEST(Pieces, OfStreamsFollowFromTheirNumbers) {
  for (const kpz::Parameters& p : all_schemes(lattice_of_periods())) {
    const kpz::Decomposition d(kpz::lattice_of(p), p);
    for (int rank = 0; rank < ranks; ++rank) {
      const kpz::Decomposition own = decomposition_of_block(p, rank);
      const Pieces pieces = pieces_of_streams(p)[static_cast<std::size_t>(rank)];
      const kpz::StreamNumbers numbers(pieces.tables);
      const std::size_t of_replica = kpz::streams_of_replica(kpz::extents_of_streams(d)),
                        of_part = kpz::streams_of_replica(kpz::extents_of_streams(own));
      pieces.for_each(0, pieces.size(), [&](std::size_t in_whole, std::size_t in_part, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
          ASSERT_EQ(numbers((in_part + i) % of_part), (in_whole + i) % of_replica) << describe(p);
      });
    }
  }
}

}  // namespace
}  // namespace tessera::testing
