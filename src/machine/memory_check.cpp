// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "machine/memory_check.hpp"

#include <tessera/core/error.hpp>

#include "machine/cuda_devices.hpp"
#include "machine/machine.hpp"
#include "machine/memory_shortage.hpp"
#include "options/number_text.hpp"

namespace tessera::program {
namespace {

void compare(std::size_t needed, const std::optional<std::size_t>& available, const std::string& where,
             bool limited = false) {
  if (!available || needed <= *available) return;
  throw InputError("the run needs " + gibibytes(needed) + " GiB of " + where + " memory, but " +
                   (limited ? "ulimit leaves " + gibibytes(*available) + " GiB; raise that limit, or"
                            : gibibytes(*available) + " GiB are available;") +
                   " use a smaller system or fewer replicas");
}

}  // namespace

AvailableMemory available_for(const KokkosSettings& settings) {
  AvailableMemory available;
  available.host = available_memory();
  if (const auto left = left_by_limits(); left && (!available.host || *left < *available.host)) {
    available.host = left;
    available.host_limited = true;
  }
  if (settings.backend == Backend::cuda) available.device = free_device_memory(settings.device);
  return available;
}

void check_memory(const MemoryNeeded& needed, Backend backend, const AvailableMemory& available) {
  const bool apart = backend == Backend::cuda;
  const std::size_t of_host = apart ? needed.host : needed.host + needed.device;
  set_memory_of_run(of_host);
  compare(of_host, available.host, "host", available.host_limited);
  if (apart) compare(needed.device, available.device, "device");
}

std::string taken_by_others(std::size_t total, std::size_t free) {
  constexpr std::size_t own = std::size_t{3} << 29;  // a process takes about 0.5 GiB for itself
  if (free >= total || total - free < own) return "";
  return "other programs use " + gibibytes(total - free) + " of the " + gibibytes(total) +
         " GiB of the device's memory; if they compute there, too, both runs are slower";
}

std::string taken_by_others(const KokkosSettings& settings, const AvailableMemory& available) {
  if (settings.backend != Backend::cuda || !available.device) return "";
  std::string reason;
  return taken_by_others(cuda_devices(reason).at(static_cast<std::size_t>(settings.device)).memory, *available.device);
}

}  // namespace tessera::program
