// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <string>

#include "processes/compile.hpp"
#include "processes/table_model.hpp"
#include "tests/kmc/lanes.hpp"
#include "tests/processes/models.hpp"

/// What a team of many lanes makes of a tile of a model from a file is what a team of one makes of it.
namespace tessera::kmc {
namespace {

template <int Lanes>
void expect_that_lanes_agree(const std::string& text, double step) {
  const processes::TableModel model(processes::compile(processes::read_model(text, "m.ini"), {}).tables);
  for (const EventOrder order : {EventOrder::local, EventOrder::in_parts, EventOrder::one_by_one}) {
    Lattice<processes::TableModel, Lanes> many(model, 12, 4, {order});
    Lattice<processes::TableModel, 1> one(model, 12, 4, {});
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(many.advance(step), one.advance(step)) << "step " << i;
      EXPECT_EQ(many.cells(), one.cells()) << "step " << i;
    }
    EXPECT_GT(many.events, 100u);
  }
}

TEST(ManyLanesOfATableModel, AdvanceATileAsOneLaneDoes) {
  expect_that_lanes_agree<32>(testing::zgb("3"), 0.15);
  expect_that_lanes_agree<32>(testing::two_sites(), 0.05);
  expect_that_lanes_agree<64>(testing::two_sites(), 0.05);
}

}  // namespace
}  // namespace tessera::kmc
