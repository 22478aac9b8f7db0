// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "machine/backend.hpp"

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <tessera/core/error.hpp>
#include <tessera/core/kokkos_ext/visit_backend.hpp>

#include "machine/cuda_devices.hpp"
#include "machine/standard_output.hpp"

namespace tessera::program {
namespace {

bool has(Backend backend) {
  const auto built = built_backends();
  return std::ranges::find(built, backend) != built.end();
}

std::string built_names() {
  std::string names;
  for (const Backend backend : built_backends()) names += (names.empty() ? "" : ", ") + backend_name(backend);
  return names;
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const auto colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

}  // namespace

std::string backend_name(Backend backend) {
  return std::array{"serial", "openmp", "cuda"}.at(static_cast<std::size_t>(backend));
}

Backend choose_backend(const std::string& name) {
  std::string reason;
  if (name.empty()) {
    if (has(Backend::cuda) && !cuda_devices(reason).empty()) return Backend::cuda;
    return has(Backend::openmp) ? Backend::openmp : Backend::serial;
  }
  for (const Backend backend : {Backend::serial, Backend::openmp, Backend::cuda}) {
    if (backend_name(backend) != name) continue;
    if (!has(backend)) throw InputError("--backend " + name + ": is not in this build, which has " + built_names());
    if (backend == Backend::cuda && cuda_devices(reason).empty())
      throw InputError("--backend cuda: no CUDA device found (" + reason + ")");
    return backend;
  }
  throw InputError("--backend " + name + ": is unknown; this build has " + built_names() +
                   (name == "gpu" && !has(Backend::cuda) ? "; GPUs require one with cuda" : ""));
}

void check_kokkos(const KokkosSettings& settings) {
  if (settings.device < 0) throw InputError("--device " + std::to_string(settings.device) + ": must be 0 or more");
  check_kokkos_environment();
  if (!has(Backend::cuda)) return;
  std::string reason;
  const auto devices = static_cast<int>(cuda_devices(reason).size());
  if (devices == 0)
    throw InputError("this build of Kokkos has CUDA and requires a CUDA device, even with --backend " +
                     backend_name(settings.backend) + " (" + reason + ")");
  if (settings.backend == Backend::cuda && settings.device >= devices)
    throw InputError("--device " + std::to_string(settings.device) + ": must lie in [0, " +
                     std::to_string(devices - 1) + "]");
}

KokkosScope::KokkosScope(const KokkosSettings& settings) {
  reserve_standard_output();
  Kokkos::InitializationSettings kokkos;
  kokkos.set_disable_warnings(true);
  kokkos.set_num_threads(settings.threads);
#if defined(KOKKOS_ENABLE_OPENMP)
  // Kokkos first starts OpenMP's default number of threads, and then requires that it gets the number it requests.
  omp_set_dynamic(0);
  omp_set_num_threads(settings.threads);
#endif
  if (has(Backend::cuda)) kokkos.set_device_id(settings.backend == Backend::cuda ? settings.device : 0);
  Kokkos::initialize(kokkos);
}

KokkosScope::~KokkosScope() { Kokkos::finalize(); }

std::string kokkos_version() {
  return std::to_string(KOKKOS_VERSION / 10000) + "." + std::to_string(KOKKOS_VERSION / 100 % 100) + "." +
         std::to_string(KOKKOS_VERSION % 100);
}

std::string kokkos_configuration() {
  std::ostringstream text;
  Kokkos::print_configuration(text);
  return text.str();
}

int concurrency(Backend backend) {
  return visit_backend(backend, []<class Space>(std::type_identity<Space>) { return Space().concurrency(); });
}

std::string device_name(const KokkosSettings& settings) {
  if (settings.backend != Backend::cuda) return processor_name();
  std::string reason;
  return cuda_devices(reason).at(static_cast<std::size_t>(settings.device)).name;
}

}  // namespace tessera::program
