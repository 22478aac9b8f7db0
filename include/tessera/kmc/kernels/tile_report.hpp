// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/exact_arithmetic.hpp>
#include <tessera/core/kokkos_ext/lanes.hpp>
#include <tessera/kmc/kernels/checksums.hpp>

namespace tessera::kmc {

/// What a tile reports of a step.
struct TileReport {
  std::uint32_t events = 0;  ///< in the central tile
  double last_event = 0;     ///< time of the last of them
  bool touched = false;      ///< an event in the central tile or the ring has changed the central tile
  bool in_order = true;      ///< the events that concern a cell have been performed in the order of their times
  bool too_long = false;     ///< more events than most_events() in the window: nothing else counts
};

/// Events that a window of `cells` cells may have in a step. A step with more of them is far too long, as a rule for
/// the check as well; that it ends here bounds what a launch takes.
KOKKOS_FORCEINLINE_FUNCTION constexpr int most_events(int cells) { return 16 * cells; }

/// Takes note of an event in window cell (x, y) at time `now` for neighbour k - 1 of it, at (x + dx, y + dy), or, k =
/// 0, for the cell itself: counts the event and adds it to the checksums. The central tile, of `tile` cells a side,
/// begins at (halo, halo); `site` is the event's site, called when it is needed.
template <Model M, int Lanes, class Site>
KOKKOS_FORCEINLINE_FUNCTION void record_event(Checksums<M, Lanes>& sums, TileReport& report, int tile, int halo, int x,
                                              int y, int dx, int dy, int k, double now, std::int64_t next,
                                              const Site& site) {
  using Sums = Checksums<M, Lanes>;
  const auto outside = [&](int coordinate) {
    return static_cast<unsigned>(coordinate - halo) >= static_cast<unsigned>(tile);
  };
  const typename Sums::Place here{outside(x), outside(y)}, there{outside(x + dx), outside(y + dy)};
  if (!here.inside() && !there.inside()) return;
  report.touched = true;
  if (k == 0) {
    ++report.events;
    report.last_event = now > report.last_event ? now : report.last_event;
  } else {
    const bool own = Sums::counts_as_own(here, there, k - 1);
    if (own || Sums::counts_as_ring(here, there, k - 1)) sums.add(k - 1, own, event_hash(site(), now, next));
  }
}

/// The reports of the lanes as one, which all lanes get.
template <class Team>
KOKKOS_FORCEINLINE_FUNCTION void unite(const Team& team, TileReport& report) {
  report.events = sum_over_lanes(team, report.events);
  report.touched = sum_over_lanes(team, report.touched ? 1u : 0u) > 0;
  report.last_event =
      Kokkos::bit_cast<double>(~min_over_lanes(team, ~Kokkos::bit_cast<std::uint64_t>(report.last_event)));
}

}  // namespace tessera::kmc
