// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tessera/io/point_file.hpp"
#include "tessera/core/error.hpp"
#include "tests/io/io_test.hpp"
#include "tests/matchers.hpp"

namespace tessera::io::testing {
namespace {

class PointFile : public ::testing::Test {
 protected:
  std::vector<Points> read(const std::string& bytes, std::int64_t row = -1) const {
    write_bytes(path, bytes);
    PointSelection selection;
    selection.row = row;
    return read_points(path, selection);
  }
  std::string refusal(const std::string& bytes, std::int64_t row = -1) const {
    return message_of<InputError>([&] { read(bytes, row); });
  }

  TemporaryFolder folder;
  std::filesystem::path path = folder.path() / "points";
};

using Point = std::array<double, 2>;

TEST_F(PointFile, OfLinesHasNoBox) {
  const auto all = read("# comment\n\n 0.5 -1\t# first\r\n1e-3 2\n");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_FALSE(all[0].box);
  EXPECT_THAT(all[0].points, ElementsAre(Point{0.5, -1}, Point{1e-3, 2}));
  EXPECT_THAT(all[0].lines, ElementsAre(3, 4));
  EXPECT_TRUE(read("")[0].points.empty());
}

TEST_F(PointFile, WithTooManyDisksIsRefusedBeforeReading) {
  PointSelection selection;
  selection.disks = 4;
  const auto refusal_of = [&](const std::string& bytes) {
    write_bytes(path, bytes);
    return message_of<InputError>([&] { read_points(path, selection); });
  };
  std::string lines;
  for (int i = 0; i < 1'000'010; ++i) lines += "1 2\n";
  EXPECT_THAT(refusal_of(lines), HasSubstr("line 1000009: has at least 1000009 disks, but the run has 4"));
  EXPECT_THAT(refusal_of("1000010\n\n" + lines), HasSubstr("line 2: has at least 1000010 disks, but the run has 4"));
  write_bytes(path, lines.substr(0, 400));
  EXPECT_EQ(read_points(path, selection)[0].points.size(), 100u);
}

TEST_F(PointFile, InExtendedXyzHasSnapshotsInUnitsOfTheDiameter) {
  const std::string first = "1\nLattice=\"8 0 0 0 6 0 0 0 1\" Properties=pos:R:3\n7 1 0\n",
                    second =
                        "2\nProperties=species:S:1:pos:R:3:radius:R:1 Lattice=\"8 0 0 0 6 0 0 0 1\" time=3\n"
                        "X 1 2 0 0.25\nX 3 4 0 0.25\n";
  for (const std::int64_t row : {-1, 1}) {
    const auto all = read(first + second, row);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(*all[0].box, (Point{16, 12}));
    EXPECT_THAT(all[0].points, ElementsAre(Point{2, 4}, Point{6, 8}));
    EXPECT_THAT(all[0].lines, ElementsAre(6, 7));
  }
  EXPECT_THAT(read(first + second, 0)[0].points, ElementsAre(Point{7, 1}));
  EXPECT_EQ(*read(first + second, -2)[0].box, (Point{8, 6}));
}

TEST_F(PointFile, OfAnotherFormatIsRefusedWithNameAndLine) {
  const std::string head = "2\nLattice=\"8 0 0 0 6 0 0 0 1\" Properties=pos:R:3:radius:R:1\n";
  for (const auto& [bytes, why] : std::vector<std::pair<std::string, std::string>>{
           {"0 0\n0 x\n", "line 2: must be two numbers"},
           {"x,y\n0.5,1\n",
            "line 1: must be two numbers, x and y, in diameters and below 1e9; a header must begin with #"},
           {std::string("\x93NUMPY\x01\x00", 8), "is a .npy file; write the positions by numpy.savetxt()"},
           {"0 0\n0 1e9\n", "line 2: must be two numbers"},
           {std::string("0 0\n3 3\0 4\n", 11), "line 2: must be two numbers"},
           {"0 0\n" + std::string(5000, ' ') + "\n", "line 2 is longer than 4096 characters"},
           {"3\n", "the file ends within a snapshot"},
           {"1\ncomment\nX 0 0 0\n", "line 2: must be that of extended XYZ"},
           {"1\nLattice=\"8 1 0 0 6 0 0 0 1\"\nX 0 0 0\n", "line 2: must have the Lattice of a rectangle"},
           {"1\nLattice=\"-8 0 0 0 6 0 0 0 1\"\nX 0 0 0\n", "line 2: must have the Lattice of a rectangle"},
           {"1\nLattice=\"8 0 0\"\nX 0 0 0\n", "line 2: must have Lattice="},
           {"1\nLattice=\"8 0 0 0 6 0 0 0 1\" Properties=id:I:1\n1\n", "line 2: must have Properties=... with pos"},
           {"1\nLattice=\"8 0 0 0 6 0 0 0 1\" Properties=pos:R\n1\n", "line 2: must have Properties=NAME:TYPE:COUNT"},
           {head + "0 0 0 0.5\n1 x 0 0.5\n", "line 4: must have the numbers that Properties names"},
           {head + "0 0 0 0.5\n1 1 0\n", "line 4: must have the numbers that Properties names"},
           {head + "0 0 0 0.5\n1 1 0 0.4\n", "line 4: must have the radius"},
           {head + "0 0 0 0\n1 1 0 0\n", "line 3: must have the numbers that Properties names"},
           {head + "0 0 0 0.5\n", "line 3: the file ends within a snapshot"},
           {head + "0 0 0 0.5\n1 1 0 0.5\nx\n", "line 5: must be the number of disks"},
           {"99999999999999999999\n", "must be"},
           {"\xdf\x65\xdf\x65\xdf\x65\xdf\x65 and more", "is a GSD file; convert it by python3 -m tessera_io.export " +
                                                             path.string() + " --to extxyz, and start from " +
                                                             path.string() + ".xyz"},
           {"\x89HDF\r\n\x1a\n", ""}})
    EXPECT_THAT(refusal(bytes), AllOf(HasSubstr(path.string()), HasSubstr(why))) << bytes;
  EXPECT_THAT(refusal(head + "0 0 0 0.5\n1 1 0 0.5\n", 1), HasSubstr("has 1 snapshot, and no row 1"));
  EXPECT_THAT(refusal("0 0\n", -2), HasSubstr("has 1 snapshot, and no row -2"));
}

}  // namespace
}  // namespace tessera::io::testing
