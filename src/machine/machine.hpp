// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

namespace tessera::program {

/// The cores' worth of time that the control groups of this process leave it: a quota of 150 % is 1.5. Nothing if they
/// leave it all, or there are none. `root` is where /proc and /sys lie.
std::optional<double> core_quota(const std::filesystem::path& root = "/");

/// Bytes of host memory that this process can take without swapping: what the system calls available, or less by the
/// limits of its control groups. Nothing if the system does not tell.
std::optional<std::size_t> available_memory(const std::filesystem::path& root = "/");

/// Bytes that the limits of the process (ulimit -v and -d) leave it. Nothing if it has none.
std::optional<std::size_t> left_by_limits(const std::filesystem::path& root = "/");

}  // namespace tessera::program
