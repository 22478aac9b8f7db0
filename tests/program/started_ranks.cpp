// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tests/program/started_ranks.hpp"

#include <signal.h>
#include <sys/types.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace tessera::testing {
namespace {

namespace fs = std::filesystem;

/// What is between bars.
std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; std::getline(stream, word, '|');) words.push_back(word);
  return words;
}

/// The processes of tessera in a folder, each with its environment.
std::vector<std::pair<pid_t, std::string>> processes_in(const fs::path& folder) {
  std::vector<std::pair<pid_t, std::string>> found;
  std::error_code error;
  for (fs::directory_iterator at("/proc", error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::error_code gone;
    const auto where = fs::read_symlink(at->path() / "cwd", gone);
    const auto program = fs::read_symlink(at->path() / "exe", gone);
    if (gone || where != fs::canonical(folder) || program != fs::canonical(TESSERA_PROGRAM)) continue;
    std::ifstream file(at->path() / "environ", std::ios::binary);
    found.emplace_back(std::stoi(name), std::string(std::istreambuf_iterator<char>(file), {}));
  }
  return found;
}

/// Asks for up to ten seconds.
template <class Answer>
bool soon(const Answer& answer) {
  for (int i = 0; i < 1000; ++i) {
    if (answer()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace

Process::Options on_ranks(int ranks) {
  Process::Options options;
  options.launcher = words_of(TESSERA_RANK_LAUNCHER);
  options.launcher.push_back(std::to_string(ranks));
  options.environment = words_of(TESSERA_RANK_ENVIRONMENT);
  options.unset = {"OMP_NUM_THREADS"};
  return options;
}

Process::Options alone() {
  Process::Options options;
  options.environment = {"OMP_NUM_THREADS=1"};
  options.unset = {"OMP_NUM_THREADS"};
  return options;
}

std::vector<std::string> own_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    if (line.starts_with("tessera: ") && line.find(" ranks share the device ") == std::string::npos)
      lines.push_back(line);
    at = end + 1;
  }
  return lines;
}

bool signal_rank(int rank, const TemporaryFolder& folder, int number) {
  pid_t id = -1;
  soon([&] {
    for (const auto& [process, environment] : processes_in(folder.path()))
      for (const char* variable : {"PMIX_RANK", "PMI_RANK"})
        if (('\0' + environment).find('\0' + (variable + ("=" + std::to_string(rank))) + '\0') != std::string::npos)
          id = process;
    return id > 0;
  });
  return id > 0 && kill(id, number) == 0;
}

bool none_is_left(const TemporaryFolder& folder) {
  return soon([&] { return processes_in(folder.path()).empty(); });
}

}  // namespace tessera::testing
