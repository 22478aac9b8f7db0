// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gmock/gmock.h>

#include <cmath>
#include <ctime>
#include <limits>

#include "options/option_table.hpp"
#include "options/read_options.hpp"
#include "options/text.hpp"
#include "tests/complaint.hpp"
#include "tests/program/temporary_folder.hpp"

namespace {

using tessera::complaint;
using tessera::program::GivenWord;
using tessera::program::OptionTable;
using tessera::program::Role;
using tessera::program::WallSeconds;

struct Sample {
  double phi = 1;
  int tile = 0;
  std::uint64_t seed = 1;
  bool quiet = false;
  std::string model = "sos";
  WallSeconds limit;
  std::string output, restart, list;
  OptionTable table;

  Sample() {
    table.group("Sample");
    table.add("phi", "X", "a number", Role::trajectory, phi);
    table.add("tile", "N", "a whole number", Role::course, tile);
    table.add("seed", "N", "a large whole number", Role::trajectory, seed);
    table.add_switch("quiet", "a switch", Role::session, quiet);
    table.add_choice<std::string>("model", "a choice", Role::trajectory, model, {{"sos", "sos"}, {"ising", "ising"}});
    table.add("wall-limit", "WALL", "a duration", Role::machine, limit);
    table.add("output", "FILE", "a file, recorded", Role::machine, output);
    table.add("restart", "FILE", "a file, not recorded", Role::session, restart);
    tessera::program::Option set;
    set.name = "set";
    set.argument = "LIST";
    set.set = [this](const std::string& text) { list += text + "|"; };
    set.text = [this] { return list.empty() ? "" : "a list"; };
    set.repeats = true;
    table.add(set);
  }

  void command_line(const std::vector<std::string>& words) {
    for (const auto& word : read_command_line(words, table)) set_option(table, word);
  }
  void input(const std::string& text) {
    for (const auto& word : read_input_text(text, "a.ini", table)) set_option(table, word);
  }
};

TEST(NearestWord, IsTheOneWithTheFewestTypingErrors) {
  using tessera::program::edit_distance;
  EXPECT_EQ(edit_distance("phi", "phi"), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("tiel", "tile"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  const std::vector<std::string> known{"size", "seed", "coupling", "until-time", "until-events-per-site"};
  EXPECT_EQ(tessera::program::nearest_word("sede", known), "seed");
  EXPECT_EQ(tessera::program::nearest_word("coupl", known), "coupling");
  EXPECT_EQ(tessera::program::nearest_word("untiltime", known), "until-time");
  EXPECT_EQ(tessera::program::nearest_word("until-evnts-per-sites", known), "until-events-per-site");
}

TEST(NearestWord, IsNoneIfAllDifferMuch) {
  using tessera::program::nearest_word;
  const std::vector<std::string> known{"phi", "p", "q", "size", "device", "until-time"};
  EXPECT_EQ(nearest_word("gpu", known), "");
  EXPECT_EQ(nearest_word("r", known), "");
  EXPECT_EQ(nearest_word("temperature", known), "");
  EXPECT_EQ(nearest_word("", known), "");
  EXPECT_EQ(nearest_word(std::string(100000, 'e'), known), "");
  EXPECT_EQ(nearest_word("pih", known), "phi");
}

TEST(ShownText, IsOneLineWithoutControlCharacters) {
  using tessera::program::shown;
  EXPECT_EQ(shown("phi = 1, \xcf\x86 \xe2\x82\xac \xf0\x9f\x92\x8e", 60),
            "phi = 1, \xcf\x86 \xe2\x82\xac \xf0\x9f\x92\x8e");
  EXPECT_EQ(shown("a\nb\r\tc", 60), "a\\nb\\r\\tc");
  EXPECT_EQ(shown("\x1b]0;title\x07\x7f", 60), "\\x1b]0;title\\x07\\x7f");
  EXPECT_EQ(shown(std::string("\0", 1), 60), "\\x00");
  EXPECT_EQ(shown("\xc2\x9b", 60), "\\xc2\\x9b") << "a control character of two bytes";
  EXPECT_EQ(shown("\xe2\x80\xae", 60), "\\xe2\\x80\\xae") << "turns the direction of writing";
  EXPECT_EQ(shown("\xff\xcf", 60), "\\xff\\xcf") << "no UTF-8";
}

TEST(ShownText, OmitsTheMiddleOfLongText) {
  using tessera::program::shown;
  EXPECT_EQ(shown("0123456789", 10), "0123456789");
  EXPECT_EQ(shown("0123456789X", 10), "0123456...89X");
  EXPECT_EQ(shown(std::string(100000, 'x'), 60).size(), 63u);
  EXPECT_EQ(shown("12345\xcf\x86\xcf\x86\xcf\x86\xcf\x86", 8), "12345...\xcf\x86") << "whole characters";
}

TEST(CommandLine, SetsValues) {
  Sample sample;
  sample.command_line({"--phi", "-1.5", "--tile=16", "--seed", "18446744073709551615", "--quiet", "--model", "ising"});
  EXPECT_EQ(sample.phi, -1.5);
  EXPECT_EQ(sample.tile, 16);
  EXPECT_EQ(sample.seed, std::numeric_limits<std::uint64_t>::max());
  EXPECT_TRUE(sample.quiet);
  EXPECT_EQ(sample.model, "ising");
}

TEST(CommandLine, RefusesValuesThatAnInputFileCannotHold) {
  for (const std::string name : {"a\nb.h5", "a #b.h5", "#b.h5", " a.h5", "a.h5\t", "a\x1b.h5"}) {
    Sample sample;
    EXPECT_THAT(complaint([&] {
                  sample.command_line({"--output", name});
                }),
                ::testing::HasSubstr("must be one line without leading or trailing blanks and without ' #'"))
        << name;
    sample.command_line({"--restart", name});
    EXPECT_EQ(sample.restart, name) << "is not recorded";
  }
  Sample sample;
  sample.command_line({"--output", "a run#2 [1]; \"x\" = $y.h5"});
  Sample again;
  again.input(sample.table.input_text());
  EXPECT_EQ(again.output, sample.output);
}

TEST(CommandLine, AcceptsWholeNumbersWithExponents) {
  const std::vector<std::pair<std::string, int>> cases{{"1e6", 1000000}, {"2.5e3", 2500}, {"-1E2", -100},
                                                       {"1.50e+1", 15},  {"3.0", 3},      {"0e99", 0}};
  for (const auto& [text, value] : cases) {
    Sample sample;
    sample.command_line({"--tile", text});
    EXPECT_EQ(sample.tile, value) << text;
  }
  Sample sample;
  sample.command_line({"--seed", "1.8446744073709551615e19"});
  EXPECT_EQ(sample.seed, std::numeric_limits<std::uint64_t>::max()) << "to the last digit";
}

TEST(CommandLine, KeepsRepeatedValuesAsLines) {
  Sample sample;
  sample.command_line({"--set", "a=1", "--phi", "-0", "--set", "b=2"});
  sample.input("set = c=3\ntile = 1\nset = d=4\n");
  EXPECT_EQ(sample.list, "a=1\nb=2|c=3\nd=4|");
  EXPECT_FALSE(std::signbit(sample.phi)) << "-0 is 0";
  const auto words = read_command_line({"--set", "a=1", "--set", "b=2"}, sample.table);
  EXPECT_EQ(words.at(0).where, "--set a=1 --set b=2");
  sample.table.repeat_what_varies();  // as in a sweep
  EXPECT_EQ(read_command_line({"--phi", "1", "--phi", "2:3:2"}, sample.table).at(0).value, "1\n2:3:2");
  EXPECT_EQ(complaint([&] { sample.command_line({"--output", "a", "--output", "b"}); }), "--output: is given twice");
}

TEST(CommandLine, SuggestsTheIntendedOption) {
  Sample sample;
  const auto about = [&](const std::vector<std::string>& words) {
    const std::string message = complaint([&] { sample.command_line(words); });
    return message.substr(message.find("; ") + 2);
  };
  EXPECT_EQ(about({"--Temperature", "400"}), "did you mean '--set' or '--phi'?");
  EXPECT_EQ(about({"--initial_state", "a"}), "see --help") << "there is no --start";
  double packing = 0;
  std::string file;
  sample.table.add("packing-fraction", "X", "a density", Role::trajectory, packing);
  sample.table.add("processes", "FILE", "a model", Role::session, file);
  EXPECT_EQ(about({"--density", "0.7"}), "did you mean '--packing-fraction'?");
  EXPECT_EQ(about({"--processes", "m.ini", "--T", "400"}), "did you mean '--set T=400'?");
  EXPECT_EQ(about({"--T", "--processes", "m.ini"}), "did you mean '--set T=VALUE'?");
  EXPECT_EQ(about({"--processes", "m.ini", "--parameter", "T=400"}), "did you mean '--set T=400'?");
  EXPECT_EQ(about({"--processes", "m.ini", "--pih", "1"}), "did you mean '--set pih=1' or '--phi'?");
  EXPECT_EQ(complaint([&] { sample.input("tile = 1\nprocesses = m.ini\nT = 400\n"); }),
            "a.ini line 3: unknown key 'T'; did you mean 'set = T=400'?");
}

TEST(CommandLine, RefusesErrorsInOneLine) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"--pih", "1"}, "unknown option '--pih'; did you mean '--phi'?"},
      {{"--tiles=1"}, "unknown option '--tiles'; did you mean '--tile'?"},
      {{"--phi", "one"}, "--phi one: must be a number"},
      {{"--phi", "1x"}, "--phi 1x: must be a number"},
      {{"--phi", "nan"}, "--phi nan: must be a number"},
      {{"--phi="}, "--phi: needs a value"},
      {{"--phi"}, "--phi: needs a value"},
      {{"--phi", "--quiet"}, "--phi: needs a value"},
      {{"--phi", "1", "--phi", "1"}, "--phi: is given twice"},
      {{"--tile", "1.5"}, "--tile 1.5: must be a whole number"},
      {{"--gpu", "1"}, "unknown option '--gpu'; see --help"},
      {{"--" + std::string(200, 'x')},
       "unknown option '--" + std::string(40, 'x') + "..." + std::string(20, 'x') + "'; see --help"},
      {{"--phi", std::string(200, 'x')},
       "--phi " + std::string(40, 'x') + "..." + std::string(20, 'x') + ": must be a number"},
      {{"--phi", "\x1b[31m"}, "--phi \\x1b[31m: must be a number"},
      {{"--tile", "1e-1"}, "--tile 1e-1: must be a whole number"},
      {{"--tile", "1.25e1"}, "--tile 1.25e1: must be a whole number"},
      {{"--tile", "e3"}, "--tile e3: must be a whole number"},
      {{"--tile", "1e"}, "--tile 1e: must be a whole number"},
      {{"--tile", "1e1.5"}, "--tile 1e1.5: must be a whole number"},
      {{"--tile", "3e9"}, "--tile 3e9: must be at most 2147483647 in magnitude"},
      {{"--tile", "-1e999"}, "--tile -1e999: must be at most 2147483647 in magnitude"},
      {{"--seed", "-1e3"}, "--seed -1e3: must be a whole number, 0 or more"},
      {{"--tile", "99999999999"}, "--tile 99999999999: must be at most 2147483647 in magnitude"},
      {{"--seed", "-1"}, "--seed -1: must be a whole number, 0 or more"},
      {{"--model", "potts"}, "--model potts: must be one of sos|ising"},
      {{"--wall-limit", "1:2"}, "--wall-limit 1:2: must be seconds or [D-]HH:MM:SS"},
      {{"--wall-limit", "-5"}, "--wall-limit -5: must not be negative"},
      {{"a.ini"}, "unexpected argument 'a.ini'"},
      {{"-p", "1"}, "unexpected argument '-p'"},
      {{"--quiet", "a.h5"}, "unexpected argument 'a.h5'"},
  };
  for (const auto& [words, message] : cases) {
    Sample sample;
    EXPECT_EQ(complaint([&, &given = words] { sample.command_line(given); }), message);
  }
}

TEST(InputText, SetsValuesAndSkipsComments) {
  Sample sample;
  sample.input("# a comment\n\n  phi = 2.5  # bonds\r\ntile=8\nquiet = yes\nwall-limit = 1-02:03:04\n");
  EXPECT_EQ(sample.phi, 2.5);
  EXPECT_EQ(sample.tile, 8);
  EXPECT_TRUE(sample.quiet);
  EXPECT_EQ(sample.limit.value, 86400 + 2 * 3600 + 3 * 60 + 4);
}

TEST(InputText, NamesTheLineOfAnError) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"phi = 1\n\npih = 2\n", "a.ini line 3: unknown key 'pih'; did you mean 'phi'?"},
      {"phi = x\n", "a.ini line 1: phi = x: must be a number"},
      {"phi =\n", "a.ini line 1: phi = : must be a number"},
      {"phi = 1\nphi = 1\n", "a.ini line 2: phi: is already given in line 1"},
      {"phi 1\n", "a.ini line 1: 'phi 1': must be `key = value`"},
      {"= 1\n", "a.ini line 1: '= 1': must be `key = value`"},
      {"[kmc]\nphi = 1\n", "a.ini line 1: [kmc]: an input file has no sections; give all keys without them"},
      {"# ok\nmodel = potts", "a.ini line 2: model = potts: must be one of sos|ising"},
  };
  for (const auto& [text, message] : cases) {
    Sample sample;
    EXPECT_EQ(complaint([&, &input = text] { sample.input(input); }), message) << text;
  }
}

TEST(InputFile, RefusesFilesThatAreNotText) {
  const tessera::testing::TemporaryFolder folder;
  const Sample sample;
  folder.write("nul.ini", std::string("phi = 1\n\0", 9));
  folder.write("hdf5.ini", "\x89HDF\r\n\x1a\n");
  folder.write("large.ini", std::string((1 << 26) + 1, '#'));
  folder.write("good.ini", "\xef\xbb\xbfphi = 3\n# \xcf\x86\n");
  const auto message = [&](const std::string& name) {
    return complaint([&] { read_input_file(folder / name, sample.table); });
  };
  EXPECT_THAT(message("missing.ini"), ::testing::HasSubstr("missing.ini: no such file"));
  EXPECT_THAT(message(std::string(300, 'a')), ::testing::HasSubstr("File name too long (a name has up to"));
  EXPECT_THAT(message("."), ::testing::HasSubstr("is a directory"));
  EXPECT_THAT(message("nul.ini"), ::testing::HasSubstr("is not an input file"));
  EXPECT_THAT(message("hdf5.ini"), ::testing::HasSubstr("is not an input file"));
  EXPECT_THAT(message("large.ini"), ::testing::HasSubstr("is not an input file"));
  EXPECT_EQ(read_input_file(folder / "good.ini", sample.table).at(0).value, "3");
}

TEST(OptionTable, InputTextReadsBackToTheSameValues) {
  Sample sample;
  sample.phi = 0.1 + 0.2;
  sample.seed = std::numeric_limits<std::uint64_t>::max();
  sample.quiet = true;
  sample.limit.value = 0.1;
  const std::string text = sample.table.input_text();
  EXPECT_EQ(text.find("quiet"), std::string::npos) << "about one call only, not recorded";
  Sample copy;
  copy.input(text);
  EXPECT_EQ(copy.phi, sample.phi);
  EXPECT_EQ(copy.seed, sample.seed);
  EXPECT_EQ(copy.limit.value, sample.limit.value);
  EXPECT_EQ(copy.table.input_text(), text);
}

TEST(InputFile, WithAMillionBlankLinesIsReadWithinASecond) {
  Sample sample;
  const std::clock_t start = std::clock();
  sample.input(std::string(1000000, '\n'));
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, 1) << "of a processor";
}

TEST(OptionTable, InfinityIsAValue) {
  Sample sample;
  sample.phi = std::numeric_limits<double>::infinity();
  Sample copy;
  copy.input(sample.table.input_text());
  EXPECT_EQ(copy.phi, sample.phi);
}

}  // namespace
