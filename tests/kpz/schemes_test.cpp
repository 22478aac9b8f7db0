// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <tessera/kpz/simulation.hpp>

#include "tests/execution_spaces.hpp"
#include "tests/kpz/plain_scheme.hpp"
#include "tests/kpz/schemes.hpp"

namespace tessera::kpz {
namespace {

using ::tessera::testing::all_schemes;
using ::tessera::testing::describe;
using ::tessera::testing::PlainScheme;
using ::tessera::testing::small_lattice;
using ::tessera::testing::with_cells;
using ::tessera::testing::with_rates;

/// The bit code of a surface, bit by bit.
std::vector<std::uint32_t> words_of(const PlainScheme& scheme, int nx, int ny) {
  std::vector<std::uint32_t> words(static_cast<std::size_t>(nx / 4) * static_cast<std::size_t>(ny / 4));
  for (int y = 0; y < ny; ++y)
    for (int x = 0; x < nx; ++x) {
      std::uint32_t& word = words[static_cast<std::size_t>(y / 4 * (nx / 4) + x / 4)];
      if (scheme.height(x, y) > scheme.height(x - 1, y)) word |= 1u << (4 * (x % 4) + y % 4);
      if (scheme.height(x, y) > scheme.height(x, y - 1)) word |= 1u << (16 + 4 * (y % 4) + x % 4);
    }
  return words;
}

template <class Space>
class Schemes : public ::testing::Test {};
TYPED_TEST_SUITE(Schemes, testing::ExecutionSpaces, testing::ExecutionSpaceNames);

TYPED_TEST(Schemes, EqualAPlainOneOnHeightsToTheLastBit) {
  std::uint64_t seed = 0;
  for (Parameters p : with_rates(with_cells(all_schemes(small_lattice())))) {
    p.seed = ++seed;
    SCOPED_TRACE(describe(p));
    PlainScheme plain(p);
    Simulation<TypeParam> simulation(TypeParam(), p);
    EXPECT_EQ(simulation.words(), words_of(plain, p.nx, p.ny));
    const double time = simulation.decomposition().attempts_an_interval() / (64 * 128);
    for (int i = 1; i <= 5; ++i) {
      plain.interval();
      simulation.advance(i * time);
      ASSERT_EQ(simulation.words(), words_of(plain, p.nx, p.ny)) << "after interval " << i;
    }
  }
}

}  // namespace
}  // namespace tessera::kpz
