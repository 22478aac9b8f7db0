// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <tessera/kmc/initial_state.hpp>
#include <tessera/kmc/kernels/advance_replica.hpp>
#include <tessera/kmc/kernels/advance_tile.hpp>
#include <tessera/kmc/models.hpp>
#include <type_traits>
#include <vector>

#include "tests/kmc/emulated_team.hpp"
#include "tests/kmc/exactness.hpp"
#include "tests/kmc/own_models.hpp"

/// What a team of many lanes makes of a tile is what a team of one makes of it.
namespace tessera::kmc {
namespace {

using ::tessera::testing::EmulatedLanes;
using ::tessera::testing::EmulatedTeam;
using Host = Kokkos::DefaultHostExecutionSpace;

/// How a team goes about a tile; of one lane, always in the same way.
struct TeamWay {
  EventOrder order = EventOrder::local;
  bool on_threads = false;  ///< one to a lane
  bool halo_counts = true;  ///< see AdvanceTile::run()
};

/// The steps of a lattice of 3 x 2 tiles, made by teams of so many lanes, without check: the front buffer decides alone
/// what a tile makes of it. Every other tile has its streams near.
template <Model M, int Lanes>
class Lattice {
 public:
  Lattice(const M& model, int tile, int halo, const TeamWay& way, std::uint64_t seed = 5)
      : halo_(halo),
        way_(way),
        state_(Geometry{3 * tile, 2 * tile, tile, 3, 2, 1}),
        work_{state_, model, way.order},
        scratch_((ScratchBytes(tile, halo, Lanes, true).first + ScratchBytes(tile, halo, Lanes).second) / 16 + 4) {
    state_.streams.seed(Host(), seed, 0, static_cast<std::size_t>(state_.geometry.sites()));
    start_cells(Host(), state_, model, seed);
  }

  /// Gives all cells one of a few waiting times, from 1 on: `apart` from each other, of which nearest numbers are
  /// 2^-52.
  void tie(double apart) {
    for (int y = 0; y < state_.geometry.ny; ++y)
      for (int x = 0; x < state_.geometry.nx; ++x)
        state_.times(state_.index(0, y * state_.geometry.nx + x)) =
            1 + apart * static_cast<double>(hash(1, 100 * y + x) % 5);
  }

  /// The time of cell (x, y)'s next event, `offset` units in the last place after the present time.
  void put(int x, int y, std::uint64_t offset) {
    state_.times(state_.front(0, y * state_.geometry.nx + x)) =
        Kokkos::bit_cast<double>(Kokkos::bit_cast<std::uint64_t>(time_) + offset);
  }

  /// An accepted step of length `step`; what the tiles have reported.
  std::vector<std::uint64_t> advance(double step) {
    const std::vector<std::uint64_t> reports = run_tiles(step, [](int) { return false; });
    accept();
    time_ += step;
    return reports;
  }

  /// What the tiles report of a step of length `step`, checksums and all.
  std::vector<std::uint64_t> run_tiles(double step, const std::function<bool(int)>& skip) {
    std::vector<std::uint64_t> reports;
    for (int tile = 0; tile < 6; ++tile) {
      std::vector<std::uint64_t> checksums(kmc::checksums<M>);
      const TileReport report = run(tile, time_ + step, checksums.data(), skip);
      events += report.too_long ? 0 : report.events;
      runs += report.runs;
      too_long += report.too_long;
      if (report.too_long) continue;
      reports.insert(reports.end(), checksums.begin(), checksums.end());
      reports.insert(reports.end(), {report.events, Kokkos::bit_cast<std::uint64_t>(report.last_event), report.touched,
                                     report.too_long});
    }
    return reports;
  }

  /// Makes what the tiles have written the present.
  void accept() {
    if (Lanes > 1)
      state_.swapped(0) = 1 - state_.swapped(0);
    else
      for (int tile = 0; tile < 6; ++tile) state_.commit(0, tile);
  }

  /// Those of one tile.
  std::vector<std::uint64_t> cells_of(int tile) const {
    const std::vector<std::uint64_t> all = cells();
    const int side = state_.geometry.tile, first = (tile / 3 * side * 3 + tile % 3) * side;
    std::vector<std::uint64_t> result;
    for (int y = 0; y < side; ++y) {
      const auto row = all.begin() + std::ptrdiff_t{3} * (first + y * state_.geometry.nx);
      result.insert(result.end(), row, row + std::ptrdiff_t{3} * side);
    }
    return result;
  }

  /// States, waiting times and generators of all cells.
  std::vector<std::uint64_t> cells() const {
    std::vector<std::uint64_t> result;
    for (int y = 0; y < state_.geometry.ny; ++y)
      for (int x = 0; x < state_.geometry.nx; ++x) {
        const std::size_t i = state_.front(0, y * state_.geometry.nx + x);
        result.insert(result.end(), {static_cast<std::uint64_t>(state_.states(i)),
                                     Kokkos::bit_cast<std::uint64_t>(state_.times(i)), state_.streams.states()(i)});
      }
    return result;
  }

  std::uint64_t events = 0;  ///< of all tiles, so far
  int runs = 0;              ///< likewise
  int too_long = 0;          ///< tiles that have found a step so

 private:
  TileReport run(int tile, double end, std::uint64_t* checksums, const std::function<bool(int)>& skip) {
    return tile % 2 == 1 && Lanes > 1 ? run<true>(tile, end, checksums, skip) : run<false>(tile, end, checksums, skip);
  }
  template <bool near>
  TileReport run(int tile, double end, std::uint64_t* checksums, const std::function<bool(int)>& skip) {
    auto* const first = reinterpret_cast<char*>(scratch_.data());
    const ScratchBytes bytes(state_.geometry.tile, halo_, Lanes, near);
    const TileScratch scratch{first, first + (bytes.first + 15) / 16 * 16};
    TileReport report;
    EmulatedTeam<Lanes>::run(
        [&](const EmulatedTeam<Lanes>& team) {
          const TileReport its = work_.template run<near>(team, scratch, 0, tile, halo_, time_, end, checksums,
                                                          skip(team.team_rank()), way_.halo_counts);
          if (team.team_rank() == 0) report = its;
        },
        way_.on_threads);
    return report;
  }

  int halo_;
  TeamWay way_;
  State<Kokkos::HostSpace, M> state_;
  AdvanceTile<EmulatedLanes<Lanes>, M> work_;
  double time_ = 0;
  struct alignas(16) Block {
    std::byte bytes[16];
  };
  std::vector<Block> scratch_;
};

/// What a test wants to have seen.
struct Seen {
  std::uint64_t events = 0;
  int runs = 0, runs_of_one = 0;
};

/// The steps of many lanes and of one; `apart`: see Lattice::tie(), 0 for the waiting times of the model.
template <int Lanes, Model M>
Seen expect_that_lanes_agree(const M& model, int tile, int halo, const TeamWay& way, double step, int steps,
                             double apart = 0) {
  SCOPED_TRACE(std::to_string(Lanes) + " lanes, tile " + std::to_string(tile) + ", halo " + std::to_string(halo) +
               ", step " + std::to_string(step) + ", order " + std::to_string(static_cast<int>(way.order)));
  Lattice<M, Lanes> many(model, tile, halo, way);
  Lattice<M, 1> one(model, tile, halo, {});
  if (apart > 0) {
    many.tie(apart);
    one.tie(apart);
  }
  for (int i = 0; i < steps; ++i) {
    EXPECT_EQ(many.advance(step), one.advance(step)) << "step " << i;
    EXPECT_EQ(many.cells(), one.cells()) << "step " << i;
    if (::testing::Test::HasFailure()) break;
  }
  return {many.events, many.runs, one.runs};
}

/// Teams of many lanes take long on a host: those of more than two warps are not tried in every order.
template <class Lanes>
class ManyLanes : public ::testing::Test {
 protected:
  static std::vector<EventOrder> orders() {
    if (Lanes::value > 64) return {EventOrder::local};
    return {EventOrder::local, EventOrder::in_parts, EventOrder::one_by_one};
  }
};
template <int N>
using Number = std::integral_constant<int, N>;
using Numbers = ::testing::Types<Number<32>, Number<64>, Number<128>, Number<256>>;
struct NumberNames {
  template <class Lanes>
  static std::string GetName(int) {
    return std::to_string(Lanes::value);
  }
};
TYPED_TEST_SUITE(ManyLanes, Numbers, NumberNames);

TYPED_TEST(ManyLanes, AdvanceATileOneByOneAsOneLaneDoes) {
  constexpr int lanes = TypeParam::value;
  const TeamWay one_by_one{EventOrder::one_by_one};
  EXPECT_GT(expect_that_lanes_agree<lanes>(SolidOnSolid(1), 8, 4, one_by_one, 2.0, 2).events, 50u);
  EXPECT_GT(expect_that_lanes_agree<lanes>(testing::Species(), 8, 3, one_by_one, 0.3, 1).events, 50u);
}

TYPED_TEST(ManyLanes, AdvanceATileSeveralAtOnceAsOneLaneDoes) {
  constexpr int lanes = TypeParam::value;
  for (const EventOrder order : {EventOrder::local, EventOrder::in_parts}) {
    const TeamWay way{order};
    EXPECT_GT(expect_that_lanes_agree<lanes>(SolidOnSolid(0), 16, 4, way, 0.2, 2).events, 300u);
    EXPECT_GT(expect_that_lanes_agree<lanes>(SolidOnSolid(1), 8, 4, way, 2.0, 2).events, 50u);
    EXPECT_GT(expect_that_lanes_agree<lanes>(testing::Species(), 8, 3, way, 0.3, 2).events, 50u);
    EXPECT_GT(expect_that_lanes_agree<lanes>(Ising(0.4, 0), 32, 6, way, 0.1, 2).events, 300u);
  }
}

// The windows reach over both ends of the lattice, where the order of the sites is not that of the window's cells.
TYPED_TEST(ManyLanes, AdvanceEventsWithTheSameTimeInTheOrderOfOneLane) {
  constexpr int lanes = TypeParam::value;
  for (const EventOrder order : TestFixture::orders())
    for (const double apart : {0.5, 0x1p-51}) {  // the second apart by less than a key
      const TeamWay way{order};
      EXPECT_GT(expect_that_lanes_agree<lanes>(SolidOnSolid(1), 8, 4, way, 1.25, 1, apart).events, 50u);
      EXPECT_GT(expect_that_lanes_agree<lanes>(testing::Species(), 8, 3, way, 1.25, 1, apart).events, 50u);
    }
}

// The keys of two cells are the same, and what is left of their times is not: if the first run has performed their
// events in the wrong order, the second performs them in the other one. The cells are the tile's own: their order
// counts whether that in the halo does or not.
TYPED_TEST(ManyLanes, OrderTwoEventsWithTheSameKeyInTwoRuns) {
  constexpr int lanes = TypeParam::value, x = 7, y = 9;
  constexpr std::uint64_t early = std::uint64_t{1} << 51, late = early + (1 << 20);
  constexpr int offsets[][2] = {{1, 0}, {0, 1}, {1, 1}, {2, 0}, {-1, 1}};
  for (const bool halo_counts : {true, false}) {
    int runs = 0;
    for (int i = 0; i < 10; ++i) {
      const auto [dx, dy] = offsets[i / 2];
      const bool first = i % 2 == 0;
      Lattice<SolidOnSolid, lanes> many(SolidOnSolid(0), 16, 4, {EventOrder::local, false, halo_counts});
      Lattice<SolidOnSolid, 1> one(SolidOnSolid(0), 16, 4, {});
      many.advance(0.0625);
      one.advance(0.0625);
      many.runs = 0;
      const auto tie = [&](auto& lattice) {
        lattice.put(x, y, first ? early : late);
        lattice.put(x + dx, y + dy, first ? late : early);
        return lattice.advance(0.0625);
      };
      EXPECT_EQ(tie(many), tie(one)) << dx << ' ' << dy;
      EXPECT_EQ(many.cells(), one.cells()) << dx << ' ' << dy;
      EXPECT_LE(many.runs, 7) << dx << ' ' << dy;
      runs += many.runs;
    }
    EXPECT_GT(runs, 60) << halo_counts;
  }
}

TYPED_TEST(ManyLanes, GiveUpAStepThatIsTooLongAsOneLaneDoes) {
  constexpr int lanes = TypeParam::value;
  for (const EventOrder order : TestFixture::orders()) {
    Lattice<testing::Species, lanes> many(testing::Species(), 2, 2, {order});
    Lattice<testing::Species, 1> one(testing::Species(), 2, 2, {});
    many.advance(1e5);
    one.advance(1e5);
    EXPECT_EQ(many.too_long, 6);
    EXPECT_EQ(one.too_long, 6);
  }
}

// Lanes may differ in what they have read: then one of them decides for all. A step that has been skipped is not
// accepted.
TYPED_TEST(ManyLanes, SkipATileTogether) {
  constexpr int lanes = TypeParam::value;
  const SolidOnSolid model(1);
  Lattice<SolidOnSolid, 1> one(model, 8, 3, {});
  const auto skipped = one.cells(), reports_of_skipped = one.run_tiles(1, [](int) { return true; });
  one.accept();
  EXPECT_EQ(one.cells(), skipped);
  const auto reports_of_advanced = one.advance(1), advanced = one.cells();
  ASSERT_NE(skipped, advanced);
  const auto cells_after = [&](const std::function<bool(int)>& skip) {
    Lattice<SolidOnSolid, lanes> many(model, 8, 3, {});
    const auto reports = many.run_tiles(1, skip);
    const bool is_advanced = reports == reports_of_advanced;
    EXPECT_TRUE(is_advanced || reports == reports_of_skipped);
    if (is_advanced) many.accept();
    EXPECT_EQ(many.cells(), is_advanced ? advanced : skipped);
    return many.cells();
  };
  EXPECT_EQ(cells_after([](int) { return true; }), skipped);
  EXPECT_EQ(cells_after([](int) { return false; }), advanced);
  for (int turn = 0; turn < 3; ++turn) {
    const auto cells = cells_after([&](int rank) { return rank % 3 == turn; });
    EXPECT_TRUE(cells == skipped || cells == advanced) << turn;
  }
}

// The tiles without events among them are copied to the other buffer once, and stand there until they have some.
TYPED_TEST(ManyLanes, AdvanceStepsOfFewEventsAsOneLaneDoes) {
  constexpr int lanes = TypeParam::value;
  EXPECT_GT(expect_that_lanes_agree<lanes>(SolidOnSolid(0), 5, 3, {}, 0.005, 20).events, 5u);
  EXPECT_GT(expect_that_lanes_agree<lanes>(SolidOnSolid(1), 8, 2, {}, 0.05, 20).events, 5u);
}

TYPED_TEST(ManyLanes, AdvanceWindowsOfManySizesAsOneLaneDoes) {
  constexpr int lanes = TypeParam::value;
  EXPECT_GT(expect_that_lanes_agree<lanes>(SolidOnSolid(2), 16, 4, {}, 12.0, 4).events, 50u);
  EXPECT_GT(expect_that_lanes_agree<lanes>(SolidOnSolid(1), 8, 8, {}, 2.0, 3).events, 50u);
  EXPECT_GT(expect_that_lanes_agree<lanes>(SolidOnSolid(0), 5, 3, {}, 0.5, 3).events, 50u);
  EXPECT_GT(expect_that_lanes_agree<lanes>(testing::Species(), 7, 2, {}, 0.1, 3).events, 50u);
}

TEST(LanesOnThreads, AdvanceATileAsOneLaneDoes) {
  const TeamWay way{EventOrder::local, true};
  EXPECT_GT(expect_that_lanes_agree<32>(SolidOnSolid(1), 8, 3, way, 1.0, 2).events, 20u);
}

struct KeepNoRecord {
  KOKKOS_FUNCTION void operator()(int, const StepRecord&) const {}
};

/// A replica of one window, run to `stop` or to its wanted number of events by a team of so many lanes; its step
/// control begins with `step`.
template <int Lanes, Model M>
StepState run_whole(const Parameters& p, const M& model, const TeamWay& way, double step, double stop,
                    Snapshot<M>& result) {
  State<Kokkos::HostSpace, M> state(Geometry{p.nx, p.ny, p.nx, 1, 1, 1});
  const auto cells = static_cast<std::size_t>(state.geometry.sites());
  state.streams.seed(Host(), p.seed, 0, cells);
  start_cells(Host(), state, model, p.seed);
  TileSizes sizes;
  sizes.tile = p.nx;
  const StepRules rules(p, sizes, 1, events_goal(p));
  const AdvanceReplica<EmulatedLanes<Lanes>, M> work{state, model, rules, way.order};
  const ScratchBytes bytes(p.nx, 0, Lanes);
  std::vector<std::max_align_t> scratch((bytes.first + bytes.second) / sizeof(std::max_align_t) + 4);
  auto* const first = reinterpret_cast<char*>(scratch.data());
  StepState done;
  done.step = step;
  done.stop = stop;
  done.ceiling = forever;
  rules.aim(done);
  const StepState begin = done;
  EmulatedTeam<Lanes>::run(
      [&](const EmulatedTeam<Lanes>& team) {
        StepState its = begin;
        work.run(team, {first, first + (bytes.first + 15) / 16 * 16}, 0, 1 << 20, its, KeepNoRecord());
        if (team.team_rank() == 0) done = its;
      },
      way.on_threads);
  result = {{done.time},
            {done.events},
            {state.states.data(), state.states.data() + cells},
            {state.times.data(), state.times.data() + cells},
            {state.streams.states().data(), state.streams.states().data() + cells}};
  return done;
}

template <int Lanes, Model M>
StepState expect_whole(Parameters p, const M& model, const TeamWay& way, double step, double stop = forever) {
  SCOPED_TRACE(std::to_string(Lanes) + " lanes, side " + std::to_string(p.nx) + ", order " +
               std::to_string(static_cast<int>(way.order)));
  Snapshot<M> result;
  const StepState done = run_whole<Lanes>(p, model, way, step, stop, result);
  expect_equal(result, sequential(p, model, stop));
  return done;
}

TYPED_TEST(ManyLanes, AdvanceAWholeLatticeAsTheSequentialMethodDoes) {
  constexpr int lanes = TypeParam::value;
  for (const EventOrder order : TestFixture::orders()) {
    const TeamWay way{order};
    EXPECT_GT(expect_whole<lanes>(lattice(12, 12), SolidOnSolid(1), way, 0.1, 8).events, 50u);
    EXPECT_GT(expect_whole<lanes>(lattice(24, 24, 7), SolidOnSolid(0), way, 0.1, 1).events, 300u);
    EXPECT_GT(expect_whole<lanes>(up_to_event(lattice(16, 16, 3), 301), testing::Species(), way, 0.2).events, 300u);
  }
  const StepState done = expect_whole<lanes>(up_to_event(lattice(40, 40), 2500), SolidOnSolid(2), {}, 4);
  EXPECT_EQ(done.events, 2500u);
}

// With steps that are far too long: what is out of order has to be seen, and never kept.
TYPED_TEST(ManyLanes, RejectStepsOfAWholeLatticeThatAreOutOfOrder) {
  constexpr int lanes = TypeParam::value;
  std::uint64_t rejected = 0;
  for (int seed = 1; seed <= 4; ++seed) {
    rejected += expect_whole<lanes>(lattice(24, 24, seed), SolidOnSolid(1), {}, 8, 8).rejected;
    rejected += expect_whole<lanes>(lattice(24, 24, seed), testing::Species(), {}, 2, 2).rejected;
  }
  EXPECT_GE(rejected, 4u);
}

TEST(OneLane, AdvancesAWholeLatticeAsTheSequentialMethodDoes) {
  EXPECT_GT(expect_whole<1>(lattice(13, 13), SolidOnSolid(1), {}, 0.1, 8).events, 50u);
  EXPECT_GT(expect_whole<1>(lattice(7, 7), testing::Species(), {}, 0.1, 4).events, 100u);
  EXPECT_GT(expect_whole<1>(up_to_event(lattice(64, 64), 3001), SolidOnSolid(2), {}, 4).events, 3000u);
}

/// Steps so long that chains of events overtake others in many tiles. In the first, from time 0 on, many times look
/// alike.
TYPED_TEST(ManyLanes, AgreeWhereManyRedrawsAreOutOfOrder) {
  constexpr int lanes = TypeParam::value;
  Seen seen;
  const auto add = [&](const Seen& more) {
    seen.events += more.events;
    seen.runs += more.runs;
    seen.runs_of_one += more.runs_of_one;
  };
  add(expect_that_lanes_agree<lanes>(SolidOnSolid(1), 16, 6, {}, 3.0, 2));
  add(expect_that_lanes_agree<lanes>(SolidOnSolid(2), 16, 6, {}, 60.0, 2));
  add(expect_that_lanes_agree<lanes>(testing::Species(), 16, 6, {}, 1.0, 2));
  EXPECT_GT(seen.events, 1000u);
  EXPECT_GT(seen.runs, 4 * seen.runs_of_one / 3);
}

// The order of events in the halo may be left to the comparison of tiles: a tile then has seen something else happen in
// the ring around it, or is as it should be.
TYPED_TEST(ManyLanes, AgreeWhereTheRingDoesWhateverTheOrderInTheHalo) {
  constexpr int lanes = TypeParam::value;
  int runs = 0, runs_if_halo_counts = 0, agree = 0;
  const auto add = [&](const auto& model, double step, std::uint64_t seed) {
    using M = std::remove_cvref_t<decltype(model)>;
    Lattice<M, lanes> many(model, 16, 6, {EventOrder::local, false, false}, seed), strict(model, 16, 6, {}, seed);
    Lattice<M, 1> one(model, 16, 6, {}, seed);
    const auto advanced = many.advance(step), expected = one.advance(step);
    EXPECT_EQ(strict.advance(step), expected);
    runs += many.runs;
    runs_if_halo_counts += strict.runs;
    constexpr std::ptrdiff_t ring = sides<M>, own_end = 2 * sides<M>, length = own_end + 4;
    ASSERT_EQ(advanced.size(), expected.size());
    ASSERT_EQ(advanced.size(), std::size_t{6 * length});
    for (int tile = 0; tile < 6; ++tile) {
      const auto its = advanced.begin() + tile * length, wanted = expected.begin() + tile * length;
      if (!std::equal(its + ring, its + own_end, wanted + ring)) continue;
      ++agree;
      EXPECT_TRUE(std::equal(its, its + length, wanted)) << "tile " << tile << ", seed " << seed;
      EXPECT_EQ(many.cells_of(tile), one.cells_of(tile)) << "tile " << tile << ", seed " << seed;
    }
  };
  for (std::uint64_t seed = 1; seed <= (lanes > 64 ? 2 : 5); ++seed) {
    add(SolidOnSolid(1), 3.0, seed);
    add(testing::Species(), 1.0, seed);
  }
  EXPECT_LT(runs, runs_if_halo_counts);
  EXPECT_GT(agree, 12);
}

}  // namespace
}  // namespace tessera::kmc
