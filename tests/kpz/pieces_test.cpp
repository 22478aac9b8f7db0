// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <tessera/kpz/impl/pieces.hpp>
#include <vector>

#include "tests/kpz/schemes.hpp"

namespace tessera::testing {
namespace {

using kpz::Subdomain;
using parallel::GridShape;
using parallel::Pieces;

/// The parts of 3 x 2 ranks of a lattice of 4 x 4 periods.
std::vector<Subdomain> parts_of(const kpz::Parameters& p) {
  const GridShape shape{3, 2};
  const parallel::RankGrid grid({}, shape);
  std::vector<Subdomain> parts;
  for (int rank = 0; rank < 6; ++rank) parts.emplace_back(p, grid, rank);
  return parts;
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
          EXPECT_EQ(pieces.first_own(begin, end), before);
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

TEST(Pieces, OfAllRanksAreTheWhole) {
  for (const kpz::Parameters& p : all_schemes(lattice_of_periods())) {
    SCOPED_TRACE(describe(p));
    const kpz::Decomposition d(kpz::lattice_of(p), p);
    std::vector<Pieces> words, sites, streams;
    for (const Subdomain& subdomain : parts_of(p)) {
      words.push_back(pieces_of_words(subdomain));
      sites.push_back(pieces_of_sites(subdomain));
      streams.push_back(pieces_of_streams(subdomain, d));
      EXPECT_EQ(streams.back().size(), 2 * kpz::streams_of_replica(d));
      const kpz::Decomposition own(subdomain.block, p);
      EXPECT_EQ(streams.back().own_size(), 2 * kpz::streams_of_replica(own));
    }
    expect_whole(words);
    expect_whole(sites);
    expect_whole(streams);
  }
}

/// A stream has the number that it has in the file, less those of replicas before.
TEST(Pieces, OfStreamsAreThoseOfTheirNumbers) {
  for (const kpz::Parameters& p : all_schemes(lattice_of_periods())) {
    const kpz::Decomposition d(kpz::lattice_of(p), p);
    for (const Subdomain& subdomain : parts_of(p)) {
      const kpz::Decomposition own(subdomain.block, p);
      const kpz::StreamNumbers numbers(subdomain, own);
      const std::size_t of_replica = kpz::streams_of_replica(d), of_part = kpz::streams_of_replica(own);
      const Pieces pieces = pieces_of_streams(subdomain, d);
      pieces.for_each(0, pieces.size(), [&](std::size_t in_whole, std::size_t in_part, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
          ASSERT_EQ(numbers((in_part + i) % of_part), (in_whole + i) % of_replica) << describe(p);
      });
    }
  }
}

}  // namespace
}  // namespace tessera::testing
