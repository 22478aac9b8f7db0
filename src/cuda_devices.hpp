// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tessera::program {

struct CudaDevice {
  std::string name;
  std::string compute_capability;  ///< "9.0"
  std::size_t memory = 0;          ///< bytes
};

/// The CUDA devices that this process can use: none in a build without CUDA or on a machine without driver or device.
/// `reason` then says why there are none. Works without Kokkos having started.
std::vector<CudaDevice> cuda_devices(std::string& reason);

}  // namespace tessera::program
