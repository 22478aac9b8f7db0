// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/sweep.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <tessera/core/error.hpp>

#include "options/shown_text.hpp"

namespace tessera::program {
namespace {

namespace fs = std::filesystem;

/// Starts the module in every version of Python. The working directory is removed from the module path: a random.py in
/// it must not be imported.
constexpr const char* start_module = R"(import sys
folder = sys.argv.pop(1)
sys.path[:] = [place for place in [folder] + sys.path if place]
def refuse(reason):
    sys.stderr.write("tessera: sweep: %s; set TESSERA_PYTHON to another Python (docs/campaigns.md)\n" % reason)
    sys.exit(2)
if sys.version_info < (3, 9):
    refuse("requires Python 3.9 or newer, but %s is %d.%d" % ((sys.executable,) + sys.version_info[:2]))
try:
    from tessera_io.sweeps.__main__ import main
except ImportError as error:
    refuse("requires the Python package tessera_io of this version: %s" % error)
sys.exit(main(sys.argv[1:]))
)";

/// Words that start this program, without its arguments: its path, or a dynamic loader with its arguments.
std::vector<std::string> words_of_start(const std::vector<std::string>& arguments) {
  // If the dynamic loader started the program, it removed its own arguments from those of main().
  std::vector<std::string> words;
  std::ifstream all("/proc/self/cmdline");
  for (std::string word; std::getline(all, word, '\0');) words.push_back(word);
  if (words.size() > arguments.size()) {
    words.resize(words.size() - arguments.size() + 1);
    return words;
  }
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return {error ? arguments.front() : program.string()};
}

/// Directory with the package tessera_io of this program: of the installation, or of its sources. Empty if neither
/// exists.
std::string python_folder(const fs::path& program) {
  for (const fs::path& folder : {program.parent_path() / TESSERA_INSTALLED_PYTHON, fs::path(TESSERA_SOURCE_PYTHON)}) {
    std::error_code error;
    if (fs::exists(folder / "tessera_io/sweeps/__main__.py", error)) return fs::absolute(folder).string();
  }
  return "";
}

}  // namespace

int run_sweep(const std::vector<std::string>& arguments) {
  const auto start = words_of_start(arguments);
  std::string program;
  for (const auto& word : start) program += (program.empty() ? "" : " ") + shell_word(word);
  setenv("TESSERA_PROGRAM", program.c_str(), 1);

  const char* named = std::getenv("TESSERA_PYTHON");
  const std::string python = named != nullptr && *named != '\0' ? named : "python3";
  std::vector<std::string> words{python, "-c", start_module, python_folder(start.back())};
  words.insert(words.end(), arguments.begin() + 2, arguments.end());
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execvp(pointers.front(), pointers.data());
  throw InputError("sweep: requires Python 3.9 or newer, but " + quoted_word(python) + " cannot be started: " +
                   std::strerror(errno) + "; install Python (Debian: python3), or set TESSERA_PYTHON to one");
}

}  // namespace tessera::program
