// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <optional>
#include <string>
#include <tessera/core/backend.hpp>
#include <vector>

namespace tessera::perf {

/// An execution space of this Kokkos.
struct Space {
  std::string name;    ///< Kokkos' name
  std::string device;  ///< device or processor
  int threads;         ///< threads of a host; 0 on a GPU
};

/// All spaces, slowest first. Requires that Kokkos is initialized.
std::vector<Space> spaces();

/// Backend of the space of this name; empty if this Kokkos has no such space, as for a sequential method.
std::optional<Backend> backend_called(const std::string& space);

/// Whether the space of this name is a GPU's.
inline bool is_of_gpu(const std::string& space) { return space == "Cuda" || space == "HIP"; }

/// Names, slowest first.
std::vector<std::string> names_of(const std::vector<Space>& spaces);

/// Name of the host's processor.
std::string processor_name();

}  // namespace tessera::perf
