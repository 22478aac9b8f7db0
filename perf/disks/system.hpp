// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>
#include <string>
#include <tessera/disks/parameters.hpp>

#include "cases.hpp"

namespace tessera::perf {

/// A simulation of hard disks, as its benchmarks see it.
class DisksSystem {
 public:
  virtual ~DisksSystem() = default;
  /// Runs to this sweep; all work is done when it returns.
  virtual void run_to(double sweep) = 0;
  /// Trial moves of all replicas since sweep 0.
  virtual double moves() const = 0;
  virtual std::size_t bytes() const = 0;
};

/// The method of the case, on its space.
std::unique_ptr<DisksSystem> make_system(const DisksCase& c, const disks::Parameters& parameters);

// The parallel method on an execution space; those that this Kokkos has are defined.
std::unique_ptr<DisksSystem> make_disks_serial(const disks::Parameters& parameters);
std::unique_ptr<DisksSystem> make_disks_openmp(const disks::Parameters& parameters);
std::unique_ptr<DisksSystem> make_disks_cuda(const disks::Parameters& parameters);

std::unique_ptr<DisksSystem> make_disks_sequential(const disks::Parameters& parameters);

}  // namespace tessera::perf
