// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#include <hdf5.h>

#include <array>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>

#include "tessera/core/error.hpp"
#include "tessera/io/input_file.hpp"
#include "tests/io/io_test.hpp"
#include "tests/matchers.hpp"

namespace tessera::io::testing {
namespace {

/// Writes a file whose checkpoint is what `save` writes.
void write_checkpoint(const std::filesystem::path& path, const std::function<void(CheckpointWriter&)>& save) {
  auto file = OutputFile::create(path, "kmc", true);
  file.provenance(testing::example_provenance());
  file.publish(save);
}

template <class T>
std::vector<T> extremes() {
  return {std::numeric_limits<T>::lowest(), T{0}, T{1}, std::numeric_limits<T>::max()};
}

template <class T>
class CheckpointOf : public ::testing::Test {};
using Types = ::testing::Types<float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t, long long,
                               std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, unsigned long long>;
TYPED_TEST_SUITE(CheckpointOf, Types);

TYPED_TEST(CheckpointOf, ArraysAndScalarsReadBackToTheLastBit) {
  const TemporaryFolder folder;
  const auto values = extremes<TypeParam>();
  write_checkpoint(folder / "run.h5", [&](CheckpointWriter& checkpoint) {
    checkpoint.array("matrix", values, {2, 2}, "a");
    checkpoint.array("list", std::span<const TypeParam>(values).subspan(1));
    checkpoint.scalar("last", values.back());
  });
  const auto checkpoint = CheckpointReader::open(folder / "run.h5", "kmc");
  std::vector<TypeParam> matrix(4), list(3);
  checkpoint.array("matrix", matrix, {2, 2});
  checkpoint.array("list", std::span<TypeParam>(list));
  EXPECT_EQ(matrix, values);
  EXPECT_EQ(list, std::vector<TypeParam>(values.begin() + 1, values.end()));
  EXPECT_EQ(checkpoint.template scalar<TypeParam>("last"), values.back());
  EXPECT_EQ(checkpoint.shape("matrix"), (std::vector<std::size_t>{2, 2}));
}

class Checkpoints : public InFolder {};

TEST_F(Checkpoints, NotANumberAndNegativeZeroKeepTheirBits) {
  const std::array<double, 3> values{std::numeric_limits<double>::quiet_NaN(), -0.0,
                                     std::numeric_limits<double>::denorm_min()};
  write_checkpoint(folder / "run.h5", [&](CheckpointWriter& checkpoint) { checkpoint.array("values", values); });
  std::array<double, 3> back{};
  CheckpointReader::open(folder / "run.h5", "kmc").array("values", back);
  EXPECT_EQ(std::memcmp(values.data(), back.data(), sizeof values), 0);
}

TEST_F(Checkpoints, TextsAndEmptyArraysReadBack) {
  write_checkpoint(folder / "run.h5", [](CheckpointWriter& checkpoint) {
    checkpoint.text("model", "solid-on-solid, \xcf\x86 = 1");
    checkpoint.text("nothing", "");
    checkpoint.array("none", std::vector<double>{});
  });
  const auto checkpoint = CheckpointReader::open(folder / "run.h5", "kmc");
  EXPECT_EQ(checkpoint.text("model"), "solid-on-solid, \xcf\x86 = 1");
  EXPECT_EQ(checkpoint.text("nothing"), "");
  std::vector<double> none;
  checkpoint.array("none", none);
  EXPECT_TRUE(checkpoint.has("model"));
  EXPECT_FALSE(checkpoint.has("mode"));
}

TEST_F(Checkpoints, NameTheEntryThatDoesNotFit) {
  const auto path = folder / "run.h5";
  write_checkpoint(path, [](CheckpointWriter& checkpoint) {
    checkpoint.array("heights", std::vector<std::int32_t>(6, 1), {2, 3});
    checkpoint.scalar("step", std::uint64_t{5});
    checkpoint.text("model", "sos");
  });
  const auto checkpoint = CheckpointReader::open(path, "kmc");
  std::vector<std::int32_t> heights(6);
  std::vector<double> numbers(6);
  const auto message = [](auto&& action) { return message_of<InputError>(action); };
  EXPECT_THAT(message([&] {
                checkpoint.array("spins", heights, {2, 3});
              }),
              AllOf(HasSubstr(path.string()), HasSubstr("'spins' is missing")));
  EXPECT_THAT(message([&] {
                checkpoint.array("heights", heights, {3, 2});
              }),
              HasSubstr("'heights' has the shape 2 x 3, not 3 x 2"));
  EXPECT_THAT(message([&] {
                checkpoint.array("heights", numbers, {2, 3});
              }),
              HasSubstr("'heights' has the type int32, not float64"));
  EXPECT_THAT(message([&] { checkpoint.scalar<std::int64_t>("step"); }),
              HasSubstr("'step' has the type uint64, not int64"));
  EXPECT_THAT(message([&] { checkpoint.scalar<std::int32_t>("heights"); }), HasSubstr("2 x 3, not a single value"));
  EXPECT_THAT(message([&] { checkpoint.scalar<std::int32_t>("model"); }),
              HasSubstr("'model' has the type text, not int32"));
  EXPECT_THAT(message([&] { checkpoint.text("step"); }), HasSubstr("'step' is not a text"));
  EXPECT_THAT(message([&] { checkpoint.text("../provenance/input"); }), HasSubstr("is missing"));
  EXPECT_THROW(checkpoint.array("heights", heights, {2, 2}), std::invalid_argument);
}

TEST_F(Checkpoints, MistakesOfTheWriterThrowInvalidArgument) {
  const auto writing = [&](const std::function<void(CheckpointWriter&)>& save) {
    EXPECT_THROW(write_checkpoint(folder / "run.h5", save), std::invalid_argument);
    EXPECT_TRUE(folder.names().empty());
  };
  writing([](CheckpointWriter& checkpoint) { checkpoint.scalar("a/b", 1); });
  writing([](CheckpointWriter& checkpoint) { checkpoint.scalar("", 1); });
  writing([](CheckpointWriter& checkpoint) { checkpoint.text("text", std::string("a\0b", 3)); });
  writing([](CheckpointWriter& checkpoint) { checkpoint.array("list", std::vector<int>{1, 2}, {3}); });
  writing([](CheckpointWriter& checkpoint) {
    checkpoint.scalar("twice", 1);
    checkpoint.scalar("twice", 2);
  });
}

TEST_F(Checkpoints, EachPublicationReplacesThePreviousCheckpoint) {
  auto file = OutputFile::create(folder / "run.h5", "kmc");
  file.provenance(testing::example_provenance());
  file.publish([](CheckpointWriter& checkpoint) {
    checkpoint.array("same", std::vector<int>{1, 2}, {2}, "a");
    checkpoint.array("grows", std::vector<int>{1});
    checkpoint.array("changes type", std::vector<int>{1});
    checkpoint.text("text", "short");
    checkpoint.scalar("gone", 1);
  });
  file.publish([](CheckpointWriter& checkpoint) {
    checkpoint.array("same", std::vector<int>{3, 4}, {2});
    checkpoint.array("grows", std::vector<int>{5, 6});
    checkpoint.array("changes type", std::vector<double>{0.5});
    checkpoint.text("text", "a longer one");
  });
  const InputFile back(folder / "run.h5");
  const auto checkpoint = back.checkpoint();
  std::vector<int> pair(2);
  std::vector<double> number(1);
  checkpoint.array("same", pair);
  EXPECT_EQ(pair, (std::vector<int>{3, 4}));
  EXPECT_FALSE(back.has_attribute("/checkpoint/same", "unit"));
  checkpoint.array("grows", pair);
  EXPECT_EQ(pair, (std::vector<int>{5, 6}));
  checkpoint.array("changes type", number);
  EXPECT_EQ(number, std::vector<double>{0.5});
  EXPECT_EQ(checkpoint.text("text"), "a longer one");
  EXPECT_FALSE(checkpoint.has("gone"));
}

TEST_F(Checkpoints, PublishingTheSameShapesAgainDoesNotGrowTheFile) {
  auto file = OutputFile::create(folder / "run.h5", "kmc");
  auto provenance = testing::example_provenance();
  std::vector<double> times(5000);
  const auto publish = [&](int round) {
    provenance.end = "2026-01-01T00:00:0" + std::to_string(round % 10) + "+00:00";
    provenance.wall_seconds = round;
    file.provenance(provenance);
    std::iota(times.begin(), times.end(), round);
    file.publish([&](CheckpointWriter& checkpoint) {
      checkpoint.array("times", times, {50, 100}, "1/k");
      checkpoint.scalar("step", round);
      checkpoint.text("model", "sos");
    });
  };
  publish(0);
  const auto size = std::filesystem::file_size(folder / "run.h5");
  for (int round = 1; round < 30; ++round) publish(round);
  EXPECT_EQ(std::filesystem::file_size(folder / "run.h5"), size);
  EXPECT_EQ(InputFile(folder / "run.h5").checkpoint().scalar<int>("step"), 29);
}

TEST_F(Checkpoints, RefuseAFileWithoutCheckpoint) {
  {
    auto file = OutputFile::create(folder / "run.h5", "kmc");
    testing::publish(file);
  }
  const hid_t raw = H5Fopen((folder / "run.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  H5Ldelete(raw, "checkpoint", H5P_DEFAULT);
  H5Fclose(raw);
  EXPECT_THAT(message_of<InputError>([&] { CheckpointReader::open(folder / "run.h5", "kmc"); }),
              HasSubstr("no checkpoint"));
}

}  // namespace
}  // namespace tessera::io::testing
