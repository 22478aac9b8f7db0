// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "processes/model_file.hpp"

#include <gmock/gmock.h>

#include <ctime>
#include <filesystem>
#include <string>

#include "processes/compile.hpp"
#include "tests/complaint.hpp"
#include "tests/processes/models.hpp"
#include "tests/program/temporary_folder.hpp"

namespace tessera::processes {
namespace {

using ::tessera::testing::TemporaryFolder;

class Includes : public ::testing::Test {
 protected:
  /// The model in a file of the folder.
  ModelFile model(const std::string& file) const {
    return read_model(text_with_includes(folder_ / file), (folder_ / file).string());
  }
  /// What is said of a file, without the name of the folder.
  std::string about(const std::string& file) const {
    std::string text = complaint([&] { compile(model(file), {}); });
    const std::string folder = folder_.path().string() + "/";
    for (auto at = text.find(folder); at != std::string::npos; at = text.find(folder)) text.erase(at, folder.size());
    return text;
  }
  void write(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories((folder_ / file).parent_path());
    folder_.write(file, text);
  }

  TemporaryFolder folder_;
};

TEST_F(Includes, MayBeginWithAByteOrderMark) {
  write("lattice.ini", "\xef\xbb\xbf" + square_lattice());
  write("all.ini", "\xef\xbb\xbfinclude = lattice.ini\n" + process("up", "k", "empty@a", "CO@a"));
  EXPECT_EQ(model("all.ini").processes.size(), 1u);
}

TEST_F(Includes, OfOtherBytesThanUtf8AreRefused) {
  write("lattice.ini", square_lattice() + "# \xc3\xa9\n# caf\xe9\n");
  write("all.ini", "include = lattice.ini\n");
  const std::string what = "'\\xe9' is not UTF-8; must be plain text in UTF-8";
  EXPECT_EQ(about("lattice.ini"), "line 28: " + what);
  EXPECT_EQ(about("all.ini"), "line 1: include = lattice.ini: line 28: " + what);
  write("model.xml", "<?xml version='1.0' encoding='ISO-8859-1'?>\n<kmc version='caf\xe9'/>\n");
  EXPECT_EQ(about("model.xml"), "line 2: " + what);
}

TEST_F(Includes, OfXmlAreRefused) {
  write("model.xml", "\n<?xml version='1.0'?>\n<kmc version='(0, 4)'>\n</kmc>\n");
  write("all.ini", "include = model.xml\n");
  EXPECT_EQ(about("all.ini"), "line 1: include = model.xml: is XML; must be an .ini file");
}

TEST_F(Includes, ReplaceTheirLines) {
  write("parts/lattice.ini", square_lattice());
  write("parts/up.ini", "include = lattice.ini\n" + process("up", "k", "empty@a", "CO@a"));
  write("down.ini", "include = parts/lattice.ini\n" + process("down", "1", "CO@a", "empty@a"));
  write("all.ini", "# parts\ninclude = parts/up.ini\n  include: down.ini\n\n" + process("over", "2", "CO@a", "O@a"));
  const ModelFile read = model("all.ini");
  EXPECT_EQ(read.name, "test");
  ASSERT_EQ(read.processes.size(), 3u);
  EXPECT_EQ(read.processes[0].name, "up");
  EXPECT_EQ(read.processes[1].name, "down");
  EXPECT_EQ(read.source.place(read.processes[0].line), (folder_ / "parts/up.ini").string() + " line 2");
  EXPECT_EQ(read.source.place(read.processes[1].line), (folder_ / "down.ini").string() + " line 2");
  EXPECT_EQ(read.source.place(read.processes[2].line), (folder_ / "all.ini").string() + " line 5");
  EXPECT_EQ(read.source.place(read.parameters[0].value.line), (folder_ / "parts/lattice.ini").string() + " line 17");
}

TEST_F(Includes, ReportErrorsWithTheirOwnLines) {
  write("lattice.ini", square_lattice());
  write("all.ini", "include = lattice.ini\n" + process("p", "k", "NO@a", "CO@a"));
  EXPECT_EQ(about("all.ini"), "all.ini line 4: species 'NO' is not defined; valid species are empty, CO and O");
  write("all.ini", "\ninclude = lattice.ini\n[Species O]\n");
  EXPECT_EQ(about("all.ini"), "all.ini line 3: [Species O]: is already given in lattice.ini line 14");
  write("all.ini", "include = lattice.ini\n" + process("p", "k", "CO@a", "O@a", "enabled = yes\nenabled = yes"));
  EXPECT_EQ(about("all.ini"), "all.ini line 7: enabled: is already given in line 6");
  write("more.ini", "include = lattice.ini\n[Parameter f]\nvalue = g\n[Parameter g]\nvalue = 1/(\n");
  write("all.ini", "include = more.ini\n" + process("p", "f", "CO@a", "O@a"));
  EXPECT_EQ(about("all.ini"), "more.ini line 5: value of g: '1/(': is incomplete at its end");
}

TEST_F(Includes, DoNotContinueSectionsOfOtherFiles) {
  write("lattice.ini", square_lattice() + process("p", "k", "CO@a", "O@a"));
  write("all.ini", "include = lattice.ini\nenabled = no\n");
  EXPECT_EQ(about("all.ini"), "all.ini line 2: enabled: a section such as [Meta] must come first");
  write("all.ini", "include = lattice.ini\n  + O@a.(1,0,0)\n");
  EXPECT_EQ(about("all.ini"), "all.ini line 2: '+ O@a.(1,0,0)': must be `key = value` or [SECTION]");
  write("all.ini", "[Meta]\ninclude = lattice.ini\n");
  EXPECT_EQ(about("all.ini"), "all.ini line 2: include: must stand before the first section");
}

TEST_F(Includes, AreRefusedIfUnreadable) {
  write("all.ini", "# none\ninclude = none.ini\n");
  EXPECT_EQ(about("all.ini"), "line 2: include = none.ini: cannot be read: No such file or directory");
  write("parts/one.ini", "include = two.ini\n");
  write("parts/two.ini", "\n\ninclude = ../parts/one.ini\n");
  write("all.ini", "include = parts/one.ini\n");
  EXPECT_EQ(about("all.ini"), "parts/two.ini line 3: include = ../parts/one.ini: the file includes itself");
  write("all.ini", "include =\n");
  EXPECT_EQ(about("all.ini"), "line 1: include = : must be the name of a file");
}

TEST_F(Includes, AreLimitedInDepthButNotInNumberOrSize) {
  const auto chain = [&](int length) {
    for (int i = 0; i < length; ++i)
      write("part" + std::to_string(i) + ".ini", "include = part" + std::to_string(i + 1) + ".ini\n");
    write("part" + std::to_string(length) + ".ini", square_lattice() + process("up", "k", "empty@a", "CO@a"));
    return about("part0.ini");
  };
  EXPECT_EQ(chain(99), "");
  EXPECT_EQ(chain(100),
            "part99.ini line 1: include = part100.ini: is nested too deeply; files include others at most 99 deep");
  // Files compared with all others would take a hundred times as long for ten times as many.
  const auto seconds_of = [&](int count) {
    std::string all;
    for (int i = 0; i < count; ++i) {
      write("flat" + std::to_string(i) + ".ini", "[Parameter q" + std::to_string(i) + "]\nvalue = 1\n");
      all += "include = flat" + std::to_string(i) + ".ini\n";
    }
    write("all.ini", all);
    const std::clock_t begin = std::clock();
    EXPECT_THAT(text_with_includes(folder_ / "all.ini"),
                ::testing::HasSubstr("[Parameter q" + std::to_string(count - 1) + "]"));
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  };
  const double few = seconds_of(150);
  EXPECT_LT(seconds_of(1500), 40 * few + 0.2);
  std::string large = "include = flat0.ini\n";
  large.resize(600'001, '\n');
  write("large.ini", large);
  write("all.ini", "include = large.ini\n" + large + square_lattice() + process("up", "k", "empty@a", "CO@a"));
  EXPECT_EQ(model("all.ini").processes.size(), 1u);
}

}  // namespace
}  // namespace tessera::processes
