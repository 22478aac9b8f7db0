// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>

#include "../time_budget.hpp"
#include "cases.hpp"

namespace tessera::perf {

/// What is the same for lattices of any size.
inline std::string regardless_of_size(const std::string& what, KmcCase c) {
  c.n = c.replicas = 1;
  return what + " " + c.name();
}

/// Something done by the case's method on its space took so many seconds a site. Forgets it of a GPU and of small
/// lattices, where launches take most of the time: a larger lattice takes far less a site.
inline void learn(TimeBudget& budget, const std::string& what, const KmcCase& c, double seconds_a_site) {
  if (c.space != "Cuda" && c.sites() >= 65536) budget.learn(regardless_of_size(what, c), seconds_a_site);
}

/// What it will take for this case, in seconds; 0 if nothing is known.
inline double predict(const TimeBudget& budget, const std::string& what, const KmcCase& c) {
  return budget.predict(regardless_of_size(what, c), c.sites());
}

}  // namespace tessera::perf
