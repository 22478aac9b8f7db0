// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "sweep/machine_share.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <tessera/core/error.hpp>

#include "cuda_devices.hpp"
#include "machine.hpp"
#include "threads.hpp"

namespace tessera::program {
namespace {

std::size_t host_memory(const Point& point) {
  return point.memory.host + (point.backend == Backend::cuda ? 0 : point.memory.device);
}

}  // namespace

Machine this_machine(Backend backend) {
  Machine machine;
  machine.cores = available_cores();
  machine.memory = available_memory();
  std::string reason;
  if (backend == Backend::cuda) machine.devices = static_cast<int>(cuda_devices(reason).size());
  return machine;
}

MachineShare share_machine(const Machine& machine, const std::vector<Point>& points, int wanted_jobs,
                           int wanted_threads, const std::vector<int>& wanted_devices) {
  const auto on = [&](Backend backend) {
    return std::ranges::any_of(points, [&](const Point& point) { return point.backend == backend; });
  };
  const int count = static_cast<int>(points.size());
  MachineShare share;
  int carried = std::max(1, machine.cores);
  if (on(Backend::cuda)) {
    share.devices = wanted_devices;
    for (int device = 0; wanted_devices.empty() && device < machine.devices; ++device) share.devices.push_back(device);
    for (const int device : share.devices)
      if (device < 0 || device >= machine.devices)
        throw InputError("--device " + std::to_string(device) + ": must lie in 0 to " +
                         std::to_string(machine.devices - 1));
    carried = static_cast<int>(share.devices.size());
  } else if (on(Backend::openmp)) {
    share.threads =
        wanted_threads > 0
            ? wanted_threads
            : std::max(1, machine.cores / std::max(1, std::min(count, wanted_jobs > 0 ? wanted_jobs : count)));
    carried = std::max(1, machine.cores / share.threads);
  }
  std::size_t largest = 1;
  for (const auto& point : points) largest = std::max(largest, host_memory(point));
  if (machine.memory)
    carried = static_cast<int>(
        std::min<std::size_t>(static_cast<std::size_t>(carried), std::max<std::size_t>(1, *machine.memory / largest)));
  share.jobs = std::max(1, std::min(count, wanted_jobs > 0 ? wanted_jobs : carried));
  return share;
}

}  // namespace tessera::program
