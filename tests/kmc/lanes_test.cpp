// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <string>
#include <tessera/kmc/initial_state.hpp>
#include <tessera/kmc/kernels/advance_sparsely.hpp>
#include <tessera/kmc/kernels/advance_tile.hpp>
#include <tessera/kmc/models.hpp>
#include <vector>

#include "tests/kmc/emulated_team.hpp"
#include "tests/kmc/own_models.hpp"

/// What a team of 32 lanes makes of a tile is what a team of one makes of it.
namespace tessera::kmc {
namespace {

using ::tessera::testing::EmulatedLanes;
using ::tessera::testing::EmulatedTeam;
using Host = Kokkos::DefaultHostExecutionSpace;

enum class Kernel { several_at_once, one_by_one, sparse };

/// The steps of a lattice of 3 x 2 tiles, made by teams of so many lanes, without check: the front buffer decides alone
/// what a tile makes of it.
template <Model M, int Lanes>
class Lattice {
 public:
  Lattice(const M& model, int tile, int halo, int at_once)
      : model_(model),
        halo_(halo),
        at_once_(at_once),
        state_(Geometry{3 * tile, 2 * tile, tile, 3, 2, 1}),
        due_(state_.geometry),
        changes_(state_.geometry),
        steps_("steps", 1),
        scratch_(
            (std::max(team_bytes(tile, halo, Lanes), SparseWindow<typename M::State>::bytes(tile + 2 * halo, room)) +
             7) /
            8) {
    state_.streams.seed(Host(), 5, 0, static_cast<std::size_t>(state_.geometry.sites()));
    start_cells(Host(), state_, model_, 5);
    steps_(0).active = steps_(0).accept = 1;
  }

  /// Gives all cells one of a few waiting times, from 1 on.
  void tie() {
    for (int y = 0; y < state_.geometry.ny; ++y)
      for (int x = 0; x < state_.geometry.nx; ++x)
        state_.times(state_.present(0, x, y)) = 1 + 0.5 * static_cast<double>(hash(1, 100 * y + x) % 5);
  }

  /// A step of length `step` by this kernel; what the tiles have reported, checksums and all.
  std::vector<std::uint64_t> advance(Kernel kernel, double step) {
    steps_(0).target = steps_(0).time + step;
    if (kernel == Kernel::sparse) due_.look(Host(), state_, steps_);
    std::vector<std::uint64_t> reports;
    for (int tile = 0; tile < 6; ++tile) {
      std::vector<std::uint64_t> checksums(kmc::checksums<M>);
      const TileReport report = run(kernel, tile, checksums.data());
      reports.insert(reports.end(), checksums.begin(), checksums.end());
      reports.insert(reports.end(), {report.events, Kokkos::bit_cast<std::uint64_t>(report.last_event), report.touched,
                                     report.in_order});
    }
    changes_.commit(Host(), state_, steps_);
    steps_(0).time = steps_(0).target;
    return reports;
  }

  /// States, waiting times and generators of all cells.
  std::vector<std::uint64_t> cells() const {
    std::vector<std::uint64_t> result;
    for (int y = 0; y < state_.geometry.ny; ++y)
      for (int x = 0; x < state_.geometry.nx; ++x) {
        const std::size_t i = state_.present(0, x, y);
        result.insert(result.end(), {static_cast<std::uint64_t>(state_.states(i)),
                                     Kokkos::bit_cast<std::uint64_t>(state_.times(i)), state_.streams.states()(i)});
      }
    return result;
  }

  int tiles_in_order = 0, tiles_done_sparsely = 0;

 private:
  using Space = EmulatedLanes<Lanes>;
  static constexpr int room = 200;  // for touched cells

  TileReport run(Kernel kernel, int tile, std::uint64_t* checksums) {
    auto* const scratch = reinterpret_cast<char*>(scratch_.data());
    TileReport of_lane[Lanes];
    bool done_sparsely[Lanes] = {};
    EmulatedTeam<Lanes>::run([&](const EmulatedTeam<Lanes>& team) {
      TileReport& report = of_lane[team.team_rank()];
      if (kernel == Kernel::sparse) {
        const AdvanceSparsely<Space, M> work{state_, model_, due_, changes_, 100, room, at_once_};
        done_sparsely[team.team_rank()] = work.run(team, scratch, 0, tile, halo_, steps_(0).target, checksums, report);
        if (done_sparsely[team.team_rank()]) return;
        team.team_barrier();
      }
      const AdvanceTile<Space, M> work{state_, model_, 8, kernel == Kernel::several_at_once};
      report = work.run(team, scratch, 0, tile, halo_, steps_(0).time, steps_(0).target, checksums);
      if (team.team_rank() == 0) state_.written(tile) = report.touched;
    });
    for (int lane = 1; lane < Lanes; ++lane) EXPECT_EQ(done_sparsely[lane], done_sparsely[0]);
    tiles_done_sparsely += done_sparsely[0];
    tiles_in_order += of_lane[0].in_order;
    return of_lane[0];
  }

  M model_;
  int halo_, at_once_;
  State<Kokkos::HostSpace, M> state_;
  DueEvents<Kokkos::HostSpace> due_;
  BackBufferUpdates<Kokkos::HostSpace> changes_;
  Kokkos::View<StepState*, Kokkos::HostSpace> steps_;
  std::vector<double> scratch_;
};

template <Model M>
void expect_that_lanes_agree(const M& model, int tile, int halo, Kernel kernel, double step, int steps,
                             int at_once = AdvanceSparsely<EmulatedLanes<32>, M>::most_at_once, bool tied = false) {
  SCOPED_TRACE("tile " + std::to_string(tile) + ", halo " + std::to_string(halo) + ", step " + std::to_string(step));
  Lattice<M, 32> many(model, tile, halo, at_once);
  Lattice<M, 1> one(model, tile, halo, 1);
  if (tied) {
    many.tie();
    one.tie();
  }
  std::uint64_t events = 0;
  for (int i = 0; i < steps; ++i) {
    const auto reports = many.advance(kernel, step);
    ASSERT_EQ(reports, one.advance(Kernel::one_by_one, step)) << "step " << i;
    ASSERT_EQ(many.cells(), one.cells()) << "step " << i;
    for (std::size_t r = kmc::checksums<M>; r < reports.size(); r += kmc::checksums<M> + 4) events += reports[r];
  }
  EXPECT_GT(events, 50u);
  if (kernel == Kernel::sparse) {
    EXPECT_GT(many.tiles_done_sparsely, 0);
  }
}

TEST(ManyLanes, AdvanceATileOneByOneAsOneLaneDoes) {
  expect_that_lanes_agree(SolidOnSolid(1), 8, 4, Kernel::one_by_one, 2.0, 2);
  expect_that_lanes_agree(testing::Species(), 8, 3, Kernel::one_by_one, 0.3, 2);
}

TEST(ManyLanes, AdvanceATileSeveralAtOnceAsOneLaneDoes) {
  expect_that_lanes_agree(SolidOnSolid(0), 16, 4, Kernel::several_at_once, 0.1, 2);
  expect_that_lanes_agree(SolidOnSolid(1), 8, 4, Kernel::several_at_once, 2.0, 3);
  expect_that_lanes_agree(testing::Species(), 8, 3, Kernel::several_at_once, 0.3, 2);
}

// The windows reach over both ends of the lattice, where the order of the sites is not that of the window's cells.
TEST(ManyLanes, AdvanceEventsWithTheSameTimeInTheOrderOfOneLane) {
  constexpr int few = 3;
  expect_that_lanes_agree(SolidOnSolid(1), 8, 4, Kernel::one_by_one, 1.25, 1, few, true);
  expect_that_lanes_agree(SolidOnSolid(1), 8, 4, Kernel::several_at_once, 1.25, 1, few, true);
  expect_that_lanes_agree(testing::Species(), 8, 3, Kernel::one_by_one, 1.25, 1, few, true);
  expect_that_lanes_agree(SolidOnSolid(1), 8, 3, Kernel::sparse, 1.25, 1, few, true);
  expect_that_lanes_agree(SolidOnSolid(1), 8, 3, Kernel::sparse, 1.25, 1, 6, true);
}

TEST(ManyLanes, AdvanceATileSparselyAsOneLaneDoes) {
  expect_that_lanes_agree(SolidOnSolid(2), 16, 4, Kernel::sparse, 12.0, 4);
  expect_that_lanes_agree(SolidOnSolid(1), 8, 8, Kernel::sparse, 2.0, 3);
  expect_that_lanes_agree(testing::Species(), 8, 3, Kernel::sparse, 0.1, 3);
  expect_that_lanes_agree(SolidOnSolid(2), 16, 4, Kernel::sparse, 12.0, 4, 2);
}

}  // namespace
}  // namespace tessera::kmc
