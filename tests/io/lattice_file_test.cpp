// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tessera/io/lattice_file.hpp"

#include <array>
#include <map>

#include "tessera/core/error.hpp"
#include "tessera/io/unit_cell.hpp"
#include "tests/io/io_test.hpp"
#include "tests/matchers.hpp"

namespace tessera::io::testing {
namespace {

/// An .npy file of version 1.0 as NumPy writes it.
std::string npy(const std::string& type, const std::string& shape, const std::string& data,
                const std::string& order = "False") {
  std::string header = "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': (" + shape + "), }";
  header.resize(117, ' ');
  return std::string("\x93NUMPY\x01\x00", 8) + std::string("\x76\x00", 2) + header + "\n" + data;
}

class LatticeFile : public ::testing::Test {
 protected:
  LatticeStates read(const std::string& bytes, std::size_t sites = 6) const {
    write_bytes(path, bytes);
    return read_lattice_states(path, "/checkpoint/state", sites);
  }
  std::string refusal(const std::string& bytes, std::size_t sites = 6) const {
    return message_of<InputError>([&] { read(bytes, sites); });
  }

  TemporaryFolder folder;
  std::filesystem::path path = folder.path() / "states";
};

TEST_F(LatticeFile, IsATextMatrix) {
  const LatticeStates states = read("# three columns\n1 -2,3\n\n4\t5 6 # the end");
  EXPECT_THAT((std::vector{states.lattices, states.ny, states.nx}), ElementsAre(1, 2, 3));
  EXPECT_THAT(states.states, ElementsAre(1, -2, 3, 4, 5, 6));
  EXPECT_THAT(read("\xef\xbb\xbf"
                   "1 2 3\n4 5 6\n")
                  .states,
              ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST_F(LatticeFile, IsAnArrayOfNumPy) {
  for (const char* type : {"|i1", "|u1", "|b1", "<i2", "<u4", "<i8"}) {
    const int bytes = type[2] - '0';
    std::string data;
    for (const char value : {1, 0, 1, 1, 0, 1}) data += value + std::string(static_cast<std::size_t>(bytes - 1), '\0');
    for (const char* shape : {"2, 3", "1, 2, 3"}) {
      const LatticeStates states = read(npy(type, shape, data));
      EXPECT_THAT((std::vector{states.lattices, states.ny, states.nx}), ElementsAre(1, 2, 3)) << type;
      EXPECT_THAT(states.states, ElementsAre(1, 0, 1, 1, 0, 1)) << type;
    }
  }
  EXPECT_THAT(read(npy("<i2", "1, 2", std::string("\xff\xff\x01\x80", 4)), 2).states, ElementsAre(-1, -32767));
}

// Its size is known, for the message, and no more memory is taken than for the lattice that is wanted.
TEST_F(LatticeFile, OfAnotherSizeIsNotRead) {
  for (const std::string& bytes :
       {std::string("1 2 3\n4 5 6\n7 8 9\n"), npy("|i1", "3, 3", "123456789"), npy("|i1", "1, 3, 3", "123456789")}) {
    const LatticeStates states = read(bytes, 6);
    EXPECT_THAT((std::vector{states.lattices, states.ny, states.nx}), ElementsAre(1, 3, 3));
    EXPECT_LE(states.states.capacity(), 8u);
  }
  std::string text;
  for (int i = 0; i < 1'000'013; ++i) text += i % 100 == 0 ? "\n7" : " 7";
  EXPECT_THAT(refusal(text), HasSubstr("has more than 1000012 numbers, but the lattice has 6 sites"));
}

// A line or a word of any length takes no more memory.
TEST_F(LatticeFile, MayHaveLongLines) {
  EXPECT_THAT(read("1,2 #" + std::string(100'000, '3') + "\n" + std::string(10'000, ' ') + "5\t6", 4).states,
              ElementsAre(1, 2, 5, 6));
  EXPECT_THAT(refusal("1 2\n3 " + std::string(100'000, '0')), HasSubstr("line 2: '000"));
}

TEST_F(LatticeFile, OfAnotherFormatIsRefusedWithItsName) {
  const std::string six(6, '\1');
  struct Case {
    std::string bytes, why;
    std::size_t sites = 6;
  };
  for (const auto& [bytes, why, sites] :
       std::vector<Case>{{"", "must have between 1 and 2^40 numbers"},
                         {"1 2\n3\n", "line 2: has 1 numbers, but the first row has 2"},
                         {"1 2\n3 four\n", "line 2: 'four': must be a whole number"},
                         {"x,y,spin\n0,0,1\n",
                          "line 1: 'x': must be a whole number; a file that is neither HDF5 nor .npy "
                          "has whole numbers between blanks or commas, and a header begins with #"},
                         {npy("", "2, 3", six).replace(20, 2, "[('a', '<i4'), ('b', '<f8')]"),
                          "is an array of records; save one of their fields, such as states['spin']"},
                         {"1 2.5\n", "line 1: '2.5': must be a whole number"},
                         {"1 30000000000000000000\n", "line 1: '30000000000000000000': must be a whole number"},
                         {std::string("1 2\0\n", 5), "line 1: '2?': must be a whole number"},
                         {npy("<f8", "2, 3", six), "has elements of type '<f8'"},
                         {npy(">i4", "2, 3", six), "has elements of type '>i4'"},
                         {npy("|i1", "2, 3", six, "True"), "is in Fortran order"},
                         {npy("|i1", "6,", six), "has the shape (6,)"},
                         {npy("|i1", "2x3", six), "has the shape (2x3)"},
                         {std::string("\x93NUMPY\x01\x00\x00\xf0", 10) + "{'descr': '|i1', 'fortran_order':" +
                              std::string(61'440 - 60, ' ') + "True, 'shape': (2, 3), }  \n" + six,
                          "is in Fortran order"},
                         {npy("|i1", "0, 3", ""), "must have between 1 and 2^40 numbers"},
                         {npy("|i1", "99999999999999999999, 3", six), "must have between 1 and 2^40 numbers"},
                         {npy("|i1", "4294967296, 4294967296", six), "must have between 1 and 2^40 numbers"},
                         {npy("|i1", "2, 4", six), "its length does not match its shape", 8},
                         {npy("|i1", "2, 2", six), "its length does not match its shape", 4},
                         {npy("<u8", "1, 1", std::string(8, '\xff')), "is too large for a state", 1},
                         {npy("|i1", "2, 3", six).substr(0, 60), "it ends in its header"},
                         {npy("|i1", "2, 3", six).substr(0, 9), "its header is damaged"},
                         {"\x93NUMPY", "its header is damaged"},
                         {"\x89HDF\r\n\x1a\n", ""}})
    EXPECT_THAT(refusal(bytes, sites), AllOf(HasSubstr(path.string()), HasSubstr(why))) << bytes;
  EXPECT_THAT(message_of<InputError>([&] { read_lattice_states(folder.path(), "/a", 1); }),
              HasSubstr("is not a regular file"));
  EXPECT_THAT(message_of<InputError>([&] { read_lattice_states(folder.path() / "none", "/a", 1); }),
              HasSubstr("no such file"));
}

TEST(UnitCell, OfTheTextOfEarlierFilesIsThatOfJson) {
  const UnitCell before(
      "species CO: #ff0000\nsite a: empty, CO\nbase 2\nposition 0.5 0.5 0\nsite b: empty, CO, O\nbase 4\n"
      "cell 2 0 0 1 1.5 0 0 0 1\nparameter k = 1\n");
  const UnitCell now(R"({"title": "model", "cell": [[2, 0, 0], [1, 1.5, 0], [0, 0, 1]], "sites": [
      {"name": "a", "species": ["empty", "CO"], "base": 2}, {"name": "b", "species": ["empty", "CO", "O"], "base": 4}]})");
  const std::array<std::array<double, 3>, 3> sides{{{2, 0, 0}, {1, 1.5, 0}, {0, 0, 1}}};
  for (const UnitCell& cell : {before, now}) {
    EXPECT_EQ(cell.sides(), sides);
    EXPECT_EQ(cell.state("CO/O"), 1 + 2 * 2);
    EXPECT_EQ(cell.state("CO@b/empty@a"), 2);
    EXPECT_EQ(cell.held({5, 4}), (std::map<std::string, std::size_t>{{"CO@a", 1}, {"empty@a", 1}, {"O@b", 2}}));
  }
  now.require_shape_of(before);
}

TEST(UnitCell, OfADamagedDescriptionIsASquareWithoutSites) {
  for (const std::string text :
       {"", "{\"sites\": [3]}", "{\"sites\": 3}", "[[[", "{\"cell\": [[1]]}", "cell 1 2\nbase 3\n"}) {
    const UnitCell cell(text);
    EXPECT_FALSE(cell.has_sites()) << text;
    EXPECT_EQ(cell.sides()[1][1], 1) << text;
  }
}

}  // namespace
}  // namespace tessera::io::testing
