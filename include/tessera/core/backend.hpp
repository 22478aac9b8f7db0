// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <vector>

namespace tessera {

/// An execution space for runs.
enum class Backend { serial, openmp, cuda, hip };

/// Whether this is one of a GPU, of which a Kokkos has at most one.
constexpr bool is_gpu(Backend backend) { return backend >= Backend::cuda; }

/// Execution spaces of this build of Kokkos, in the order of Backend. The first one is a host space.
std::vector<Backend> built_backends();

/// Largest number of bytes that a run allocates for its arrays: on the device, and on the host in addition. A run on a
/// host requires the sum. Computed before allocation.
struct MemoryNeeded {
  std::size_t host = 0, device = 0;  ///< bytes
};

}  // namespace tessera
