// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <tessera/core/memory.hpp>

#include "machine/backend.hpp"

namespace tessera::program {

/// Bytes that can be taken now; nothing where the system does not tell.
struct AvailableMemory {
  std::optional<std::size_t> host;
  std::optional<std::size_t> device;
  bool host_limited = false;  ///< `host` is what the limits of the process (ulimit) leave
};

/// What there is for a run with these settings, for which check_kokkos() has passed.
AvailableMemory available_for(const KokkosSettings& settings);

/// Throws InputError, with what is needed and what is available, if a run would take more than there is: the system
/// ends a program that does, or starts to swap. On a backend of the host the host has to hold all of it.
void check_memory(const MemoryNeeded& needed, Backend backend, const AvailableMemory& available);

/// What to tell of a device of which others have taken memory: they may compute there, too. Empty if nobody has.
std::string taken_by_others(std::size_t total, std::size_t free);

/// The same of the device of a run; empty where there is none.
std::string taken_by_others(const KokkosSettings& settings, const AvailableMemory& available);

}  // namespace tessera::program
