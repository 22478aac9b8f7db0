// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "tests/io/memory_archive.hpp"

namespace tessera::io {
namespace {

class MemoryArchiveOfSix : public ::testing::Test {
 protected:
  MemoryArchiveOfSix() { archive_.array("state", std::span<const int>(six_), {2, 3}, "layers"); }

  std::vector<int> six_{1, 2, 3, 4, 5, 6};
  MemoryArchive archive_;
};

TEST_F(MemoryArchiveOfSix, ReturnsCopiesOfItsEntries) {
  const std::vector<int> given = six_;
  six_.assign(6, 0);
  std::vector<int> read(6);
  const MemoryArchive copy = archive_;
  copy.array("state", std::span<int>(read), {2, 3});
  EXPECT_EQ(read, given);
  EXPECT_EQ(copy.shape("state"), (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(copy.values<int>("state"), given);
}

TEST_F(MemoryArchiveOfSix, AcceptsChangedReplacedAndRemovedEntries) {
  archive_.values<int>("state").at(1) = 7;
  EXPECT_EQ(archive_.values<int>("state"), (std::vector<int>{1, 7, 3, 4, 5, 6}));
  archive_.array("state", std::vector<double>{0.5}, {1}, "");
  EXPECT_EQ(archive_.values<double>("state"), std::vector<double>{0.5});
  EXPECT_TRUE(archive_.has("state"));
  archive_.remove("state");
  EXPECT_FALSE(archive_.has("state"));
}

TEST_F(MemoryArchiveOfSix, RefusesMissingEntries) {
  const MemoryArchive& archive = archive_;
  std::vector<int> six(6), five(5);
  std::vector<std::uint8_t> others(6);
  EXPECT_THROW(archive.array("time", six, {2, 3}), std::invalid_argument);
  EXPECT_THROW(archive.array("state", others, {2, 3}), std::invalid_argument);
  EXPECT_THROW(archive.array("state", six, {3, 2}), std::invalid_argument);
  EXPECT_THROW(archive.array("state", five, {2, 3}), std::invalid_argument);
  EXPECT_THROW(archive.shape("time"), std::invalid_argument);
  EXPECT_THROW(archive_.values<std::uint8_t>("state"), std::invalid_argument);
}

}  // namespace
}  // namespace tessera::io
