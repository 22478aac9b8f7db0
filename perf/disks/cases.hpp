// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <tessera/disks/parameters.hpp>
#include <vector>

namespace tessera::perf {

/// A case: a system at packing fraction 0.698 (figure 4), and its execution space.
struct DisksCase {
  std::string space;  ///< Kokkos' name; "sequential" for the reference
  int side;           ///< side^2 disks
  int replicas = 1;
  bool sampled = false;  ///< with a sample of pressure and order every 200 sweeps

  /// As in "disks/Cuda/N:253^2", "disks/Cuda/N:32^2/replicas:256", "disks/Cuda/N:760^2/sampled".
  std::string name() const;
  double disks() const { return static_cast<double>(side) * side * replicas; }
  disks::Parameters parameters() const;
  /// Number of sweeps of a repetition.
  double sweeps() const { return sampled ? 200 : 100; }
};

/// All cases, small systems first. `spaces`: slowest first.
std::vector<DisksCase> all_disks_cases(const std::vector<std::string>& spaces);

/// The cases of the targets, and N = 253^2 with the sequential method; no case that takes a minute on one core.
std::vector<DisksCase> h200_disks_cases(const std::vector<std::string>& spaces);

}  // namespace tessera::perf
