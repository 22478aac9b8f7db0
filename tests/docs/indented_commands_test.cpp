// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
//
// Commands that the documents indent, which need a network, a GPU, Spack or half an hour of building: those of
// `tessera` are run, of the others every option, preset, target, folder and name is looked up where it must be known.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/property_tree/json_parser.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <sstream>

#include "tests/docs/documents.hpp"
#include "tests/docs/shell.hpp"

namespace tessera::testing {
namespace {

using Words = std::vector<std::string>;

bool contains(const std::string& file, const std::string& text) {
  return text_of(file).find(text) != std::string::npos;
}

/// Whether a list of CMakePresets.json ("workflowPresets") has a preset of this name.
bool has_preset(const std::string& list, const std::string& name) {
  boost::property_tree::ptree tree;
  boost::property_tree::read_json((source_folder() / "CMakePresets.json").string(), tree);
  for (const auto& [key, preset] : tree.get_child(list))
    if (preset.get<std::string>("name") == name) return true;
  return false;
}

/// The word after another one; empty if there is none.
std::string after(const Words& words, const std::string& word) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (words[i] == word) return words[i + 1];
  return "";
}

/// The option's name, --name or -Dname, of a word; empty for any other word.
std::string option_of(const std::string& word) {
  std::smatch match;
  return std::regex_match(word, match, std::regex("(--[A-Za-z_-]+|-D[A-Za-z_]+|-[A-Z]+)(=.*)?")) ? match[1].str() : "";
}

void expect_known_options(const Words& words, const std::function<bool(const std::string&)>& is_known) {
  for (const std::string& word : words)
    if (const std::string option = option_of(word); !option.empty()) {
      EXPECT_TRUE(is_known(option)) << option;
    }
}

void check_cmake(const Words& words) {
  const std::string dependencies = text_of("cmake/TesseraDependencies.cmake") + "find_package(tessera";
  expect_known_options(words, [&](const std::string& option) {
    if (option.starts_with("-DTESSERA_"))
      return contains("CMakeLists.txt", "option(" + option.substr(2) + " ") ||
             contains("CMakeLists.txt", "set(" + option.substr(2) + " ");
    if (option.ends_with("_ROOT"))
      return dependencies.find("find_package(" + option.substr(2, option.size() - 7)) != std::string::npos;
    for (const char* of_cmake : {"-S", "-B", "--build", "--install", "--parallel", "--target", "--workflow", "--preset",
                                 "-DCMAKE_BUILD_TYPE", "-DCMAKE_INSTALL_PREFIX", "-DCMAKE_CXX_COMPILER"})
      if (option == of_cmake) return true;
    return false;
  });
  if (const std::string preset = after(words, "--preset"); !preset.empty()) {
    EXPECT_TRUE(has_preset(words.at(1) == "--workflow" ? "workflowPresets" : "configurePresets", preset)) << preset;
  }
  if (const std::string target = after(words, "--target"); !target.empty()) {
    EXPECT_TRUE(contains("perf/CMakeLists.txt", "  " + target + "\n") ||
                contains("cmake/TesseraDoc.cmake", "(" + target + " ") ||
                contains("tests/fuzz/CMakeLists.txt", "  " + target.substr(target.rfind('_') + 1) + "\n"))
        << target;
  }
}

void check_ctest(const Words& words) {
  expect_known_options(words, [](const std::string& option) {
    return option == "--preset" || option == "--test-dir" || option == "-R" || option == "-L" || option == "-LE";
  });
  if (const std::string preset = after(words, "--preset"); !preset.empty()) {
    EXPECT_TRUE(has_preset("testPresets", preset)) << preset;
  }
  for (const char* label : {"-L", "-LE"})
    if (const std::string name = after(words, label); !name.empty()) {
      EXPECT_TRUE(contains("tests/TesseraTest.cmake", "set(label " + name + ")")) << name;
    }
  if (const std::string name = after(words, "-R"); !name.empty()) {
    bool found = name == "OpenMP" || name == "Serial" || name == "Cuda";  // of typed tests
    for (const auto& entry : std::filesystem::recursive_directory_iterator(source_folder() / "tests"))
      if (entry.path().extension() == ".cpp") found = found || contains(entry.path().string(), name);
    EXPECT_TRUE(found) << name;
  }
}

void check_spack(const Words& words) {
  const std::string& command = words.at(1);
  if (command == "env") {
    EXPECT_TRUE(std::filesystem::exists(source_folder() / words.at(3) / "spack.yaml")) << words.at(3);
  } else if (command == "repo") {
    EXPECT_TRUE(std::filesystem::exists(source_folder() / words.at(3) / "repo.yaml")) << words.at(3);
  } else if (command == "mirror") {
    EXPECT_TRUE(words.at(2) == "create" || words.at(2) == "add") << words.at(2);
  } else if (command == "bootstrap") {
    EXPECT_EQ(words.at(2), "mirror");
  } else if (command == "external") {
    EXPECT_TRUE(contains("spack/mpi/spack.yaml", "\n    " + words.at(3) + ":\n")) << words.at(3);
  } else {
    const std::string recipe = "spack/repo/spack_repo/tessera/packages/tessera/package.py";
    EXPECT_TRUE(command == "install" || command == "load" || command == "test" || command == "dev-build") << command;
    const auto of_recipe = [](const std::string& word) { return word.substr(0, word.find('@')) == "tessera"; };
    EXPECT_TRUE(words.size() == 2 || std::any_of(words.begin(), words.end(), of_recipe));
    for (const std::string& word : words)
      if (word[0] == '+' && word != "+cuda") {
        EXPECT_TRUE(contains(recipe, "\"" + word.substr(1) + "\", default=")) << word;
      }
  }
}

void check_pip(const Words& words) {
  EXPECT_EQ(words.at(1), "install");
  EXPECT_TRUE(std::filesystem::exists(source_folder() / words.back() / "pyproject.toml")) << words.back();
}

/// python3 -m venv ... or -m pip ..., which tests/python/install_test.py runs.
void check_python(const Words& words) {
  EXPECT_EQ(words.at(1), "-m");
  EXPECT_TRUE(contains("tests/python/install_test.py", "-m " + words.at(2)));
  if (words[2] == "pip") check_pip(Words(words.begin() + 2, words.end()));
}

void check_installed_script(const Words& words) {
  EXPECT_TRUE(contains("python/pyproject.toml", words[0].substr(words[0].rfind('/') + 1) + " = "));
}

/// A folder of Tessera's.
void check_export(const Words& words) {
  const std::string here = "=$PWD/";
  const auto at = words.at(1).find(here);
  ASSERT_NE(at, std::string::npos);
  EXPECT_TRUE(std::filesystem::is_directory(source_folder() / words[1].substr(at + here.size()))) << words[1];
}

/// What CMake installs.
void check_module(const Words& words) {
  EXPECT_TRUE(words.at(1) == "use" || words.at(1) == "load");
  EXPECT_TRUE(contains("CMakeLists.txt", "/modulefiles/tessera"));
}

void check_apt(const Words& words) {
  EXPECT_EQ(words.at(1), "install");
  for (std::size_t i = 2; i < words.size(); ++i)
    EXPECT_TRUE(contains("tools/quickstart/debian.sh", words[i])) << words[i];
}

void check_tessera_perf(const Words& words) {
  expect_known_options(words, [](const std::string& option) {
    return option.starts_with("--benchmark_") || contains("perf/options.cpp", "\"" + option + "=\"") ||
           contains("perf/options.cpp", "\"" + option + "\"");
  });
}

/// What follows -- is for tessera_perf.
void check_script(const Words& words) {
  const auto rest = std::find(words.begin(), words.end(), "--");
  expect_known_options(Words(words.begin(), rest),
                       [&](const std::string& option) { return contains(words.front(), "\"" + option + "\""); });
  check_tessera_perf(Words(rest, words.end()));
}

/// What mpirun or srun starts, as one process: the tests of ranks start several.
void check_launcher(const Words& words) {
  const auto program = std::find(words.begin(), words.end(), "tessera");
  ASSERT_NE(program, words.end());
  std::string call;
  for (auto word = program; word != words.end(); ++word) call += *word + " ";
  const ShellResult result = Shell().bash(call);
  EXPECT_EQ(result.status, 0) << result.output;
}

void check_quickstart(const Words& words) {
  if (words.size() == 1) return;
  EXPECT_TRUE(contains("quickstart", "\n./quickstart " + words[1])) << words[1];
  std::string rest;
  for (std::size_t i = 2; i < words.size(); ++i) rest += " " + words[i];
  const Shell shell;
  if (words[1] == "tessera" && words.size() > 2) {
    const ShellResult result = shell.bash("tessera" + rest);
    EXPECT_EQ(result.status, 0) << result.output;
  } else if (words[1] == "mpirun") {
    check_launcher(words);
  } else if (words[1] == "reproduce") {
    const auto result = shell.bash_with_python("python3 -m tessera_reproduce" + rest + " --cost");
    EXPECT_EQ(result ? result->status : 0, 0) << (result ? result->output : "");
  }
}

void check_user_program(const Words& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  if (line.starts_with("target_link_libraries")) line = line.substr(line.find(' ') + 1);
  if (line.starts_with("build/")) line = line.substr(6);
  EXPECT_TRUE(contains("tests/install/user_program/CMakeLists.txt", line)) << line;
}

const std::map<std::string, std::function<void(const Words&)>>& checks() {
  static const std::map<std::string, std::function<void(const Words&)>> known{
      {"cmake", check_cmake},
      {"ctest", check_ctest},
      {"spack", check_spack},
      {"$HOME/tessera-python/bin/pip", check_pip},
      {"$HOME/tessera-python/bin/tessera-plot", check_installed_script},
      {"$HOME/.local/bin/tessera-plot", check_installed_script},
      {"module", check_module},
      {"python3", check_python},
      {"export", check_export},
      {"apt-get", check_apt},
      {"mpirun", check_launcher},
      {"srun", check_launcher},
      {"tessera_perf", check_tessera_perf},
      {"build/tessera_perf", check_tessera_perf},
      {"perf/compare.py", check_script},
      {"perf/roofline.py", check_script},
      {"perf/summary.py", check_script},
      {"./quickstart", check_quickstart},
      {"build/lattice_gas", check_user_program},
      {"find_package(tessera", check_user_program},
      {"target_link_libraries(my_program", check_user_program},
  };
  return known;
}

/// The words of a command without the settings of variables before it, the comment and the quotes.
Words words_of(std::string line) {
  line = std::regex_replace(line, std::regex(" +# .*| *>.*|'"), "");
  std::istringstream stream(line);
  Words words;
  for (std::string word; stream >> word;)
    if (!words.empty() || !std::regex_match(word, std::regex("[A-Z_]+=.*"))) words.push_back(word);
  return words;
}

/// Indented lines, which a backslash continues, and commands in back quotes; a line `key = value` or of a formula is
/// none.
std::vector<std::string> commands_of(const std::string& document) {
  std::vector<std::string> commands;
  const std::regex quoted("`((?:\\./quickstart|ctest|cmake|spack|pip) [^`]*)`");
  bool inside = false, continued = false;
  for (const std::string& line : lines_of(document)) {
    if (line.starts_with("```")) inside = !inside;
    if (inside) continue;
    if (continued) {
      commands.back() += line.substr(line.find_first_not_of(' '));
      continued = commands.back().ends_with('\\');
      if (continued) commands.back().pop_back();
    } else if (line.starts_with("    ") && line.find(" = ") == std::string::npos) {
      commands.push_back(line.substr(4));
      continued = commands.back().ends_with('\\');
      if (continued) commands.back().pop_back();
    } else {
      for (std::sregex_iterator i(line.begin(), line.end(), quoted), end; i != end; ++i)
        if ((*i)[1].str().find("...") == std::string::npos) commands.push_back((*i)[1]);
    }
  }
  return commands;
}

TEST(IndentedCommands, NameExistingFilesAndOptions) {
  std::vector<std::string> with_benchmarks = documents();
  with_benchmarks.emplace_back("perf/README.md");
  int checked = 0;
  for (const std::string& document : with_benchmarks)
    for (const std::string& command : commands_of(document)) {
      SCOPED_TRACE(document + ": " + command);
      const Words words = words_of(command);
      const auto check = checks().find(words.at(0));
      if (check == checks().end()) {
        ADD_FAILURE() << "no test knows this command";
        continue;
      }
      check->second(words);
      ++checked;
    }
  EXPECT_GT(checked, 40);
}

}  // namespace
}  // namespace tessera::testing
