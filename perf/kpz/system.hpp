// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>
#include <tessera/kpz/parameters.hpp>

#include "cases.hpp"

namespace tessera::perf {

/// A simulation of the octahedron model, as its benchmarks see it.
class KpzSystem {
 public:
  virtual ~KpzSystem() = default;
  /// Runs to this time; all work is done when it returns.
  virtual void run_to(double time) = 0;
  virtual double time() const = 0;
  /// Attempts of all replicas since time 0.
  virtual double attempts() const = 0;
  /// Measures the surface, as a run does at each of its times.
  virtual void measure() = 0;
  virtual std::size_t bytes() const = 0;
};

/// The scheme of the case, on its space.
std::unique_ptr<KpzSystem> make_system(const KpzCase& c, const kpz::Parameters& parameters);

// The decomposition schemes on an execution space; those that this Kokkos has are defined.
std::unique_ptr<KpzSystem> make_kpz_serial(const kpz::Parameters& parameters);
std::unique_ptr<KpzSystem> make_kpz_openmp(const kpz::Parameters& parameters);
std::unique_ptr<KpzSystem> make_kpz_cuda(const kpz::Parameters& parameters);

std::unique_ptr<KpzSystem> make_kpz_sequential(const kpz::Parameters& parameters);

}  // namespace tessera::perf
