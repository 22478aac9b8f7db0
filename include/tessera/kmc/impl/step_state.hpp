// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <limits>
#include <tessera/core/exact_arithmetic.hpp>
#include <tessera/kmc/impl/tile_sizes.hpp>
#include <tessera/kmc/impl/waiting_times.hpp>
#include <tessera/kmc/parameters.hpp>

/// The adaptive step of algorithm 1, for each replica, kept on the device: the host launches many steps and looks now
/// and then.
namespace tessera::kmc {

/// Where a replica stands between two steps, and what the step under way tries.
struct StepState {
  double time = 0;    ///< t
  double step = 0;    ///< Delta t that the step control asks for
  double target = 0;  ///< end of the step under way; less than time + step where the run has to stop before
  double stop = 0;    ///< where this advance ends
  /// A time known to lie after the last wanted event.
  double ceiling = Kokkos::Experimental::infinity_v<double>;
  std::uint64_t events = 0;    ///< in accepted steps
  std::uint64_t accepted = 0;  ///< steps
  std::uint64_t rejected = 0;
  std::uint64_t repaired = 0;    ///< tiles that were run again
  std::uint64_t unresolved = 0;  ///< waiting times in accepted steps that were (is_unresolved())
  std::int32_t overshot = 0;     ///< 1 once a step has been too long: alpha is `grow` from then on
  std::int32_t wide = 0;         ///< 1 while the wide halo is used
  std::int32_t active = 0;       ///< 1 while the replica takes part in the steps
  std::int32_t finished = 0;     ///< 1 once the wanted number of events has happened
  std::int32_t accept = 0;       ///< 1: the last step is to be accepted
  std::int32_t stuck = 0;        ///< 1: the clock does not resolve the events that come next: the replica ends here
};

/// What the tiles of a replica report of the step under way.
struct StepReport {
  std::uint64_t events = 0;        ///< in central tiles
  double last_event = 0;           ///< time of the last of them, where it is known and may be wanted
  std::uint32_t inconsistent = 0;  ///< tiles that are left to be repaired, or pairs of them: 0 if none
  std::uint32_t repaired = 0;      ///< tiles run again
  std::uint32_t too_long = 0;      ///< 1: a tile has had too many events (most_events()); nothing else counts
  std::uint64_t unresolved = 0;    ///< waiting times of central tiles' cells that were (is_unresolved())
};

/// One line of the history of the step size (figure 2).
struct StepRecord {
  double time, step;      ///< start and length of the step
  double repaired;        ///< fraction of the tiles that were run again
  std::uint64_t events;   ///< that it performed
  std::int32_t accepted;  ///< 1 or 0; -1 where no step was tried
};

/// Steps between two looks of the host, at most.
inline constexpr int records_per_look = 256;

/// The rules by which a step is accepted and the next one chosen.
struct StepRules {
  double grow_first, grow, shrink, relax, repair_fraction;
  bool repair;
  std::uint64_t event_goal;  ///< events of a replica at which it stops
  int tiles;
  double sites;
  double enough_events;         ///< a step need not have more
  double wide_below;            ///< events per site and step: the wide halo pays
  double narrow_from;           ///< the same: it does not; much more
  double wide_repair_fraction;  ///< repair_fraction with it

  StepRules(const Parameters& p, const TileSizes& sizes, int tile_count, std::uint64_t goal)
      : grow_first(p.grow_first),
        grow(p.grow),
        shrink(p.shrink),
        relax(p.relax),
        repair_fraction(sizes.repair_fraction),
        repair(p.step_control == StepControl::repair),
        event_goal(goal),
        tiles(tile_count),
        sites(static_cast<double>(p.nx) * p.ny),
        // Longer steps of a whole lattice have no more events at once, and more that are out of order.
        enough_events(sizes.whole() ? sites / 4 : std::numeric_limits<double>::infinity()),
        wide_below(sizes.wide_below),
        narrow_from(sizes.narrow_from),
        wide_repair_fraction(sizes.wide_repair_fraction) {}

  /// Time beyond which nothing is simulated: reached only where no event can ever happen again.
  static constexpr double end_of_time = 1e300;

  /// alpha before a step has been too long. Once the tiles have events to work on, a step takes as long as it has
  /// events: where it may be repaired, and would only slowly become shorter again, it doubles at most.
  KOKKOS_FUNCTION double growth_at_first(const StepReport& report) const {
    return repair && report.events > static_cast<std::uint64_t>(tiles) && grow_first > 2 ? 2 : grow_first;
  }

  /// Chooses the end of the next step.
  KOKKOS_FUNCTION void aim(StepState& s) const {
    if (s.finished || s.stuck || s.time >= s.stop || s.time >= end_of_time) {
      s.active = 0;
      s.finished |= s.time >= end_of_time;
      return;
    }
    s.active = 1;
    s.step = s.step < end_of_time ? s.step : end_of_time;
    s.target = s.time + s.step;
    if (s.ceiling < end_of_time) {  // bisect: the last wanted event lies between time and ceiling
      const double middle = s.time + (s.ceiling - s.time) / 2;
      s.target = s.target < middle ? s.target : middle;
    }
    if (s.target <= s.time) {
      s.target = next_time(s.time);
      s.step = s.step > s.target - s.time ? s.step : s.target - s.time;
    }
    if (s.target > s.stop) s.target = s.stop;
  }

  /// A wide halo lets a step be longer, and costs more for each event: it is for few events a step, where the launches
  /// and what is read for an event cost most.
  KOKKOS_FUNCTION void choose_halo(StepState& s, double events_per_site) const {
    if (s.wide && events_per_site > narrow_from) {
      s.wide = 0;
      s.step /= 2;
    } else if (!s.wide) {
      s.wide = events_per_site < wide_below;
    }
  }

  /// Accepts or rejects the step under way and adapts the step size (section 2.2).
  KOKKOS_FUNCTION void decide(StepState& s, const StepReport& report) const {
    const bool whole = s.target >= s.time + s.step;
    // Two events at the very same time cannot be told apart by a shorter step.
    const bool shortest = s.target <= next_time(s.time);
    const bool too_many = s.events + report.events > event_goal && !shortest;
    const bool failed = report.inconsistent != 0 || report.too_long != 0;
    s.repaired += report.repaired;
    const bool unresolved = too_many_unresolved(s.unresolved + report.unresolved, s.events + report.events);
    s.accept = !failed && !too_many && !unresolved;
    if (failed) {
      ++s.rejected;
      s.overshot = 1;
      s.stuck = shortest;
      s.step = (s.target - s.time) * shrink;
    } else if (too_many) {
      s.ceiling = s.target;
    } else if (unresolved) {
      s.stuck = 1;
    } else {
      ++s.accepted;
      s.events += report.events;
      s.unresolved += report.unresolved;
      s.time = s.target;
      const double most_repaired = (s.wide ? wide_repair_fraction : repair_fraction) * tiles;
      if (repair && report.repaired > most_repaired) {
        s.overshot = 1;
        const int by_chance = tiles < 64 ? tiles / 4 : 16;
        s.step *= report.repaired > 4 * most_repaired + by_chance ? shrink : relax;
      } else if (whole && static_cast<double>(report.events) < enough_events) {
        s.step *= s.overshot ? grow : growth_at_first(report);
      }
      if (whole && wide_below > 0) choose_halo(s, static_cast<double>(report.events) / sites);
      if (s.events >= event_goal) {
        s.finished = 1;
        s.time = report.last_event > 0 ? report.last_event : s.time;
      }
    }
  }
};

}  // namespace tessera::kmc
