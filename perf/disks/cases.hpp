// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <tessera/disks/parameters.hpp>
#include <vector>

namespace tessera::perf {

/// One thing to measure: a system at packing fraction 0.698 (figure 4), and where it runs.
struct DisksCase {
  std::string space;  ///< as Kokkos calls it; "sequential" for the reference
  int side;           ///< side^2 disks
  int replicas = 1;
  bool sampled = false;  ///< with a sample of pressure and order every 200 sweeps

  /// As in "disks/Cuda/N:253^2", "disks/Cuda/N:32^2/replicas:256", "disks/Cuda/N:760^2/sampled".
  std::string name() const;
  double disks() const { return static_cast<double>(side) * side * replicas; }
  disks::Parameters parameters() const;
  /// Sweeps of a repetition.
  double sweeps() const { return sampled ? 200 : 100; }
};

/// All of them, small systems first. `spaces`: slowest first.
std::vector<DisksCase> all_disks_cases(const std::vector<std::string>& spaces);

/// What the targets ask for, and N = 253^2 by the sequential method; nothing on one core that takes a minute.
std::vector<DisksCase> h200_disks_cases(const std::vector<std::string>& spaces);

}  // namespace tessera::perf
