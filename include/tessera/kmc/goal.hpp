// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <tessera/kmc/parameters.hpp>

namespace tessera::kmc {

/// Number of events at which a replica ends: `until_events_per_site` times the number of sites, rounded. The largest
/// 64-bit number if the run has no such limit.
inline std::uint64_t events_goal(const Parameters& parameters) {
  const double sites = static_cast<double>(parameters.nx) * parameters.ny;
  const double events = parameters.until_events_per_site * sites;
  return events < 0x1.0p62 ? static_cast<std::uint64_t>(std::llround(events))
                           : std::numeric_limits<std::uint64_t>::max();
}

/// Whether replicas end at their last events if no event is possible any more: with a goal in events alone.
inline bool ends_without_events(const Parameters& parameters) {
  return std::isinf(parameters.until_time) && std::isfinite(parameters.until_events_per_site);
}

}  // namespace tessera::kmc
