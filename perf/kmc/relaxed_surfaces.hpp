// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "../options.hpp"
#include "../spaces.hpp"
#include "../time_limit.hpp"
#include "cases.hpp"
#include "system.hpp"

namespace tessera::perf {

/// What the case asks for, with its own lattice, step control and seeds 1, 2, ...
kmc::Parameters parameters_of(const KmcCase& c, const KmcOptions& options);

/// The surfaces that all methods are measured on: grown from flat by the tile method, for the wanted number of
/// events a site, on the fastest space; of hosts' small lattices, on the slowest, which is spared the threads. The
/// space makes no difference to the surface. Keeps the last one.
class RelaxedSurfaces {
 public:
  /// `spaces`: slowest first.
  RelaxedSurfaces(const KmcOptions& options, const std::vector<Space>& spaces)
      : options_(options), slowest_(spaces.front()), fastest_(spaces.back()) {}

  /// The surface of the case's phi, n and number of replicas. Throws DoesNotFit.
  const Archive& surface_for(const KmcCase& c, const TimeLimit& limit);

 private:
  void relax(const KmcCase& c, const TimeLimit& limit);

  KmcOptions options_;
  Space slowest_, fastest_;
  std::string present_;  ///< the case that the surface is of
  std::string refused_, why_;
  std::unique_ptr<Archive> surface_;
};

}  // namespace tessera::perf
