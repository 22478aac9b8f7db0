// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tessera::program {

struct CudaDevice {
  std::string name;
  std::string compute_capability;  ///< "9.0"
  std::size_t memory = 0;          ///< bytes
  std::string bus;                 ///< where it is in the machine, "0000:3b:00.0"
};

/// The CUDA devices that this process can use: none in a build without CUDA or on a machine without driver or device.
/// `reason` then says why there are none. Works without Kokkos having started.
std::vector<CudaDevice> cuda_devices(std::string& reason);

/// Bytes of a device's memory that nobody has taken; nothing if it does not tell. Works without Kokkos having started,
/// and leaves the device as Kokkos will choose it.
std::optional<std::size_t> free_device_memory(int device);

}  // namespace tessera::program
