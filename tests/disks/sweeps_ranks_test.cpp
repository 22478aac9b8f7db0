// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <string>
#include <tessera/disks/state/lattice_start.hpp>
#include <tessera/disks/state/subdomains.hpp>
#include <vector>

#include "tests/disks/plain_contents.hpp"
#include "tests/disks/sweeps_instances.hpp"
#include "tests/execution_spaces.hpp"
#include "tests/parallel/rank_tests.hpp"

namespace tessera::disks {
namespace {

/// However a rank makes its sweeps, all ranks together have the disks of one process.
template <class Space>
class SharedSweeps : public ::testing::Test {};
TYPED_TEST_SUITE(SharedSweeps, tessera::testing::ExecutionSpaces, tessera::testing::ExecutionSpaceNames);

TYPED_TEST(SharedSweeps, DoNotDependOnKernelOrRanks) {
  const SweepShape usual = default_sweep_shape<TypeParam>;
  // Of many moves in a cell a wrong one changes all after it: what is wrong in ghosts comes as far as it can.
  for (const auto& [packing_fraction, moves] : {std::pair{0.698, 4}, {0.87, 3}, {0.1, 9}, {0.6, 40}}) {
    Parameters p;
    p.packing_fraction = packing_fraction;
    // 26 x 28 cells.
    p.particles = static_cast<std::int64_t>(35.6 * 38.5 * 4 * packing_fraction / 3.14159265);
    p.aspect = 35.6 / 38.5;
    p.moves_per_cell = moves;
    p.replicas = 2;
    p.seed = 23;
    const double x = box_width(p), y = box_height(p);
    const Geometry g = fit_cells(x, y, p.replicas).value();
    ASSERT_EQ(g.columns, 26);
    ASSERT_EQ(g.rows, 28);
    const std::vector<std::vector<Point>> points(2, lattice_start(p.particles, x, y));
    const Configuration start = plain_contents(points, x, y, g);
    const auto single = make_sweeps<TypeParam>(p, g, start);
    single->run(0, 40);
    const Configuration expected = single->configuration();
    for (const SweepShape shape :
         {usual, SweepShape{usual.arrangement, 3}, SweepShape{Arrangement::pairs, 0, TileShape{}},
          SweepShape{Arrangement::pairs, 0, TileShape{6, 4, 1}}})
      for (const parallel::GridShape& grid : grids()) {
        SCOPED_TRACE("eta " + std::to_string(packing_fraction) + ", arrangement " +
                     std::to_string(static_cast<int>(shape.arrangement)) +
                     (shape.tile ? ", tile " + std::to_string(shape.tile->width) : "") + ", " + on_ranks(grid));
        const auto shared = make_sweeps<TypeParam>(p, g, start, shape, distribute(g, ranks(), grid));
        shared->run(0, 3);
        shared->run(3, 37);
        const Configuration c = shared->configuration();
        if (has_all()) {
          EXPECT_TRUE(c.counts == expected.counts);
          EXPECT_TRUE(c.positions == expected.positions);
          EXPECT_EQ(c.origins, expected.origins);
          EXPECT_EQ(c.moves, expected.moves);
        }
        const Census census = shared->census();
        EXPECT_EQ(census.disks, 2 * static_cast<std::uint64_t>(p.particles));
        EXPECT_EQ(census.overlaps, 0u);
        EXPECT_EQ(census.outside, 0u);
      }
  }
}

}  // namespace
}  // namespace tessera::disks
