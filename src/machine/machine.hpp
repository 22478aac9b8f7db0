// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "machine/backend.hpp"

namespace tessera::program {

/// Cores that the control groups of this process allow it: 1.5 for a quota of 150 %. Empty without a limit. `root` is
/// the directory that contains /proc and /sys.
std::optional<double> core_quota(const std::filesystem::path& root = "/");

/// Size of the thread table in Kokkos' OpenMP backend, which does not check it.
inline constexpr int most_threads = 512;

/// Cores available to this process, or fewer if a control group limits its time.
int available_cores();

/// Number of OpenMP threads of a run: 1 on the serial backend; else `wanted`, the value of --threads, if it is not 0;
/// else KOKKOS_NUM_THREADS or OMP_NUM_THREADS; else available_cores(), divided if `ranks` processes of this node would
/// exceed its cores. Throws InputError above most_threads or OMP_THREAD_LIMIT, and for a variable without a number.
int choose_threads(Backend backend, int wanted, int ranks = 1);

/// Host memory in bytes that this process can allocate without swapping: the available memory of the system, or less if
/// its control groups have limits. Empty if not available.
std::optional<std::size_t> available_memory(const std::filesystem::path& root = "/");

/// Bytes that the limits of the process (ulimit -v and -d) leave. Empty without a limit.
std::optional<std::size_t> left_by_limits(const std::filesystem::path& root = "/");

/// Available memory in bytes; empty if unknown.
struct AvailableMemory {
  std::optional<std::size_t> host;
  std::optional<std::size_t> device;
  bool host_limited = false;  ///< `host` is determined by the limits of the process (ulimit)
};

/// Available memory for a run with this execution, for which check_kokkos() has passed.
AvailableMemory available_for(const Execution& execution);

/// Throws InputError, with required and available memory, if a run requires more than is available: the system would
/// end the program, or swap. Host backends require the sum of host and device memory on the host.
void check_memory(const MemoryNeeded& needed, Backend backend, const AvailableMemory& available);

/// Makes failed allocations throw a std::bad_alloc whose what() is memory_shortage().
void explain_bad_alloc();

/// Message for a failed allocation: required memory (check_memory()), memory of the process, its limits, remedies.
std::string memory_shortage();

/// `tessera info`: version, configuration of Kokkos, backends and devices, also where Kokkos cannot start.
std::string info();

}  // namespace tessera::program
