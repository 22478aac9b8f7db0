// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <vector>

#include "tests/docs/documents.hpp"
#include "tests/docs/shell.hpp"

namespace tessera::testing {
namespace {

std::string name_of(const ::testing::TestParamInfo<std::string>& info) {
  std::string name;
  for (const char c : info.param) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

bool needs_python(const std::string& commands) {
  return commands.find("python3 ") != std::string::npos || commands.find("tessera sweep") != std::string::npos;
}

/// Commands of the program within sentences: a method with two options or more, none of them in capitals.
std::vector<std::string> commands_in_sentences(const std::string& document) {
  std::vector<std::string> commands;
  std::string sentences;
  bool inside = false;
  for (const std::string& line : lines_of(document)) {
    if (line.starts_with("```")) inside = !inside;
    if (!inside && !line.starts_with("```")) sentences += line + " ";
  }
  const std::regex command("`(tessera (?:kmc|kpz|disks|sweep [a-z]+) --[^`]* --[^`]*)`"),
      form(".*( [A-Z]|\\.\\.\\.).*");
  for (std::sregex_iterator i(sentences.begin(), sentences.end(), command), end; i != end; ++i)
    if (!std::regex_match((*i)[1].str(), form)) commands.push_back((*i)[1]);
  return commands;
}

class CommandsOf : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Documents, CommandsOf, ::testing::ValuesIn(documents()), name_of);

// All blocks of a document in one folder, one after the other: commands and Python scripts as they stand, and scripts
// that the document gives as a file.
TEST_P(CommandsOf, RunOnSmallLattices) {
  const Shell shell;
  int left_out = 0;
  for (const Block& block : blocks_of(GetParam())) {
    SCOPED_TRACE(block.text);
    if (block.language == "sh" || block.comment.starts_with("file ")) {
      std::string commands = block.text;
      if (block.comment.starts_with("file ")) {
        const std::string file = block.comment.substr(5);
        shell.folder().write(file, block.text);
        commands = "bash " + file;
      }
      const auto result = needs_python(block.text) ? shell.bash_with_python(commands) : shell.bash(commands);
      left_out += !result.has_value();
      EXPECT_EQ(result ? result->status : 0, 0) << (result ? result->output : "");
    } else if (block.language == "python") {
      std::string modules = "h5py, numpy";
      for (const std::string module : {"matplotlib", "MDAnalysis", "pandas", "xarray"})
        if (block.text.find(module) != std::string::npos) modules += ", " + module;
      const auto result = shell.python(block.text, modules);
      left_out += !result.has_value();
      EXPECT_EQ(result ? result->status : 0, 0) << (result ? result->output : "");
    }
  }
  for (const std::string& command : commands_in_sentences(GetParam())) {
    const ShellResult result = shell.bash(command + "\n");
    EXPECT_EQ(result.status, 0) << command << "\n" << result.output;
  }
  RecordProperty("blocks_without_python", left_out);
}

class InputFile : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Inputs, InputFile, ::testing::ValuesIn(input_files()), name_of);

// The commands in its head, or the plain one.
TEST_P(InputFile, RunsOnASmallLattice) {
  const Shell shell;
  std::string script;
  const std::string prefix = "#     ";
  for (const std::string& line : lines_of(GetParam()))
    if (line.starts_with(prefix)) script += line.substr(prefix.size()) + "\n";
  if (script.empty()) script = "tessera " + method_of(GetParam()) + " --config " + GetParam() + "\n";
  EXPECT_NE(script.find("--config " + GetParam()), std::string::npos) << script;
  const ShellResult result = shell.bash(script);
  EXPECT_EQ(result.status, 0) << script << result.output;
  const std::string output = std::filesystem::path(GetParam()).stem().string() + ".h5";
  EXPECT_TRUE(std::filesystem::exists(shell.folder() / output)) << script << result.output;
}

}  // namespace
}  // namespace tessera::testing
