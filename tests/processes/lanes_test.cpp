// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tessera/kmc/sequential/waiting_time.hpp>
#include <vector>

#include "processes/compile.hpp"
#include "processes/table_model.hpp"
#include "tests/io/memory_archive.hpp"
#include "tests/kmc/lanes.hpp"
#include "tests/kmc/lanes_whole.hpp"
#include "tests/processes/models.hpp"

/// What a team of many lanes makes of a model from a file: of a tile what a team of one makes of it, of a whole lattice
/// what the sequential method makes of it.
namespace tessera::kmc {

namespace {

template <class Model = processes::TableModel>
Model model_of(const std::string& text) {
  return Model(processes::compile(processes::read_model(text, "m.ini"), {}, {}, 1).tables);
}

/// Two steps, of lattices that prepare() has changed. The number of runs of the tiles, for one of a single lane.
template <class Model = processes::TableModel, class Prepare>
double expect_that_lanes_agree(const std::string& text, double step, const TeamWay& way, const Prepare& prepare,
                               int side = 12) {
  const auto model = model_of<Model>(text);
  const int halo = std::max(4, reach_of(model).narrowest_halo());
  Lattice<Model> many(model, side, halo, way);
  Lattice<Model, false> one(model, side, halo, {});
  prepare(many);
  prepare(one);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(many.advance(step), one.advance(step)) << "step " << i;
    EXPECT_EQ(many.cells(), one.cells()) << "step " << i;
  }
  EXPECT_GT(many.events, 100u);
  return static_cast<double>(many.runs) / one.runs;
}

TEST(ManyLanesOfATableModel, AdvanceATileAsOneLaneDoes) {
  for (const EventOrder order : orders) {
    expect_that_lanes_agree(zgb("3"), 0.15, {32, order}, [](auto&) {});
    expect_that_lanes_agree(two_sites(), 0.05, {32, order}, [](auto&) {});
    expect_that_lanes_agree(two_sites(), 0.05, {64, order}, [](auto&) {});
    expect_that_lanes_agree<processes::FarTableModel>(far_pairs(), 0.1, {64, order}, [](auto&) {});
    expect_that_lanes_agree<processes::FarGroupModel>(hexagonal_hops(), 0.1, {64, order}, [](auto&) {});
    expect_that_lanes_agree<processes::FarGroupModel>(zgb() + far_conditions(false), 0.1, {64, order}, [](auto&) {});
    expect_that_lanes_agree<processes::FarGroupModel>(square_clusters(), 0.1, {64, order}, [](auto&) {});
  }
}

// An event makes others within one tick of the keys.
TEST(ManyLanesOfAStiffModel, SettleTiesAtOnce) {
  const auto begin_late = [](auto& lattice) { lattice.begin_at(8); };  // at time 0 the ticks are coarser
  EXPECT_LT(expect_that_lanes_agree(zgb("1e8"), 0.4, {64}, begin_late, 24), 1.5);
  EXPECT_LT(expect_that_lanes_agree(zgb("1e10"), 0.4, {64}, begin_late, 24), 1.5);
  const auto far = far_pairs("1e10");
  EXPECT_LT((expect_that_lanes_agree<processes::FarTableModel>(far, 0.4, {64}, begin_late, 24)), 1.5);
  const auto further = zgb("1e10") + far_conditions(false);
  EXPECT_LT((expect_that_lanes_agree<processes::FarGroupModel>(further, 0.4, {64}, begin_late, 24)), 1.5);
}

TEST(ManyLanesOfAStiffModel, AdvanceEventsWithTheSameTimeInTheOrderOfOneLane) {
  for (const double apart : {0.5, 0x1p-51})  // the second apart by less than a key
  {
    const auto tie = [&](auto& lattice) { lattice.tie(apart); };
    expect_that_lanes_agree(zgb("1e10"), 1.1, {32}, tie);
    expect_that_lanes_agree<processes::FarTableModel>(far_pairs("1e10"), 1.1, {32}, tie, 18);
    expect_that_lanes_agree<processes::FarGroupModel>(hexagonal_hops(), 1.1, {32}, tie, 18);
  }
}

/// The same rates with epochs that do not end here: steps of a team by themselves do not enter epochs.
template <class Model>
struct InOneEpoch : Model {
  double largest_rate() const { return 1; }
  InOneEpoch at_window(std::int64_t window) const { return {Model::at_window(window)}; }
};
template <class Model>
WaitingTimeSimulation<InOneEpoch<Model>> reference(const Parameters& p, const Model& model) {
  return WaitingTimeSimulation<InOneEpoch<Model>>(p, InOneEpoch<Model>{model});
}

/// Rows of 3, 4 and 5 blocks.
template <class Model>
void expect_whole_lattices(const Model& model) {
  std::uint64_t accepted = 0, rejected = 0;
  for (const int side : {12, 16, 20}) {
    if (!fits_whole(side, 64, reach_of(model))) continue;
    const Parameters p = lattice(side, side, static_cast<std::uint64_t>(side));
    auto expected = reference(p, model);
    expected.advance(6);
    for (const EventOrder order : orders) {
      SCOPED_TRACE("side " + std::to_string(side) + ", order " + std::to_string(static_cast<int>(order)));
      Snapshot<Model> result;
      const StepState done = run_whole(p, model, {64, order}, 0.2, 6, result);
      expect_equal(result, snapshot<Model>(expected));
      EXPECT_GT(done.events, 300u);
      accepted += done.accepted;
      rejected += done.rejected;
    }
  }
  EXPECT_LT(20 * rejected, accepted);
}
TEST(ManyLanesOfAStiffModel, AdvanceAWholeLatticeAsTheSequentialMethodDoes) {
  expect_whole_lattices(model_of(zgb("1e10")));
  expect_whole_lattices(model_of<processes::FarTableModel>(far_pairs("1e10")));
  expect_whole_lattices(model_of<processes::FarGroupModel>(hexagonal_hops()));
  expect_whole_lattices(model_of<processes::FarGroupModel>(zgb("1e10") + far_conditions(false)));
}

// Half of the events of a process are rejected at the end of the window.
TEST(ManyLanesOfAModelThatChangesInTime, RejectTheSameEventsAsOneLane) {
  const auto changing = [](const std::string& rate) { return rate + "*(1 - 0.05*time)"; };
  for (const EventOrder order : orders) {
    expect_that_lanes_agree<processes::FarTableModel>(far_pairs(changing("1.2")), 0.1, {64, order}, [](auto&) {});
    expect_that_lanes_agree<processes::FarGroupModel>(hexagonal_hops(changing("1.1")), 0.1, {64, order}, [](auto&) {});
    expect_that_lanes_agree<processes::FarGroupModel>(zgb(changing("3")) + far_conditions(false), 0.1, {64, order},
                                                      [](auto&) {});
  }
  expect_whole_lattices(model_of<processes::FarTableModel>(far_pairs(changing("1.2"))));
  expect_whole_lattices(model_of<processes::FarGroupModel>(hexagonal_hops(changing("1.1"))));
}

// The states are not in the scratch memory, which has room for more cells.
TEST(ManyLanesOfAModelThatKeepsSums, AdvanceTheLargestLatticeAsTheSequentialMethodDoes) {
  const auto model = model_of<processes::FarGroupModel>(zgb() + far_conditions(false));
  int side = 72;
  while (fits_whole(side + 4, 64, event_reach<processes::FarGroupModel>)) side += 4;
  EXPECT_GE(side, 100);
  const Parameters p = lattice(side, side, 5);
  auto expected = reference(p, model);
  expected.advance(0.2);
  Snapshot<processes::FarGroupModel> result;
  EXPECT_GT(run_whole(p, model, {64}, 0.05, 0.2, result).events, 1000u);
  expect_equal(result, snapshot<processes::FarGroupModel>(expected));
}

/// Next to the last column of an odd number of blocks stands the first one, which has equal keys, too.
template <class Model>
void expect_whole_lattices_with_the_same_keys(const Model& model) {
  for (const int side : {12, 16, 20}) {
    if (!fits_whole(side, 64, reach_of(model))) continue;
    SCOPED_TRACE("side " + std::to_string(side));
    const Parameters p = lattice(side, side);
    auto expected = reference(p, model);
    io::MemoryArchive start;
    expected.save(start);
    std::vector<double>& times = start.values<double>("waiting_time");
    for (std::size_t i = 0; i < times.size(); ++i) times[i] = 1 + 0x1p-51 * static_cast<double>(hash(1, i) % 5);
    expected.load(start);
    expected.advance(1.25);
    Snapshot<Model> result;
    run_whole(p, model, {64}, 1.25, 1.25, result, times);
    expect_equal(result, snapshot<Model>(expected));
  }
}
TEST(ManyLanesOfAStiffModel, AdvanceEventsOfAWholeLatticeWithTheSameKeys) {
  expect_whole_lattices_with_the_same_keys(model_of(zgb("1e10")));
  expect_whole_lattices_with_the_same_keys(model_of<processes::FarTableModel>(far_pairs("1e10")));
  expect_whole_lattices_with_the_same_keys(model_of<processes::FarGroupModel>(zgb("1e10") + far_conditions(false)));
}

}  // namespace
}  // namespace tessera::kmc
