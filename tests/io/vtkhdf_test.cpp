// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#include <gmock/gmock.h>

#include <numeric>

#include "tessera/io/input_file.hpp"
#include "tests/io/io_test.hpp"

// What `/VTKHDF` refers to; tests/python/vtk_test.py reads it with VTK.
namespace tessera::io {
namespace {

using ::testing::ElementsAre;
using testing::publish;
using testing::ScratchDirectory;
using Heights = std::vector<std::int32_t>;
using Shape = std::vector<std::size_t>;
using Values = std::vector<double>;

/// 0, 1, 2, ... from `first` on.
template <class Number>
std::vector<Number> counted(std::size_t count, Number first) {
  std::vector<Number> numbers(count);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

TEST(VtkHdf, AFieldIsAnImageWithoutACopy) {
  const ScratchDirectory directory;
  auto file = OutputFile::create(directory / "run.h5", "kmc");
  for (int row = 0; row < 3; ++row) file.field("height", "a", 10 * row, 0.1 * row, counted(15, 100 * row), {3, 5});
  publish(file);
  const InputFile back(directory / "run.h5");
  EXPECT_EQ(back.text_attribute("/VTKHDF", "Type"), "ImageData");
  EXPECT_THAT(back.read<double>("/VTKHDF/Steps/Values"), ElementsAre(0, 0.1, 0.2));
  EXPECT_EQ(back.unsigned_attribute("/VTKHDF/Steps", "NSteps"), 3u);
  EXPECT_THAT(back.names("/VTKHDF/CellData"), ElementsAre("height"));
  EXPECT_EQ(back.read<std::int32_t>("/VTKHDF/CellData/height"), back.read<std::int32_t>("/fields/height/value"));
  EXPECT_THAT(back.read<std::int64_t>("/VTKHDF/Steps/CellDataOffsets/height"), ElementsAre(0, 1, 2));
}

TEST(VtkHdf, EachReplicaIsAnArrayThatGrowsWithTheField) {
  const ScratchDirectory directory;
  const auto heights = [](int row) { return counted(3 * 20, 100 * row); };
  {
    auto file = OutputFile::create(directory / "run.h5", "kmc");
    file.field("height", "a", 0, std::vector<double>{0.2, 0.1, 0.3}, heights(0), {4, 5});
    publish(file);
  }
  for (int row = 1; row < 3; ++row) {
    auto file = OutputFile::append(directory / "run.h5", "kmc");
    file.field("height", "a", row, row, heights(row), {4, 5});
    publish(file);
    const InputFile back(directory / "run.h5");
    EXPECT_THAT(back.names("/VTKHDF/CellData"), ElementsAre("height_0", "height_1", "height_2"));
    const auto times = back.read<double>("/VTKHDF/Steps/Values");
    EXPECT_EQ(times.size(), static_cast<std::size_t>(row) + 1);
    EXPECT_EQ(times[0], 0.1) << "the replica that was least far";
    for (int replica = 0; replica < 3; ++replica) {
      const std::string array = "/VTKHDF/CellData/height_" + std::to_string(replica);
      EXPECT_EQ(back.shape(array), (Shape{static_cast<std::size_t>(row) + 1, 4, 5}));
      for (int r = 0; r <= row; ++r)
        EXPECT_EQ(back.read_row<std::int32_t>(array, static_cast<std::size_t>(r)), counted(20, 100 * r + 20 * replica));
      EXPECT_EQ(back.read<std::int64_t>("/VTKHDF/Steps/CellDataOffsets/height_" + std::to_string(replica)),
                counted<std::int64_t>(static_cast<std::size_t>(row) + 1, 0));
    }
  }
}

TEST(VtkHdf, ALoneRowIsTwoStepsOfTheSameTime) {
  const ScratchDirectory directory;
  auto file = OutputFile::create(directory / "run.h5", "kmc");
  file.field("height", "a", 1, 0.5, Heights(4), {2, 2});
  publish(file);
  const InputFile back(directory / "run.h5");
  EXPECT_THAT(back.read<double>("/VTKHDF/Steps/Values"), ElementsAre(0.5, 0.5));
  EXPECT_THAT(back.read<std::int64_t>("/VTKHDF/Steps/CellDataOffsets/height"), ElementsAre(0, 0));
}

TEST(VtkHdf, FieldsOfOneLatticeShareTheSteps) {
  const ScratchDirectory directory;
  auto file = OutputFile::create(directory / "run.h5", "kmc");
  file.field("height", "", 1, 0.5, Values(6), {2, 3});
  file.field("profile", "", 1, 0.5, Values(3), {3});
  publish(file);
  file.field("age", "", 2, 1.0, Values(6), {2, 3});
  file.field("coarse", "", 2, 1.0, Values(1), {1, 1});
  file.field("height", "", 3, 1.5, Values(6), {2, 3});
  publish(file);
  const InputFile back(directory / "run.h5");
  EXPECT_THAT(back.names("/VTKHDF/CellData"), ElementsAre("age", "height"));
  EXPECT_THAT(back.read<double>("/VTKHDF/Steps/Values"), ElementsAre(0.5, 1, 1.5));
  EXPECT_THAT(back.read<std::int64_t>("/VTKHDF/Steps/CellDataOffsets/height"), ElementsAre(0, 0, 1));
  EXPECT_THAT(back.read<std::int64_t>("/VTKHDF/Steps/CellDataOffsets/age"), ElementsAre(0, 0, 0));
}

TEST(VtkHdf, ParticlesArePoints) {
  const ScratchDirectory directory;
  const auto frame = [](double shift) {
    return std::vector<std::vector<std::array<double, 2>>>{{{shift, 1}, {2, 3}}, {{shift + 10, 11}, {12, 13}}};
  };
  auto file = OutputFile::create(directory / "run.h5", "disks");
  file.particles("disks", "sigma", 0, 0, {20, 20}, frame(0));
  publish(file);
  file.particles("disks", "sigma", 5, 5, {20, 20}, frame(0.5));
  file.field("pair_distribution", "", 5, 5.0, Values(2 * 8), {8});
  publish(file);
  const InputFile back(directory / "run.h5");
  EXPECT_EQ(back.text_attribute("/VTKHDF", "Type"), "PolyData");
  EXPECT_THAT(back.read<double>("/VTKHDF/Steps/Values"), ElementsAre(0, 5));
  EXPECT_THAT(back.read<std::int64_t>("/VTKHDF/Steps/PointOffsets"), ElementsAre(0, 4));
  EXPECT_THAT(back.read<std::int64_t>("/VTKHDF/NumberOfPoints"), ElementsAre(4));
  EXPECT_THAT(back.read<std::int32_t>("/VTKHDF/PointData/replica"), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(back.read<float>("/VTKHDF/PointData/diameter"), ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(back.read_row<double>("/VTKHDF/Points", 4), ElementsAre(0.5, 1, 0));
  EXPECT_THAT(back.read_row<double>("/VTKHDF/Points", 6), ElementsAre(10.5, 11, 0));
}

TEST(VtkHdf, WhatIsNoLatticeIsNotThere) {
  const ScratchDirectory directory;
  auto file = OutputFile::create(directory / "run.h5", "kpz");
  file.field("profile", "", 1, 0.5, Values(4), {4});
  publish(file);
  EXPECT_FALSE(InputFile(directory / "run.h5").has("/VTKHDF"));
  EXPECT_THAT(InputFile(directory / "run.h5").names("/fields"), ElementsAre("profile"));
}

}  // namespace
}  // namespace tessera::io
