// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/execution_spaces.hpp"
#include "tests/kpz/any_simulation.hpp"
#include "tests/kpz/golden_hashes.hpp"
#include "tests/kpz/schemes.hpp"

// Trajectories as they have always been: however the state is laid out and whatever the kernels do, input and seed
// decide all heights. The numbers stay; only a change of the method itself would be a reason to make new ones. That was
// so twice. With format 2 of the files the origin of the domains came to lie within their period, and the hashes of
// runs with a random origin and more than one period in the lattice were taken anew. With format 3 a draw came to serve
// two attempts, and so were those of all runs with p below 1 or q above 0. Both were taken from what this test found,
// after plain schemes had agreed with it; all others are the first ones.
namespace tessera::testing {
namespace {

using kpz::Parameters;

/// FNV-1a of the heights.
std::uint64_t hash_of(const std::vector<std::int32_t>& heights) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::int32_t height : heights)
    for (int byte = 0; byte < 4; ++byte)
      hash = (hash ^ (static_cast<std::uint32_t>(height) >> (8 * byte) & 0xff)) * 0x100000001b3;
  return hash;
}

struct LatticeOfDomains {
  int nx, ny, domain, replicas;
};

std::vector<Parameters> on_lattices(const std::vector<LatticeOfDomains>& lattices, std::uint64_t seed) {
  std::vector<Parameters> all;
  for (const LatticeOfDomains& l : lattices) {
    Parameters p;
    p.nx = l.nx;
    p.ny = l.ny;
    p.domain = l.domain;
    p.thread_cell_x = p.thread_cell_y = 1;
    p.replicas = l.replicas;
    p.seed = ++seed;
    p.steps = 1000;
    all.push_back(p);
  }
  return all;
}

/// All schemes with all kinds of p and q; with other thread cells; on lattices of other shapes and sizes.
std::vector<Parameters> golden_cases() {
  std::vector<Parameters> cases = with_rates(all_schemes(small_lattice(301)));
  for (const Parameters& p : with_cells(all_schemes(small_lattice(302))))
    for (const double q : {0.0, 0.4}) {
      cases.push_back(p);
      cases.back().q = q;
    }
  for (const Parameters& p : on_lattices({{16, 16, 8, 3},
                                          {16, 64, 8, 1},
                                          {64, 16, 8, 2},
                                          {32, 32, 16, 1},
                                          {32, 16, 8, 1},
                                          {64, 64, 8, 1},
                                          {64, 64, 16, 1},
                                          {128, 128, 64, 2},
                                          {256, 512, 0, 1},
                                          {512, 512, 256, 1}},
                                         310))
    for (Parameters scheme : all_schemes(p)) {
      scheme.p = 0.9;
      for (const double q : {0.0, 0.5}) {
        scheme.q = q;
        cases.push_back(scheme);
      }
    }
  for (const auto block : {kpz::BlockLayer::dead_border, kpz::BlockLayer::double_tiling}) {
    cases.push_back(on_lattices({{1024, 1024, 0, 1}}, 330)[0]);
    cases.back().block_layer = block;
  }
  return cases;
}

std::vector<Parameters> golden_sequential_cases() {
  std::vector<Parameters> cases;
  for (const Parameters& p : on_lattices(
           {{4, 4, 0, 5}, {4, 64, 0, 1}, {64, 4, 0, 1}, {8, 8, 0, 2}, {16, 8, 0, 1}, {32, 32, 0, 1}, {256, 128, 0, 2}},
           340))
    for (const Parameters& with : with_rates({p})) cases.push_back(with);
  return cases;
}

std::string shape_of(const Parameters& p) {
  return describe(p) + ", " + std::to_string(p.nx) + " x " + std::to_string(p.ny) + ", domain " +
         std::to_string(p.domain);
}

template <class Space>
class GoldenRuns : public ::testing::Test {};
TYPED_TEST_SUITE(GoldenRuns, ExecutionSpaces, ExecutionSpaceNames);

TYPED_TEST(GoldenRuns, OfAllSchemesHaveTheRecordedHeights) {
  const auto cases = golden_cases();
  ASSERT_EQ(cases.size(), std::size(golden_hashes));
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(shape_of(cases[i]) + ", case " + std::to_string(i));
    const auto simulation = make_simulation<TypeParam>(cases[i]);
    simulation->advance(cases[i].nx >= 512 ? 4 : 12.5);
    EXPECT_EQ(hash_of(simulation->heights()), golden_hashes[i]);
  }
}

TEST(GoldenSequentialRuns, HaveTheRecordedHeights) {
  const auto cases = golden_sequential_cases();
  ASSERT_EQ(cases.size(), std::size(golden_sequential_hashes));
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(shape_of(cases[i]) + ", case " + std::to_string(i));
    const auto simulation = make_sequential(cases[i]);
    simulation->advance(12.3);
    EXPECT_EQ(hash_of(simulation->heights()), golden_sequential_hashes[i]);
  }
}

}  // namespace
}  // namespace tessera::testing
