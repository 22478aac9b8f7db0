// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace tessera::program {

/// Cores that the control groups of this process allow it: 1.5 for a quota of 150 %. Empty without a limit. `root` is
/// the directory that contains /proc and /sys.
std::optional<double> core_quota(const std::filesystem::path& root = "/");

/// Host memory in bytes that this process can allocate without swapping: the available memory of the system, or less if
/// its control groups have limits. Empty if not available.
std::optional<std::size_t> available_memory(const std::filesystem::path& root = "/");

/// Bytes that the limits of the process (ulimit -v and -d) leave. Empty without a limit.
std::optional<std::size_t> left_by_limits(const std::filesystem::path& root = "/");

/// `tessera info`: version, Kokkos configuration, backends and devices. Reports if Kokkos cannot start without a
/// device.
std::string info();

}  // namespace tessera::program
