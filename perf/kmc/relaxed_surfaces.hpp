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

/// Parameters of a case, with its lattice, step control and seeds 1, 2, ...
kmc::Parameters parameters_of(const KmcCase& c, const KmcOptions& options);

/// Surfaces on which all methods are measured: grown from flat by the tile method for the given number of events per
/// site, on the fastest space; small lattices of hosts on the slowest space, which has no overhead of threads. The
/// surface does not depend on the space. Stores the last surface.
class RelaxedSurfaces {
 public:
  /// `spaces`: slowest first.
  RelaxedSurfaces(const KmcOptions& options, const std::vector<Space>& spaces)
      : options_(options), slowest_(spaces.front()), fastest_(spaces.back()) {}

  /// Surface for the phi, n and number of replicas of a case. Throws DoesNotFit.
  const Archive& surface_for(const KmcCase& c, const TimeLimit& limit);

 private:
  void relax(const KmcCase& c, const TimeLimit& limit);

  KmcOptions options_;
  Space slowest_, fastest_;
  std::string present_;  ///< case of the stored surface
  std::string refused_, why_;
  std::unique_ptr<Archive> surface_;
};

}  // namespace tessera::perf
