// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "target_report.hpp"

#include <Kokkos_Core.hpp>
#include <cstdio>

namespace tessera::perf {

std::vector<std::string> space_names() {
  std::vector<std::string> names;
#if defined(KOKKOS_ENABLE_SERIAL)
  names.emplace_back(Kokkos::Serial::name());
#endif
#if defined(KOKKOS_ENABLE_OPENMP)
  names.emplace_back(Kokkos::OpenMP::name());
#endif
#if defined(KOKKOS_ENABLE_CUDA)
  names.emplace_back(Kokkos::Cuda::name());
#endif
  return names;
}

bool is_h200() {
#if defined(KOKKOS_ENABLE_CUDA)
  return std::string(Kokkos::Cuda().cuda_device_prop().name).find("H200") != std::string::npos;
#else
  return false;
#endif
}

void TargetReport::line(const std::string& what, double target, double measured, bool met, bool applies) {
  std::fprintf(stderr, "%-58s target %9.3g  measured %9.3g  %s%s\n", what.c_str(), target, measured,
               met ? "met" : "missed", applies ? "" : " (stated for another machine)");
  all_met_ = all_met_ && (met || !applies);
}

const char* option_value(const std::string& word, const std::string& name) {
  return word.starts_with(name + "=") ? word.c_str() + name.size() + 1 : nullptr;
}

}  // namespace tessera::perf
