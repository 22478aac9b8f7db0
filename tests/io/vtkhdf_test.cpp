// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#include <hdf5.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <type_traits>

#include "tessera/io/input_file.hpp"
#include "tests/io/io_test.hpp"
#include "tests/matchers.hpp"

// What `/VTKHDF` refers to; tests/python/vtk_test.py reads it with VTK.
namespace tessera::io::testing {
namespace {

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

/// A file as VTK reads it, by HDF5 alone.
class Shown {
 public:
  explicit Shown(const std::filesystem::path& path) : path_(path) {}

  Shape shape(const std::string& name) const {
    Shape sizes(4, 0);
    with_dataset(name, [&](hid_t, hid_t space) {
      hsize_t extents[4] = {0, 0, 0, 0};
      const int rank = H5Sget_simple_extent_dims(space, extents, nullptr);
      sizes.assign(extents, extents + std::max(0, rank));
    });
    return sizes;
  }

  /// Some rows, row-major, or all of them.
  template <class Number>
  std::vector<Number> rows(const std::string& name, std::size_t first, std::size_t count) const {
    const Shape all_rows = shape(name);
    std::vector<hsize_t> start(all_rows.size(), 0), sizes(all_rows.begin(), all_rows.end());
    start[0] = first;
    sizes[0] = count;
    std::vector<Number> values(std::accumulate(sizes.begin(), sizes.end(), std::size_t{1}, std::multiplies<>()));
    const hid_t type = std::is_same_v<Number, double>         ? H5T_NATIVE_DOUBLE
                       : std::is_same_v<Number, float>        ? H5T_NATIVE_FLOAT
                       : std::is_same_v<Number, std::int32_t> ? H5T_NATIVE_INT32
                                                              : H5T_NATIVE_INT64;
    with_dataset(name, [&](hid_t dataset, hid_t space) {
      H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, sizes.data(), nullptr);
      const hid_t memory = H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr);
      EXPECT_GE(H5Dread(dataset, type, memory, space, H5P_DEFAULT, values.data()), 0) << name;
      H5Sclose(memory);
    });
    return values;
  }
  template <class Number>
  std::vector<Number> all(const std::string& name) const {
    return rows<Number>(name, 0, shape(name).at(0));
  }

  std::vector<std::string> arrays() const { return InputFile(path_).names("/VTKHDF/CellData"); }
  std::string type() const { return InputFile(path_).text_attribute("/VTKHDF", "Type"); }
  std::uint64_t steps() const { return InputFile(path_).unsigned_attribute("/VTKHDF/Steps", "NSteps"); }

 private:
  template <class Action>
  void with_dataset(const std::string& name, Action&& action) const {
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t dataset = H5Dopen2(file, ("/VTKHDF/" + name).c_str(), H5P_DEFAULT), space = H5Dget_space(dataset);
    EXPECT_GE(space, 0) << name;
    action(dataset, space);
    H5Sclose(space);
    H5Dclose(dataset);
    H5Fclose(file);
  }

  std::filesystem::path path_;
};

class VtkHdf : public InFolder {};

TEST_F(VtkHdf, AFieldIsAnImageWithoutCopy) {
  auto file = OutputFile::create(folder / "run.h5", "kmc");
  for (int row = 0; row < 3; ++row) add_field(file, "height", "a", 10 * row, 0.1 * row, counted(15, 100 * row), {3, 5});
  publish(file);
  const Shown shown(folder / "run.h5");
  EXPECT_EQ(shown.type(), "ImageData");
  EXPECT_THAT(shown.all<double>("Steps/Values"), ElementsAre(0, 0.1, 0.2));
  EXPECT_EQ(shown.steps(), 3u);
  EXPECT_THAT(shown.arrays(), ElementsAre("height"));
  const auto stored = InputFile(folder / "run.h5").read<std::int32_t>("/fields/height/value");
  EXPECT_EQ(shown.all<std::int32_t>("CellData/height"), stored);
  EXPECT_THAT(shown.all<std::int64_t>("Steps/CellDataOffsets/height"), ElementsAre(0, 1, 2));
}

void check_replicas(const std::filesystem::path& path, const Shape& lattice) {
  const auto heights = [](int row) { return counted(3 * 20, 100 * row); };
  {
    auto file = OutputFile::create(path, "kmc");
    add_field(file, "height", "a", 0, std::vector<double>{0.2, 0.1, 0.3}, heights(0), lattice);
    publish(file);
  }
  for (int row = 1; row < 3; ++row) {
    auto file = OutputFile::append(path, "kmc");
    add_field(file, "height", "a", row, row, heights(row), lattice);
    publish(file);
    const Shown shown(path);
    EXPECT_THAT(shown.arrays(), ElementsAre("height_0", "height_1", "height_2"));
    const auto times = shown.all<double>("Steps/Values");
    EXPECT_EQ(times.size(), static_cast<std::size_t>(row) + 1);
    EXPECT_EQ(times[0], 0.1) << "the replica that was least far";
    for (int replica = 0; replica < 3; ++replica) {
      const std::string array = "CellData/height_" + std::to_string(replica);
      Shape shape = lattice;
      shape.insert(shape.begin(), static_cast<std::size_t>(row) + 1);
      EXPECT_EQ(shown.shape(array), shape);
      for (int r = 0; r <= row; ++r)
        EXPECT_EQ(shown.rows<std::int32_t>(array, static_cast<std::size_t>(r), 1), counted(20, 100 * r + 20 * replica));
      EXPECT_EQ(shown.all<std::int64_t>("Steps/CellDataOffsets/height_" + std::to_string(replica)),
                counted<std::int64_t>(static_cast<std::size_t>(row) + 1, 0));
    }
  }
}

TEST_F(VtkHdf, EachReplicaIsAnArrayThatGrowsWithTheField) { check_replicas(folder / "run.h5", {4, 5}); }
TEST_F(VtkHdf, EachReplicaInSpaceIsAnArrayThatGrowsWithTheField) { check_replicas(folder / "run.h5", {2, 2, 5}); }

TEST_F(VtkHdf, SimpleCubicLatticesAreImagesInSpaceAndOthersAreNone) {
  for (const std::string lattice : {"sc", "bcc", "fcc"}) {
    auto file = OutputFile::create(folder / (lattice + ".h5"), "kmc");
    add_field(file, "spin", "", 0, 0.5, counted(24, 0), {2, 3, 4});
    Provenance provenance = example_provenance();
    provenance.input = "model = ising\nlattice = " + lattice + "\nsize = 4,3,2\n";
    file.provenance(provenance);
    file.publish([](CheckpointWriter& checkpoint) { checkpoint.scalar("progress", std::int64_t{0}); });
    EXPECT_EQ(InputFile(folder / (lattice + ".h5")).has("/VTKHDF"), lattice == "sc");
  }
  EXPECT_EQ(Shown(folder / "sc.h5").rows<std::int32_t>("CellData/spin", 0, 1), counted(24, 0));
}

TEST_F(VtkHdf, ASingleRowIsTwoStepsOfTheSameTime) {
  auto file = OutputFile::create(folder / "run.h5", "kmc");
  add_field(file, "height", "a", 1, 0.5, Heights(4), {2, 2});
  publish(file);
  const Shown shown(folder / "run.h5");
  EXPECT_THAT(shown.all<double>("Steps/Values"), ElementsAre(0.5, 0.5));
  EXPECT_THAT(shown.all<std::int64_t>("Steps/CellDataOffsets/height"), ElementsAre(0, 0));
}

TEST_F(VtkHdf, FieldsOfOneLatticeShareTheSteps) {
  auto file = OutputFile::create(folder / "run.h5", "kmc");
  add_field(file, "height", "", 1, 0.5, Values(6), {2, 3});
  add_field(file, "profile", "", 1, 0.5, Values(3), {3});
  publish(file);
  add_field(file, "age", "", 2, 1.0, Values(6), {2, 3});
  add_field(file, "coarse", "", 2, 1.0, Values(1), {1, 1});
  add_field(file, "height", "", 3, 1.5, Values(6), {2, 3});
  publish(file);
  const Shown shown(folder / "run.h5");
  EXPECT_THAT(shown.arrays(), ElementsAre("age", "height"));
  EXPECT_THAT(shown.all<double>("Steps/Values"), ElementsAre(0.5, 1, 1.5));
  EXPECT_THAT(shown.all<std::int64_t>("Steps/CellDataOffsets/height"), ElementsAre(0, 0, 1));
  EXPECT_THAT(shown.all<std::int64_t>("Steps/CellDataOffsets/age"), ElementsAre(0, 0, 0));
}

TEST_F(VtkHdf, ParticlesArePoints) {
  const auto frame = [](double shift) {
    return std::vector<std::vector<std::array<double, 2>>>{{{shift, 1}, {2, 3}}, {{shift + 10, 11}, {12, 13}}};
  };
  auto file = OutputFile::create(folder / "run.h5", "disks");
  file.particles("disks", "sigma", 0, 0, {20, 20}, frame(0));
  publish(file);
  file.particles("disks", "sigma", 5, 5, {20, 20}, frame(0.5));
  add_field(file, "pair_distribution", "", 5, 5.0, Values(2 * 8), {8});
  publish(file);
  const Shown shown(folder / "run.h5");
  EXPECT_EQ(shown.type(), "PolyData");
  EXPECT_THAT(shown.all<double>("Steps/Values"), ElementsAre(0, 5));
  EXPECT_THAT(shown.all<std::int64_t>("Steps/PointOffsets"), ElementsAre(0, 4));
  EXPECT_THAT(shown.all<double>("Points"), ElementsAre(0, 1, 0, 2, 3, 0, 10, 11, 0, 12, 13, 0,  //
                                                       0.5, 1, 0, 2, 3, 0, 10.5, 11, 0, 12, 13, 0));
  EXPECT_THAT(shown.all<std::int64_t>("NumberOfPoints"), ElementsAre(4));
  EXPECT_THAT(shown.all<std::int32_t>("PointData/replica"), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(shown.all<float>("PointData/diameter"), ElementsAre(1, 1, 1, 1));
}

TEST_F(VtkHdf, OnlyLatticesAreImages) {
  auto file = OutputFile::create(folder / "run.h5", "kpz");
  add_field(file, "profile", "", 1, 0.5, Values(4), {4});
  publish(file);
  EXPECT_FALSE(InputFile(folder / "run.h5").has("/VTKHDF"));
  EXPECT_THAT(InputFile(folder / "run.h5").names("/fields"), ElementsAre("profile"));
}

}  // namespace
}  // namespace tessera::io::testing
