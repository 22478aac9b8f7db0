// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/belongs.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/complaint.hpp"
#include "tests/processes/models.hpp"

namespace tessera::processes {
namespace {

using ::tessera::testing::complaint;
using ::tessera::testing::process;
using ::tessera::testing::square_lattice;

std::size_t copies(const std::string& conditions, const std::string& actions, int orientations) {
  const ModelFile model = read_model(
      square_lattice() + process("p", "1", conditions, actions, "orientations = " + std::to_string(orientations)),
      "m.ini");
  return oriented(model, model.processes[0]).size();
}

TEST(Orientations, AreTheDistinctCopiesOfAProcess) {
  EXPECT_EQ(copies("CO@a + O@a.(1,0,0)", "empty@a + empty@a.(1,0,0)", 4), 4u);
  EXPECT_EQ(copies("CO@a + O@a.(1,0,0)", "empty@a + empty@a.(1,0,0)", 2), 2u);
  // A pair of the same species is the same from both ends.
  EXPECT_EQ(copies("O@a + O@a.(1,0,0)", "empty@a + empty@a.(1,0,0)", 4), 2u);
  EXPECT_EQ(copies("O@a + O@a.(1,0,0)", "empty@a + empty@a.(1,0,0)", 2), 1u);
  EXPECT_EQ(copies("CO@a", "empty@a", 8), 1u);
  EXPECT_EQ(copies("CO@a + O@a.(1,0,0) + O@a.(0,1,0)", "empty@a + O@a.(1,0,0) + O@a.(0,1,0)", 8), 4u);
  EXPECT_EQ(copies("CO@a + O@a.(1,0,0) + O@a.(1,1,0)", "empty@a", 8), 8u);
}

TEST(Orientations, TurnAProcessAboutTheSiteOfItsFirstCondition) {
  const ModelFile model =
      read_model(square_lattice() + process("p", "1", "CO@a.(2,1,0) + O@a.(3,1,0)", "empty@a.(2,1,0) + empty@a.(3,1,0)",
                                            "orientations = 4"),
                 "m.ini");
  std::set<std::pair<int, int>> oxygen;
  for (const Process& copy : oriented(model, model.processes[0])) {
    EXPECT_EQ(copy.conditions[0].at, (LatticeSite{2, 1, 0}));
    EXPECT_EQ(copy.actions[1].at, copy.conditions[1].at);
    oxygen.emplace(copy.conditions[1].at.dx, copy.conditions[1].at.dy);
  }
  EXPECT_EQ(oxygen, (std::set<std::pair<int, int>>{{3, 1}, {2, 2}, {1, 1}, {2, 0}}));
}

// Of a honeycomb lattice in a rhombic unit cell, with positions to three decimals.
TEST(Orientations, TurnByMultiplesOf60Degrees) {
  std::string text = square_lattice();
  const auto begin = text.find("cell_size =");
  text.replace(begin, text.find('\n', begin) - begin, "cell_size = 1 0 0 0.5 0.866 0 0 0 1");
  text.replace(text.find("site a = (0.5, 0.5, 0.5)"), 24, "site b = (0.667, 0.667, 0)\nsite a = (0.333, 0.333, 0)");
  const auto places = [&](int orientations, const std::string& second) {
    const ModelFile model = read_model(
        text + process("p", "1", "CO@a + O@" + second, "empty@a", "orientations = " + std::to_string(orientations)),
        "m.ini");
    std::set<LatticeSite> found;
    for (const Process& copy : oriented(model, model.processes[0])) found.insert(copy.conditions[1].at);
    return found;
  };
  EXPECT_EQ(places(3, "b"), (std::set<LatticeSite>{{0, 0, 0}, {-1, 0, 0}, {0, -1, 0}}));
  EXPECT_EQ(places(6, "a.(1,0,0)"),
            (std::set<LatticeSite>{{1, 0, 1}, {0, 1, 1}, {-1, 1, 1}, {-1, 0, 1}, {0, -1, 1}, {1, -1, 1}}));
  EXPECT_EQ(places(12, "a.(1,1,0)").size(), 6u);
  EXPECT_EQ(places(12, "a.(3,1,0)").size(), 12u);
}

TEST(Orientations, TakeSitesToSites) {
  std::string text = square_lattice();
  text.replace(text.find("site a = (0.5, 0.5, 0.5)"), 24, "site b = (0, 0, 0)\nsite a = (0.5, 0, 0)");
  const std::string two = process("p", "1", "CO@b + O@a", "empty@b + empty@a", "orientations = 2");
  const ModelFile model = read_model(text + two, "m.ini");
  const auto turned = oriented(model, model.processes[0]);
  ASSERT_EQ(turned.size(), 2u);
  EXPECT_EQ(turned[1].conditions[1].at, (LatticeSite{-1, 0, 1}));
  const std::string four = process("p", "1", "CO@b + O@a", "empty@b + empty@a", "orientations = 4");
  EXPECT_EQ(
      complaint([&] {
        const ModelFile wrong = read_model(text + four, "m.ini");
        oriented(wrong, wrong.processes[0]);
      }),
      "m.ini line 28: orientations of p: site a is not rotated onto another site; define each process separately");
}

}  // namespace
}  // namespace tessera::processes
