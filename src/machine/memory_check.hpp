// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <tessera/core/memory.hpp>

#include "machine/backend.hpp"

namespace tessera::program {

/// Available memory in bytes; empty if unknown.
struct AvailableMemory {
  std::optional<std::size_t> host;
  std::optional<std::size_t> device;
  bool host_limited = false;  ///< `host` is determined by the limits of the process (ulimit)
};

/// Available memory for a run with these execution, for which check_kokkos() has passed.
AvailableMemory available_for(const Execution& execution);

/// Throws InputError, with required and available memory, if a run requires more than is available: the system would
/// end the program, or swap. Host backends require the sum of host and device memory on the host.
void check_memory(const MemoryNeeded& needed, Backend backend, const AvailableMemory& available);

/// Warning if other processes use memory of the device, and so may compute on it. Empty otherwise.
std::string taken_by_others(std::size_t total, std::size_t free);

/// Makes failed allocations throw a std::bad_alloc whose what() is memory_shortage().
void explain_bad_alloc();

/// Sets the estimated host memory of the run, for memory_shortage(); check_memory() does so.
void set_memory_of_run(std::size_t bytes);

/// Message for a failed allocation: memory required by the run, memory of the process, its limits, and remedies.
std::string memory_shortage();

}  // namespace tessera::program
