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
constexpr Lattice cells{30, 20};
std::string about_start(const std::string& lines) {
  return complaint([&] {
    const ModelFile model = read_model(starting_with(lines), "m.ini");
    check_start(model, compile(model, {}, {}, 0.1, 0, cells).tables, cells);
  });
}

/// Expects that `where` has the cells for which holds(x, y), in the order of their rows.
template <class Holds>
void expect_cells(const std::string& where, const Holds& holds) {
  const ModelFile model = read_model(starting_with("where = " + where + "\nCO@a = 0.5\n"), "m.ini");
  const Tables tables = compile(model, {}, {}, 0.1, 0, cells).tables;
  std::uint64_t before = 0;
  for (int y = 0; y < cells.ny; ++y)
    for (int x = 0; x < cells.nx; ++x) {
      const StartRow row = tables.start_rows[static_cast<std::size_t>(y)];
      const std::uint32_t* const columns = &tables.start_columns[row.first + static_cast<std::size_t>(x)];
      ASSERT_EQ(row.before + columns[0], before) << where << " " << x << " " << y;
      ASSERT_EQ(columns[1] - columns[0], holds(x, y) ? 1u : 0u) << where << " " << x << " " << y;
      before += holds(x, y) ? 1 : 0;
    }
  EXPECT_EQ(tables.start[0].cells_of(cells.nx, cells.ny), before) << where;
}

TEST(Initial, RegionsContainTheCellsOfTheirConditions) {
  expect_cells("x < 10 and y > 15", [](int x, int y) { return x < 10 && y > 15; });
  expect_cells("2.5 <= x < 4*k and y <= k", [](int x, int y) { return x > 2 && x < 10 && y <= 2; });
  expect_cells("7 > x >= 2 and 3 == y", [](int x, int y) { return x < 7 && x >= 2 && y == 3; });
  expect_cells("x > -5 and x <= 1e300", [](int, int) { return true; });
  expect_cells("x > 3 and x < 2", [](int, int) { return false; });
  expect_cells("x == 2.5", [](int, int) { return false; });
  expect_cells("x % 2 == 0 or y > 3", [](int x, int y) { return x % 2 == 0 || y > 3; });
  expect_cells("(x + y) % 2 == 0", [](int x, int y) { return (x + y) % 2 == 0; });
  expect_cells("(x < 4 or y % 3 == 1) and y < 9", [](int x, int y) { return (x < 4 || y % 3 == 1) && y < 9; });
  expect_cells("not y < 3 and x // 5 != 2 or y == 1", [](int x, int y) { return (y >= 3 && x / 5 != 2) || y == 1; });
  expect_cells("5 if y < 2 else 5 and x < 3", [](int x, int y) { return y < 2 || x < 3; });
  expect_cells("(x - 8)**2 + (y - 9)**2 < 30", [](int x, int y) { return (x - 8) * (x - 8) + (y - 9) * (y - 9) < 30; });
}

TEST(Initial, ReportsErrorsWithLineAndRemedy) {
  for (const std::string where :
       {"10", "k < 3", "x <> 3", "x = 3", "y = 3 and x < 2", "x << 3", "z < 3", "x < 3 or", "x < time", "(x < 3"})
    EXPECT_THAT(about_start("where = " + where + "\nCO@a = 1\n"), ::testing::StartsWith("m.ini line 28: where: "))
        << where;
  EXPECT_EQ(
      about_start("where = k = 7\nCO@a = 1\n"),
      "m.ini line 28: where: 'k = 7': must compare x or y, such as `x < 10 and y >= 20` or `x % 2 == 0 or y > 3`");
  EXPECT_EQ(complaint([] { compile(read_model(starting_with("where = x < 3\nCO@a = 1\n"), "m.ini"), {}); }),
            "m.ini line 28: where: requires a lattice with cells");
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
