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
  std::string bus;                 ///< PCI bus address, "0000:3b:00.0"
};

/// CUDA devices that this process can use: none in a build without CUDA, or without driver or device. `reason` is then
/// set. Kokkos need not be initialized.
std::vector<CudaDevice> cuda_devices(std::string& reason);

/// Free memory of a device in bytes; empty if not available. Kokkos need not be initialized; its choice of device is
/// unaffected.
std::optional<std::size_t> free_device_memory(int device);

}  // namespace tessera::program
