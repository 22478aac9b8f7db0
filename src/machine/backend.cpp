// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "machine/backend.hpp"

#include <Kokkos_Macros.hpp>
#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <tessera/core/error.hpp>
#include <tessera/core/kokkos_ext/gpu.hpp>
#include <tessera/core/kokkos_ext/visit_backend.hpp>
#include <type_traits>

#include "machine/standard_output.hpp"
#include "options/text.hpp"

namespace tessera::program {
namespace {

bool has(Backend backend) {
  const auto built = built_backends();
  return std::ranges::find(built, backend) != built.end();
}

bool has_gpu() { return is_gpu(built_backends().back()); }

std::string built_names() { return joined(built_backends(), ", ", backend_name); }

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (const auto colon = line.find(": "); line.starts_with("model name") && colon != std::string::npos)
      return line.substr(colon + 2);
  return "unknown processor";
}

#if defined(TESSERA_GPU)
std::string architecture_of(const auto& properties) {
  if constexpr (requires { properties.gcnArchName; })
    return properties.gcnArchName;
  else
    return "compute capability " + std::to_string(properties.major) + "." + std::to_string(properties.minor);
}
#endif

}  // namespace

std::string backend_name(Backend backend) {
  return std::array{"serial", "openmp", "cuda", "hip"}.at(static_cast<std::size_t>(backend));
}

#if defined(TESSERA_GPU)

std::vector<GpuDevice> gpu_devices(std::string* reason) {
  std::vector<GpuDevice> devices;
  int count = 0;
  auto error = TESSERA_GPU(GetDeviceCount)(&count);
  for (int device = 0; error == TESSERA_GPU(Success) && device < count; ++device) {
    std::remove_cvref_t<decltype(gpu_properties(GpuSpace()))> properties{};
    error = TESSERA_GPU(GetDeviceProperties)(&properties, device);
    char bus[32] = "";
    if (error == TESSERA_GPU(Success)) static_cast<void>(TESSERA_GPU(DeviceGetPCIBusId)(bus, sizeof(bus), device));
    devices.push_back({properties.name, architecture_of(properties), properties.totalGlobalMem, bus});
  }
  if (error != TESSERA_GPU(Success)) {
    static_cast<void>(TESSERA_GPU(GetLastError)());  // else the next call of Kokkos reports it
    devices.clear();
  }
  if (devices.empty() && reason != nullptr)
    *reason = error == TESSERA_GPU(Success) ? "no device is detected" : TESSERA_GPU(GetErrorString)(error);
  return devices;
}

std::optional<std::size_t> free_device_memory(int device) {
  std::size_t free = 0, total = 0;
  if (TESSERA_GPU(SetDevice)(device) == TESSERA_GPU(Success) &&
      TESSERA_GPU(MemGetInfo)(&free, &total) == TESSERA_GPU(Success))
    return free;
  static_cast<void>(TESSERA_GPU(GetLastError)());
  return std::nullopt;
}

#else

std::vector<GpuDevice> gpu_devices(std::string* reason) {
  if (reason != nullptr) *reason = "this build has neither cuda nor hip";
  return {};
}

std::optional<std::size_t> free_device_memory(int) { return std::nullopt; }

#endif

Backend choose_backend(const std::string& name) {
  std::string reason;
  if (name.empty()) {
    if (has_gpu() && !gpu_devices().empty()) return built_backends().back();
    return has(Backend::openmp) ? Backend::openmp : Backend::serial;
  }
  for (const Backend backend : {Backend::serial, Backend::openmp, Backend::cuda, Backend::hip}) {
    const bool is_meant =
        name == "gpu" && has_gpu() ? backend == built_backends().back() : backend_name(backend) == name;
    if (!is_meant) continue;
    if (!has(backend)) throw InputError("--backend " + name + ": is not in this build, which has " + built_names());
    if (is_gpu(backend) && gpu_devices(&reason).empty())
      throw InputError("--backend " + name + ": no GPU found (" + reason + ")");
    return backend;
  }
  throw InputError("--backend " + name + ": is " +
                   (name == "gpu" ? "not in this build, which" : "unknown; this build") + " has " + built_names());
}

void check_kokkos(const Execution& execution) {
  if (execution.device < 0) throw InputError("--device " + std::to_string(execution.device) + ": must be 0 or more");
  if (!has_gpu()) return;
  std::string reason;
  const auto devices = static_cast<int>(gpu_devices(&reason).size());
  if (devices == 0)
    throw InputError("this build of Kokkos has " + backend_name(built_backends().back()) +
                     " and requires a GPU, even with --backend " + backend_name(execution.backend) + " (" + reason +
                     ")");
  if (is_gpu(execution.backend) && execution.device >= devices)
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
  if (has_gpu()) kokkos.set_device_id(is_gpu(execution.backend) ? execution.device : 0);
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
  if (!is_gpu(execution.backend)) return processor_name();
  return gpu_devices().at(static_cast<std::size_t>(execution.device)).name;
}

}  // namespace tessera::program
