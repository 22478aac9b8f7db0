// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/compile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/complaint.hpp"
#include "tests/processes/models.hpp"

namespace tessera::processes {
namespace {

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

TEST(Orientations, KeepTheHeightOfASite) {
  std::string text = square_lattice();
  text += "site above = (0.5, 0.5, 0.9)\n" +
          process("p", "1", "CO@above + O@above.(1,0,0)", "empty@above", "orientations = 4");
  const ModelFile model = read_model(text, "m.ini");
  for (const Process& copy : oriented(model, model.processes[0]))
    for (const Condition& one : copy.conditions) EXPECT_EQ(one.at.site, 1u);
}

/// "a<>b, c<>c": pairs of processes that are the reverse of each other.
std::string pairs(const std::string& text) {
  const ModelFile model = read_model(square_lattice() + text, "m.ini");
  std::vector<std::vector<Process>> copies;
  for (const Process& one : model.processes) copies.push_back(oriented(model, one));
  const auto reverse = reverses(copies);
  std::string list;
  for (std::size_t i = 0; i < copies.size(); ++i)
    if (reverse[i] && *reverse[i] >= i)
      list += (list.empty() ? "" : ", ") + model.processes[i].name + "<>" + model.processes[*reverse[i]].name;
  return list;
}

TEST(Orientations, OfAProcessAndItsReverseFormPairs) {
  const std::string up = process("up", "1", "empty@a", "CO@a"), down = process("down", "1", "CO@a", "empty@a");
  const std::string hop = "CO@a + empty@a.(1,0,0)", back = "empty@a + CO@a.(1,0,0)";
  EXPECT_EQ(pairs(up + process("O", "1", "empty@a", "O@a") + down), "up<>down");
  // A second channel has no reverse of its own.
  EXPECT_EQ(pairs(up + down + process("again", "2", "CO@a", "empty@a")), "up<>down");
  // In all directions it is its own reverse; each direction apart has that of the opposite one.
  EXPECT_EQ(pairs(process("hop", "1", hop, back, "orientations = 4")), "hop<>hop");
  EXPECT_EQ(pairs(process("hop", "1", hop, back, "orientations = 2")), "hop<>hop");
  EXPECT_EQ(pairs(process("east", "1", hop, back) + up +
                  process("west", "1", "CO@a + empty@a.(-1,0,0)", "empty@a + CO@a.(-1,0,0)")),
            "east<>west");
  EXPECT_EQ(pairs(process("east", "1", hop, back)), "");
  EXPECT_EQ(pairs(process("east", "1", hop, back) + process("four", "1", hop, back, "orientations = 4")), "four<>four");
  // Sites that stay as they are, in any order, and actions that change nothing.
  EXPECT_EQ(pairs(process("p", "1", "O@a.(0,1,0) + CO@a", "empty@a + O@a.(0,1,0)") +
                  process("q", "1", "empty@a + O@a.(0,1,0)", "CO@a")),
            "p<>q");
  EXPECT_EQ(pairs(up + process("down", "1", "CO@a + O@a.(0,1,0)", "empty@a")), "");
  // Of several species that a site may have, none is that of the reverse.
  EXPECT_EQ(pairs(up + process("clear", "1", "CO or O@a", "empty@a")), "");
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

TEST(Orientations, AreThoseOfTheCellToHalfAPartInAThousand) {
  const auto copies_in = [](const std::string& cell, int orientations) {
    std::string text = square_lattice();
    const auto begin = text.find("cell_size =");
    text.replace(begin, text.find('\n', begin) - begin, "cell_size = " + cell);
    const ModelFile model = read_model(
        text + process("p", "1", "CO@a + O@a.(1,0,0)", "empty@a", "orientations = " + std::to_string(orientations)),
        "m.ini");
    return oriented(model, model.processes[0]).size();
  };
  EXPECT_EQ(copies_in("3.5 3.5 10", 4), 4u);
  EXPECT_EQ(copies_in("1 0 0 0.5 0.866 0 0 0 1", 6), 6u);
  const std::string distorted = "the unit cell differs by more than 0.05 % from one with this symmetry";
  for (const std::string cell : {"3.5 3.5035 10", "3.5035 3.5 10", "3.5 0 0 0.0035 3.5 0 0 0 1"})
    EXPECT_THAT(complaint([&] { copies_in(cell, 4); }), ::testing::HasSubstr(distorted)) << cell;
  EXPECT_THAT(complaint([&] { copies_in("1 0 0 0.5 0.867 0 0 0 1", 6); }), ::testing::HasSubstr(distorted));
  EXPECT_THAT(complaint([&] { copies_in("3.5 3.7 10", 4); }), ::testing::HasSubstr("is not rotated onto another site"));
}

// Whatever sites a process has: on two sublattices, in a cell that is a multiple of the square, within one cell.
TEST(Orientations, AreThoseOfCellsWithSeveralSitesToHalfAPartInAThousand) {
  const auto copies_in = [](const std::string& cell, const std::string& sites, const std::string& second,
                            int orientations) {
    std::string text = square_lattice();
    const auto begin = text.find("cell_size =");
    text.replace(begin, text.find('\n', begin) - begin, "cell_size = " + cell);
    text.replace(text.find("site a = (0.5, 0.5, 0.5)"), 24, sites);
    const ModelFile model = read_model(
        text + process("p", "1", "CO@a + O@" + second, "empty@a", "orientations = " + std::to_string(orientations)),
        "m.ini");
    return oriented(model, model.processes[0]).size();
  };
  const auto expect = [&](const std::string& right, const std::string& wrong, const std::string& sites,
                          const std::string& second, int orientations) {
    EXPECT_EQ(copies_in(right, sites, second, orientations), static_cast<std::size_t>(orientations)) << right;
    EXPECT_EQ(complaint([&] { copies_in(wrong, sites, second, orientations); }),
              "m.ini line 28: orientations of p: the unit cell differs by more than 0.05 % from one with this "
              "symmetry; change cell_size or define each process separately");
  };
  const std::string centred = "site b = (0.5, 0.5, 0)\nsite a = (0, 0, 0)";
  expect("3.5 3.5 10", "3.5 3.5035 10", centred, "b", 4);
  expect("3.5 3.5 10", "3.5 0 0 0.0035 3.5 0 0 0 1", centred, "b", 4);
  expect("3.5 7 10", "3.5 7.007 10", "site b = (0, 0.5, 0)\nsite a = (0, 0, 0)", "b", 4);
  expect("1 0 0 0.5 0.866 0 0 0 1", "1 0 0 0.5 0.867 0 0 0 1", "site b = (0.667, 0.667, 0)\nsite a = (0.333, 0.333, 0)",
         "b", 3);
  // A square of sites within a cell of any shape.
  EXPECT_EQ(copies_in("2 3.1 10",
                      "site b = (0.75, 0.5, 0)\nsite c = (0.5, 0.66129, 0)\nsite d = (0.25, 0.5, 0)\n"
                      "site e = (0.5, 0.33871, 0)\nsite a = (0.5, 0.5, 0)",
                      "b", 4),
            4u);
}

TEST(Orientations, MapSitesToSites) {
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
