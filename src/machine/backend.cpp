// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "machine/backend.hpp"

#include <Kokkos_Macros.hpp>
#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <tessera/core/error.hpp>
#include <tessera/core/kokkos_ext/visit_backend.hpp>

#include "machine/standard_output.hpp"
#include "options/text.hpp"

#if defined(KOKKOS_ENABLE_CUDA)
#include <cuda_runtime_api.h>
#endif

namespace tessera::program {
namespace {

bool has(Backend backend) {
  const auto built = built_backends();
  return std::ranges::find(built, backend) != built.end();
}

std::string built_names() { return joined(built_backends(), ", ", backend_name); }

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (const auto colon = line.find(": "); line.starts_with("model name") && colon != std::string::npos)
      return line.substr(colon + 2);
  return "unknown processor";
}

}  // namespace

std::string backend_name(Backend backend) {
  return std::array{"serial", "openmp", "cuda"}.at(static_cast<std::size_t>(backend));
}

#if defined(KOKKOS_ENABLE_CUDA)

std::vector<CudaDevice> cuda_devices(std::string* reason) {
  std::vector<CudaDevice> devices;
  int count = 0;
  cudaError_t error = cudaGetDeviceCount(&count);
  for (int device = 0; error == cudaSuccess && device < count; ++device) {
    cudaDeviceProp properties{};
    error = cudaGetDeviceProperties(&properties, device);
    char bus[32] = "";
    if (error == cudaSuccess) cudaDeviceGetPCIBusId(bus, sizeof(bus), device);
    devices.push_back({properties.name, std::to_string(properties.major) + "." + std::to_string(properties.minor),
                       properties.totalGlobalMem, bus});
  }
  if (error != cudaSuccess) {
    cudaGetLastError();  // else the next call of Kokkos reports it
    devices.clear();
  }
  if (devices.empty() && reason != nullptr)
    *reason = error == cudaSuccess ? "no CUDA-capable device is detected" : cudaGetErrorString(error);
  return devices;
}

std::optional<std::size_t> free_device_memory(int device) {
  std::size_t free = 0, total = 0;
  if (cudaSetDevice(device) == cudaSuccess && cudaMemGetInfo(&free, &total) == cudaSuccess) return free;
  cudaGetLastError();
  return std::nullopt;
}

#else

std::vector<CudaDevice> cuda_devices(std::string* reason) {
  if (reason != nullptr) *reason = "this build has no CUDA";
  return {};
}

std::optional<std::size_t> free_device_memory(int) { return std::nullopt; }

#endif

Backend choose_backend(const std::string& name) {
  std::string reason;
  if (name.empty()) {
    if (has(Backend::cuda) && !cuda_devices().empty()) return Backend::cuda;
    return has(Backend::openmp) ? Backend::openmp : Backend::serial;
  }
  for (const Backend backend : {Backend::serial, Backend::openmp, Backend::cuda}) {
    if (backend_name(backend) != name) continue;
    if (!has(backend)) throw InputError("--backend " + name + ": is not in this build, which has " + built_names());
    if (backend == Backend::cuda && cuda_devices(&reason).empty())
      throw InputError("--backend cuda: no CUDA device found (" + reason + ")");
    return backend;
  }
  throw InputError("--backend " + name + ": is unknown; this build has " + built_names() +
                   (name == "gpu" && !has(Backend::cuda) ? "; GPUs require one with cuda" : ""));
}

void check_kokkos(const Execution& execution) {
  if (execution.device < 0) throw InputError("--device " + std::to_string(execution.device) + ": must be 0 or more");
  if (!has(Backend::cuda)) return;
  std::string reason;
  const auto devices = static_cast<int>(cuda_devices(&reason).size());
  if (devices == 0)
    throw InputError("this build of Kokkos has CUDA and requires a CUDA device, even with --backend " +
                     backend_name(execution.backend) + " (" + reason + ")");
  if (execution.backend == Backend::cuda && execution.device >= devices)
    throw InputError("--device " + std::to_string(execution.device) + ": must lie in [0, " +
                     std::to_string(devices - 1) + "]");
}

Kokkos::InitializationSettings kokkos_settings(const Execution& execution) {
  reserve_standard_output();
  Kokkos::InitializationSettings kokkos;
  kokkos.set_disable_warnings(true);
  kokkos.set_num_threads(execution.threads);
#if defined(KOKKOS_ENABLE_OPENMP)
  // Kokkos first starts OpenMP's default number of threads, and then requires that it gets the number it requests.
  omp_set_dynamic(0);
  omp_set_num_threads(execution.threads);
#endif
  if (has(Backend::cuda)) kokkos.set_device_id(execution.backend == Backend::cuda ? execution.device : 0);
  return kokkos;
}

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

std::string device_name(const Execution& execution) {
  if (execution.backend != Backend::cuda) return processor_name();
  return cuda_devices().at(static_cast<std::size_t>(execution.device)).name;
}

}  // namespace tessera::program
