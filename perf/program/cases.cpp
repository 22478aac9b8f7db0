// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "cases.hpp"

#include <algorithm>
#include <cctype>

namespace tessera::perf {

std::string ProgramCase::name() const {
  const std::string letter = method == "kpz" ? "L" : method == "kmc" ? "n" : "N";
  return "program/" + method + "/" + space + "/" + letter + ":" + std::to_string(static_cast<long>(size));
}

std::vector<std::string> ProgramCase::words() const {
  std::string backend = space;
  std::ranges::transform(backend, backend.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const std::string how_many = std::to_string(static_cast<long>(size));
  std::vector<std::string> words{method, "--backend", backend, "--quiet"};
  if (method == "kpz") words.insert(words.end(), {"--size", how_many, "--steps", "2", "--thread-cell", "1,1"});
  if (method == "kmc") words.insert(words.end(), {"--size", how_many, "--until-events-per-site", "0.1"});
  if (method == "disks") words.insert(words.end(), {"--particles", how_many, "--sweeps", "10"});
  return words;
}

std::vector<ProgramCase> program_cases(const std::string& space, bool only_targets) {
  std::vector<ProgramCase> cases;
  if (!only_targets) cases = {{space, "kpz", 2048}, {space, "disks", 1e5}, {space, "kmc", 1024}};
  // The longest case is last, so that all remaining time is available for it.
  cases.insert(cases.end(), {{space, "kpz", 16384}, {space, "disks", 1e7}, {space, "kmc", 16384}});
  return cases;
}

}  // namespace tessera::perf
