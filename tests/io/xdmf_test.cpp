// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#include <gmock/gmock.h>

#include <algorithm>
#include <regex>

#include "tessera/io/input_file.hpp"
#include "tests/io/io_test.hpp"

namespace tessera::io {
namespace {

using testing::bytes_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::publish;
using testing::ScratchDirectory;
using Values = std::vector<double>;

/// The names of all elements, in order; fails the test if they are not nested properly or an attribute is not quoted.
std::vector<std::string> elements(const std::string& xml) {
  EXPECT_EQ(xml.rfind("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", 0), 0u);
  std::vector<std::string> open, found;
  const std::regex tag("<(/?)([A-Za-z]+)((?: [A-Za-z]+=\"[^\"<>]*\")*)(/?)>");
  std::size_t brackets = 2;  // of the declaration
  for (std::sregex_iterator at(xml.begin(), xml.end(), tag), end; at != end; ++at) {
    brackets += 2;
    if ((*at)[1].length() == 0) {
      found.push_back((*at)[2]);
      if ((*at)[4].length() == 0) open.push_back((*at)[2]);
    } else if (open.empty() || open.back() != (*at)[2]) {
      ADD_FAILURE() << "</" << (*at)[2] << "> closes nothing";
    } else {
      open.pop_back();
    }
  }
  EXPECT_TRUE(open.empty());
  EXPECT_EQ(
      static_cast<std::size_t>(std::count_if(xml.begin(), xml.end(), [](char c) { return c == '<' || c == '>'; })),
      brackets);
  return found;
}

/// All matches of the first group of a pattern.
std::vector<std::string> all(const std::string& text, const std::string& pattern) {
  std::vector<std::string> found;
  const std::regex expression(pattern);
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at) found.push_back((*at)[1]);
  return found;
}

std::string text_of(const std::vector<std::size_t>& shape) {
  std::string text;
  for (const auto extent : shape) text.append(text.empty() ? "" : " ").append(std::to_string(extent));
  return text;
}

TEST(Xdmf, PointsToEachRowOfAFieldAtItsTime) {
  const ScratchDirectory directory;
  auto file = OutputFile::create(directory / "run.h5", "kmc");
  for (int row = 0; row < 3; ++row) {
    file.field("height", "a", 10 * row, 0.1 * row, std::vector<std::int32_t>(15, row), {3, 5});
    if (row == 2) file.field("spin", "", 10 * row, 0.1 * row, std::vector<std::int8_t>(15, 1), {3, 5});
  }
  publish(file);
  const std::string xml = bytes_of(directory / "run.h5.xmf");
  const auto tags = elements(xml);
  EXPECT_EQ(std::count(tags.begin(), tags.end(), "Grid"), 1 + 3);
  EXPECT_EQ(std::count(tags.begin(), tags.end(), "Attribute"), 3 + 1);
  EXPECT_THAT(all(xml, "CollectionType=\"([A-Za-z]+)\""), ElementsAre("Temporal"));
  EXPECT_THAT(all(xml, "<Time Value=\"([^\"]*)\""), ElementsAre("0", "0.1", "0.2"));
  EXPECT_THAT(all(xml, "TopologyType=\"2DCoRectMesh\" Dimensions=\"([^\"]*)\""), ElementsAre("4 6", "4 6", "4 6"));
  EXPECT_THAT(
      all(xml, ">([0-9 ]+)</DataItem>\\s*<DataItem Dimensions=\"3 5\"|Format=\"XML\">([0-9 ]{12,})</DataItem>").size(),
      4u);
  EXPECT_THAT(xml, HasSubstr(">1 0 0  1 1 1  1 3 5</DataItem>"));
  EXPECT_THAT(xml, HasSubstr("NumberType=\"Char\" Precision=\"1\""));
  EXPECT_THAT(xml, HasSubstr("Center=\"Cell\""));
}

TEST(Xdmf, DimensionsAndPathsAreThoseOfTheHdf5File) {
  const ScratchDirectory directory;
  auto file = OutputFile::create(directory / "run.h5", "kmc");
  for (int row = 0; row < 2; ++row) file.field("height", "a", row, row, Values(3 * 20, 1), {4, 5});
  publish(file);
  const InputFile back(directory / "run.h5");
  const std::string xml = bytes_of(directory / "run.h5.xmf");
  elements(xml);
  const auto paths = all(xml, "Format=\"HDF\">([^<]*)</DataItem>");
  const auto dimensions =
      all(xml, "<DataItem Dimensions=\"([^\"]*)\" NumberType=\"Float\" Precision=\"8\" Format=\"HDF\">");
  ASSERT_EQ(paths.size(), 2u * 3u) << "two rows of three replicas";
  ASSERT_EQ(dimensions.size(), paths.size());
  for (std::size_t i = 0; i < paths.size(); ++i) {
    EXPECT_EQ(paths[i].substr(0, 7), "run.h5:");
    EXPECT_EQ(dimensions[i], text_of(back.shape(paths[i].substr(7))));
  }
  EXPECT_THAT(all(xml, "Attribute Name=\"([^\"]*)\""),
              ElementsAre("height_0", "height_1", "height_2", "height_0", "height_1", "height_2"));
  EXPECT_THAT(xml, HasSubstr(">1 2 0 0  1 1 1 1  1 1 4 5</DataItem>"));
}

TEST(Xdmf, DifferentLatticesAreDifferentCollections) {
  const ScratchDirectory directory;
  auto file = OutputFile::create(directory / "run.h5", "kmc");
  file.field("fine", "", 1, 0.5, Values(16), {4, 4});
  file.field("coarse", "", 1, 0.5, Values(4), {2, 2});
  file.field("profile", "", 1, 0.5, Values(4), {4});
  file.field("fine", "", 1, 0.5, Values(16), {4, 4});
  publish(file);
  const std::string xml = bytes_of(directory / "run.h5.xmf");
  elements(xml);
  EXPECT_THAT(all(xml, "Name=\"(lattice [^\"]*)\""), ElementsAre("lattice 2 x 2", "lattice 4 x 4"));
  EXPECT_THAT(all(xml, "Attribute Name=\"([^\"]*)\""), ElementsAre("coarse", "fine", "fine"));
  EXPECT_THAT(xml, ::testing::Not(HasSubstr("profile")));
}

TEST(Xdmf, NamesAreEscaped) {
  const ScratchDirectory directory;
  auto file = OutputFile::create(directory / "a&b<c>.h5", "kmc");
  file.field("\"q\" & <r>", "", 1, 0.5, Values(4), {2, 2});
  publish(file);
  const std::string xml = bytes_of(directory / "a&b<c>.h5.xmf");
  elements(xml);
  EXPECT_THAT(xml, HasSubstr("Name=\"&quot;q&quot; &amp; &lt;r&gt;\""));
  EXPECT_THAT(xml, HasSubstr(">a&amp;b&lt;c&gt;.h5:/fields/"));
}

}  // namespace
}  // namespace tessera::io
