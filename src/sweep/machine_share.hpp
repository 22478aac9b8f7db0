// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <optional>
#include <vector>

#include "memory_check.hpp"
#include "run_options.hpp"
#include "sweep/point.hpp"

namespace tessera::program {

/// How the runs of a sweep share the machine.
struct MachineShare {
  int jobs = 1;              ///< runs at a time
  int threads = 0;           ///< of each run; 0: the backend has none
  std::vector<int> devices;  ///< of the runs in turn; none unless they compute on CUDA
};

/// What there is to share.
struct Machine {
  int cores = 1;
  int devices = 0;
  std::optional<std::size_t> memory;  ///< of the host
};

Machine this_machine(Backend backend);

/// One core each, or more if there are fewer points than cores; one device each; no more at a time than the memory of
/// the host has room for. `wanted_jobs`, `wanted_threads` (0: none) and `wanted_devices` (empty: all) win. Throws
/// InputError for a device that does not exist.
MachineShare share_machine(const Machine& machine, const std::vector<Point>& points, int wanted_jobs,
                           int wanted_threads, const std::vector<int>& wanted_devices);

}  // namespace tessera::program
