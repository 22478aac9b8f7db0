// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
//
// Files that other programs have changed, or have open, are no damaged ones: a restart says what they are.
#include <hdf5.h>
#include <sys/file.h>

#include "io/descriptor.hpp"
#include "tessera/core/error.hpp"
#include "tessera/io/input_file.hpp"
#include "tests/io/io_test.hpp"
#include "tests/matchers.hpp"

namespace tessera::io::testing {
namespace {

/// A file with rows of all kinds, which is changed and continued.
class OtherPrograms : public ::testing::Test {
 protected:
  void SetUp() override {
    auto file = OutputFile::create(path, "kmc");
    for (const double time : {0.5, 1.0}) {
      add_row(file, "roughness", "a^2", 1, time, std::vector<double>{1, 2});
      add_row(file, "own name", "", 1, time, std::vector<double>{3});
      add_field(file, "height", "a", 1, time, std::vector<std::int32_t>(2 * 16, 7), {4, 4});
      file.particles("disks", "sigma", 1, time, {4, 4}, {{{0.5, 0.5}, {2.5, 0.5}}});
      file.history({"steps", {"time", "size"}, {"1/k", ""}, {{time}, {2}}});
    }
    testing::publish(file);
    whole = read_file(path);
  }

  template <class Change>
  std::string refusal_after(Change&& change) {
    write_bytes(path, whole);
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    EXPECT_GE(file, 0);
    change(file);
    EXPECT_GE(H5Fclose(file), 0);
    return refusal();
  }

  std::string refusal() const {
    const std::string before = read_file(path);
    const auto message = message_of<InputError>([&] { OutputFile::append(path, "kmc"); });
    EXPECT_EQ(read_file(path), before);
    EXPECT_THAT(message, Not(HasSubstr("damaged")));
    return message;
  }

  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "run.h5";
  std::string whole;
};

TEST_F(OtherPrograms, LostRowsAreNamed) {
  for (const std::string name :
       {"/observables", "/observables/roughness", "/observables/roughness/error", "/observables/own name/value",
        "/fields", "/fields/height", "/fields/height/step", "/history", "/history/steps/size", "/particles"})
    EXPECT_THAT(refusal_after([&](hid_t file) { H5Ldelete(file, name.c_str(), H5P_DEFAULT); }),
                HasSubstr("'" + name + "', which the run wrote, is missing"));
  const auto resize = [&](hsize_t rows) {
    return [rows](hid_t file) {
      const hid_t dataset = H5Dopen2(file, "/history/steps/time", H5P_DEFAULT);
      H5Dset_extent(dataset, &rows);
      H5Dclose(dataset);
    };
  };
  EXPECT_THAT(refusal_after(resize(1)), HasSubstr("'/history/steps/time' has 1 rows, but the run wrote 2"));
  EXPECT_THAT(refusal_after(resize(3)), HasSubstr("'/history/steps/time' has 3 rows, but the run wrote 2"));
}

TEST_F(OtherPrograms, TheRunExtendsItsOwnDatasets) {
  for (int round = 0; round < 2; ++round) {
    auto file = OutputFile::append(path, "kmc");
    add_row(file, "roughness", "a^2", 1, 2, std::vector<double>{1, 2});
    testing::publish(file);
    file.history({"steps", {"time", "size"}, {"1/k", ""}, {{2}, {2}}});
    testing::publish(file);
  }
  EXPECT_EQ(InputFile(path).shape("/history/steps/time").at(0), 4u);
}

/// As `h5repack --layout=CONTI` stores it.
TEST_F(OtherPrograms, ARepackedDatasetThatCannotGrowIsNamed) {
  EXPECT_THAT(refusal_after([](hid_t file) {
                const std::vector<double> times{0.5, 1};
                const hsize_t rows = times.size();
                H5Ldelete(file, "/observables/roughness/time", H5P_DEFAULT);
                const hid_t space = H5Screate_simple(1, &rows, nullptr);
                const hid_t dataset = H5Dcreate2(file, "/observables/roughness/time", H5T_IEEE_F64LE, space,
                                                 H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
                H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, times.data());
                H5Dclose(dataset);
                H5Sclose(space);
              }),
              AllOf(HasSubstr("'/observables/roughness/time' cannot be extended"), HasSubstr("h5repack")));
}

TEST_F(OtherPrograms, TheMarkOfAnOpenFileIsExplained) {
  testing::in_child([&] {
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ::_exit(H5Fflush(file, H5F_SCOPE_GLOBAL) < 0 ? 1 : 0);
  });
  ASSERT_NE(read_file(path), whole) << "HDF5 marks a file that is open for writing";
  EXPECT_THAT(refusal(), AllOf(HasSubstr("was killed"), HasSubstr("h5clear -s")));
  // As HDF5 locks a file that it writes.
  const Descriptor writer(path, O_RDWR);
  if (::flock(writer.get(), LOCK_EX | LOCK_NB) != 0) GTEST_SKIP() << "no locks on this file system";
  EXPECT_THAT(refusal(), HasSubstr("another program has it open for writing; close it there"));
}

TEST_F(OtherPrograms, ATooLongNameIsReported) {
  EXPECT_THAT(message_of<InputError>([&] { InputFile(folder / std::string(300, 'a')); }),
              HasSubstr("File name too long (a name has up to"));
}

}  // namespace
}  // namespace tessera::io::testing
