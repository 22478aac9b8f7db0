// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
//
// What users can type, right and wrong: the program refuses it in one line or does it, and never crashes or hangs.
#include <gtest/gtest.h>

#include "tests/fuzz/calls.hpp"
#include "tests/fuzz/option_lines.hpp"

namespace tessera::testing {
namespace {

/// Calls that end before Kokkos starts: all options are right, or the place of the output is not.
const Words no_output = "--output no_such_folder/output.h5"_words;

class Options : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, Options, ::testing::Values("kmc", "kpz", "disks"),
                         [](const auto& method) { return std::string(method.param); });

TEST_P(Options, RandomLinesAreRefusedInOneLine) {
  const TemporaryFolder folder;
  const auto seed = case_seed();
  const auto options = options_of(GetParam());
  const auto words = [&](std::size_t n) {
    std::mt19937_64 random(seed * 1000003 + n);
    return Words{GetParam()} + random_words(options, random) + no_output;
  };
  std::vector<std::string> faults;
  call_program_often(
      folder.path(), case_count(1200), words,
      [&](std::size_t n, const CallEnd& end) {
        const std::string fault = fault_of(end, {2});
        return fault.empty() ? "" : line_of(words(n)) + "\n    " + fault;
      },
      faults);
  EXPECT_TRUE(faults.empty()) << listed(faults);
  EXPECT_TRUE(folder.names().empty()) << "nothing was written";
}

TEST_P(Options, RandomInputFilesAreRefusedInOneLine) {
  const TemporaryFolder folder;
  const auto seed = case_seed();
  const auto options = options_of(GetParam());
  const auto input = [&](std::size_t n) {
    std::mt19937_64 random(seed * 1000003 + n);
    return random_input(options, random);
  };
  const auto words = [&](std::size_t n) {
    folder.write("run.ini", input(n));
    return Words{GetParam(), "--config", "run.ini"} + no_output;
  };
  std::vector<std::string> faults;
  call_program_often(
      folder.path(), case_count(1200), words,
      [&](std::size_t n, const CallEnd& end) {
        const std::string fault = fault_of(end, {2});
        return fault.empty() ? "" : line_of({input(n)}) + "\n    " + fault;
      },
      faults);
  EXPECT_TRUE(faults.empty()) << listed(faults);
  EXPECT_EQ(folder.names(), Words{"run.ini"});
}

/// A run of a moment, but for what the options below change.
Words small_run(const std::string& method) {
  const Words machine = "--threads 1 --wall-limit 1 --overwrite --quiet"_words + on_host;
  if (method == "kmc") return machine + "--size 16 --until-time 0.5"_words;
  if (method == "kpz") return machine + "--size 32 --steps 2"_words;
  return machine + "--particles 64 --packing-fraction 0.5 --sweeps 5"_words;
}

/// The words with these instead of those of the same option.
Words with(Words words, const std::string& name, const std::string& value) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] != name) continue;
    words[i + 1] = value;
    return words;
  }
  return words + Words{name, value};
}

std::string fault_of_run(const TemporaryFolder& folder, const Words& words) {
  const CallEnd end = call_program(folder.path(), words);
  std::string fault = fault_of(end, {0, 1, 2, 3});
  if (fault.empty() && end.status == 2 && !folder.names().empty()) fault = "refused, but something was written";
  for (const std::string& name : folder.names()) std::filesystem::remove_all(folder / name);
  return fault.empty() ? "" : line_of(words) + "\n    " + fault;
}

TEST_P(Options, RandomRunsEnd) {
  const TemporaryFolder folder;
  const auto seed = case_seed();
  auto options = options_of(GetParam());
  std::erase_if(options, [](const program::Option& option) {
    return option.group.starts_with("Files") || option.argument.empty();
  });
  std::vector<std::string> faults;
  for (std::size_t n = 0; n < case_count(50); ++n) {
    std::mt19937_64 random(seed * 1000003 + n);
    Words words = small_run(GetParam());
    for (auto count = 1 + random() % 3; count > 0; --count) {
      const auto& option = one_of(options, random);
      words = with(words, "--" + option.name, value_of(option, random));
    }
    if (auto fault = fault_of_run(folder, Words{GetParam()} + words); !fault.empty()) faults.push_back(fault);
  }
  EXPECT_TRUE(faults.empty()) << listed(faults);
}

// Each was a fault once.
TEST(OptionCorpus, LinesEndAsPromised) {
  const TemporaryFolder folder;
  folder.write("two.txt", "0 0\n0.5 0.5\n");
  std::vector<std::string> faults;
  for (const std::string& line : corpus("option_lines.txt")) {
    const TemporaryFolder alone;
    std::filesystem::copy(folder.path(), alone.path());
    const CallEnd end = call_program(alone.path(), words_of_line(line));
    if (auto fault = fault_of(end, {0, 1, 2, 3}); !fault.empty()) faults.push_back(line + "\n    " + fault);
  }
  EXPECT_TRUE(faults.empty()) << listed(faults);
}

TEST(OptionCorpus, InputFilesAreRefusedInOneLine) {
  std::vector<std::string> faults;
  for (const std::string& line : corpus("input_files.txt")) {
    const TemporaryFolder folder;
    folder.write("run.ini", words_of_line(line.substr(line.find(' '))).at(0));
    const CallEnd end =
        call_program(folder.path(), Words{line.substr(0, line.find(' ')), "--config", "run.ini"} + no_output);
    if (auto fault = fault_of(end, {2}); !fault.empty()) faults.push_back(line + "\n    " + fault);
  }
  EXPECT_TRUE(faults.empty()) << listed(faults);
}

TEST(OptionCorpus, LinesReadBack) {
  const Words words{"", "a b", "\x1b[31m", std::string(1000, 'a') + "1", "\\", "\n", "12345678901112"};
  EXPECT_EQ(words_of_line(line_of(words)), words);
  for (const std::string& value : edge_values()) EXPECT_EQ(words_of_line(line_of({value})), Words{value});
}

}  // namespace
}  // namespace tessera::testing
