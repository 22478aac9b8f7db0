// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "machine/cuda_devices.hpp"

#include <Kokkos_Macros.hpp>

#if defined(KOKKOS_ENABLE_CUDA)
#include <cuda_runtime_api.h>
#endif

namespace tessera::program {

#if defined(KOKKOS_ENABLE_CUDA)

std::vector<CudaDevice> cuda_devices(std::string& reason) {
  std::vector<CudaDevice> devices;
  int count = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess) {
    reason = cudaGetErrorString(error);
    cudaGetLastError();  // else the next call of Kokkos reports it
    return devices;
  }
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties{};
    if (const cudaError_t error = cudaGetDeviceProperties(&properties, device); error != cudaSuccess) {
      reason = cudaGetErrorString(error);
      cudaGetLastError();
      return {};
    }
    char bus[32] = "";
    cudaDeviceGetPCIBusId(bus, sizeof(bus), device);
    devices.push_back({properties.name, std::to_string(properties.major) + "." + std::to_string(properties.minor),
                       properties.totalGlobalMem, bus});
  }
  if (devices.empty()) reason = "no CUDA-capable device is detected";
  return devices;
}

std::optional<std::size_t> free_device_memory(int device) {
  std::size_t free = 0, total = 0;
  if (cudaSetDevice(device) == cudaSuccess && cudaMemGetInfo(&free, &total) == cudaSuccess) return free;
  cudaGetLastError();
  return std::nullopt;
}

#else

std::vector<CudaDevice> cuda_devices(std::string& reason) {
  reason = "this build has no CUDA";
  return {};
}

std::optional<std::size_t> free_device_memory(int) { return std::nullopt; }

#endif

}  // namespace tessera::program
