// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "spaces.hpp"

#include <Kokkos_Core.hpp>
#include <fstream>
#include <tessera/core/host_array.hpp>
#include <tessera/core/kokkos_ext/gpu.hpp>
#include <tessera/core/kokkos_ext/visit_backend.hpp>
#include <utility>

namespace tessera::perf {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

std::vector<Space> spaces() {
  std::vector<Space> result;
  for (const Backend backend : built_backends())
    result.push_back(visit_backend(backend, []<class ExecutionSpace>(std::type_identity<ExecutionSpace>) -> Space {
      if constexpr (!runs_on_host<ExecutionSpace>) {
        return {ExecutionSpace::name(), gpu_properties(ExecutionSpace()).name, 0};
      } else {
        return {ExecutionSpace::name(), processor_name(), ExecutionSpace().concurrency()};
      }
    }));
  // With one thread, OpenMP is slower than Serial.
  if (result.size() > 1 && result[0].threads == 1 && result[1].threads == 1) std::swap(result[0], result[1]);
  return result;
}

std::vector<std::string> names_of(const std::vector<Space>& spaces) {
  std::vector<std::string> names;
  for (const Space& space : spaces) names.push_back(space.name);
  return names;
}

std::optional<Backend> backend_called(const std::string& space) {
  for (const Backend backend : built_backends())
    if (visit_backend(backend, []<class ExecutionSpace>(std::type_identity<ExecutionSpace>) {
          return std::string(ExecutionSpace::name());
        }) == space)
      return backend;
  return std::nullopt;
}

}  // namespace tessera::perf
