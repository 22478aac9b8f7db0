// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "spaces.hpp"

#include <Kokkos_Core.hpp>
#include <fstream>
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
#if defined(KOKKOS_ENABLE_SERIAL)
  result.push_back({Kokkos::Serial::name(), processor_name(), 1});
#endif
#if defined(KOKKOS_ENABLE_OPENMP)
  const int threads = Kokkos::OpenMP().concurrency();
  result.push_back({Kokkos::OpenMP::name(), processor_name(), threads});
  if (threads == 1 && result.size() == 2) std::swap(result[0], result[1]);
#endif
#if defined(KOKKOS_ENABLE_CUDA)
  result.push_back({Kokkos::Cuda::name(), Kokkos::Cuda().cuda_device_prop().name, 0});
#endif
  return result;
}

}  // namespace tessera::perf
