// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/compile.hpp"

#include <gmock/gmock.h>

#include <string>

#include "tests/complaint.hpp"
#include "tests/processes/models.hpp"

namespace tessera::processes {
namespace {

/// A model with these lines after [Initial], line 27, on a lattice of 30 x 20.
std::string starting_with(const std::string& lines, const std::string& name = "") {
  return square_lattice() + "[Initial" + name + "]\n" + lines + process("p", "1", "CO@a", "empty@a");
}
StartRegion region_where(const std::string& where) {
  const ModelFile model = read_model(starting_with("where = " + where + "\nCO@a = 0.5\n"), "m.ini");
  return compile(model, {}).tables.start.front().region.within(30, 20);
}
std::string about_start(const std::string& lines) {
  return complaint([&] {
    const ModelFile model = read_model(starting_with(lines), "m.ini");
    check_start(model, compile(model, {}).tables, 30, 20);
  });
}

TEST(Initial, RegionsContainTheCellsOfTheirConditions) {
  const auto sides = [](const std::string& where) {
    const StartRegion its = region_where(where);
    return std::vector<int>{its.x.from, its.x.to, its.y.from, its.y.to};
  };
  using Sides = std::vector<int>;
  EXPECT_EQ(sides("x < 10 and y > 15"), (Sides{0, 10, 16, 20}));
  EXPECT_EQ(sides("2.5 <= x < 4*k and y <= k"), (Sides{3, 10, 0, 3}));
  EXPECT_EQ(sides("7 > x >= 2 and 3 == y"), (Sides{2, 7, 3, 4}));
  EXPECT_EQ(sides("x > -5 and x <= 1e300"), (Sides{0, 30, 0, 20}));
  EXPECT_EQ(region_where("x > 3 and x < 2").cells(), 0u);
  EXPECT_EQ(region_where("x == 2.5").cells(), 0u);
  EXPECT_EQ(region_where("x < 10 and y > 15").cells(), 40u);
}

TEST(Initial, ReportsErrorsWithLineAndRemedy) {
  const std::string remedy = ": must be comparisons of x or y with numbers, such as `x < 10 and y >= 20`";
  for (const std::string where : {"10", "x", "x <> 3", "x = 3", "x << 3", "z < 3", "x < 3 or y < 2"})
    EXPECT_THAT(about_start("where = " + where + "\nCO@a = 1\n"), ::testing::StartsWith("m.ini line 28: where: '"))
        << where;
  EXPECT_EQ(about_start("where = x < 3 and 7\nCO@a = 1\n"), "m.ini line 28: where: '7'" + remedy);
  EXPECT_EQ(about_start("CO@a.(1,0,0) = 1\n"),
            "m.ini line 28: 'CO@a.(1,0,0)': must be sites of one unit cell, without offset");
  EXPECT_EQ(about_start("CO@a + O@a = 1\n"), "m.ini line 28: 'O@a': this site is already given");
  EXPECT_EQ(about_start("CO = 1\n"), "m.ini line 28: 'CO': must be `Species@site = part of the sites`");
  EXPECT_EQ(about_start("CO@a = number 2.5\n"),
            "m.ini line 28: CO@a: is 2.5; a number of cells must be whole and not negative");
  EXPECT_EQ(about_start("CO@a = 0.5\nO@a = probability 0.1\n"),
            "m.ini line 29: O@a: is 0.1; a probability cannot stand beside parts or numbers of the same sites");
  EXPECT_EQ(about_start("CO@a = probability 0.5\nO@a = probability 0.6\n"),
            "m.ini line 29: O@a: is 0.6; the parts of a site must not be negative, and their sum must be at most 1");
  EXPECT_EQ(about_start("CO@a = number 600\n"), "");
  EXPECT_EQ(about_start("CO@a = number 600\nO@a = number 1\n"),
            "m.ini line 27: [Initial]: 601 cells are to hold species, of 600 cells of the lattice of 30 x 20");
  EXPECT_EQ(about_start("where = x >= 30\nCO@a = 1\n"),
            "m.ini line 28: where: holds for no cell of the lattice of 30 x 20");
}

}  // namespace
}  // namespace tessera::processes
