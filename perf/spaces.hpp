// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <optional>
#include <string>
#include <tessera/core/backend.hpp>
#include <vector>

namespace tessera::perf {

/// An execution space that this Kokkos has.
struct Space {
  std::string name;    ///< as Kokkos calls it
  std::string device;  ///< what it runs on
  int threads;         ///< of a host; 0 on a GPU
};

/// All of them, slowest first. Kokkos is initialised.
std::vector<Space> spaces();

/// The backend that Kokkos calls so; none if the text is no space of this Kokkos, as that of a sequential method.
std::optional<Backend> backend_called(const std::string& space);

/// Names, slowest first.
std::vector<std::string> names_of(const std::vector<Space>& spaces);

/// Name of the host's processor.
std::string processor_name();

}  // namespace tessera::perf
