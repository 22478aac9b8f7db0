// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "methods.hpp"

#include <algorithm>

namespace tessera::perf {

std::vector<Method> methods(const Options& options, const std::vector<Space>& spaces) {
  std::vector<Method> wanted;
  for (const auto make : {program_method, kpz_method, disks_method, kmc_method}) {
    Method method = make(options, spaces);
    if (std::ranges::find(options.methods, method.name) != options.methods.end()) wanted.push_back(std::move(method));
  }
  return wanted;
}

std::vector<std::string> names_of(const std::vector<Space>& spaces) {
  std::vector<std::string> names;
  for (const Space& space : spaces) names.push_back(space.name);
  return names;
}

}  // namespace tessera::perf
