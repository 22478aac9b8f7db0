// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <limits>
#include <tessera/kmc/parameters.hpp>
#include <tessera/kmc/state/tile_sizes.hpp>
#include <tessera/kmc/state/waiting_times.hpp>

/// The adaptive steps of algorithm 1. Their state is on the device, so that the host can launch many steps at once.
namespace tessera::kmc {

/// State of a replica between two steps, and its next step. Times are relative to its Origin.
struct StepState {
  double time = 0;    ///< t
  double step = 0;    ///< Delta t of the step control
  double target = 0;  ///< end of the next step; less than time + step if the run ends or stops before
  double stop = 0;    ///< end of this advance, epoch or window
  /// Upper bound of the time of the last event of the run.
  double ceiling = Kokkos::Experimental::infinity_v<double>;
  double last_event = 0;       ///< time of the last event of a replica that has ended or is absorbed
  std::uint64_t events = 0;    ///< in accepted steps
  std::uint64_t accepted = 0;  ///< steps
  std::uint64_t rejected = 0;  ///< steps
  std::uint64_t repaired = 0;  ///< tiles repaired
  std::int32_t overshot = 0;   ///< 1 after a step that was too long: alpha is `grow` from then on
  std::int32_t wide = 0;       ///< 1 while the wide halo is used
  std::int32_t active = 0;     ///< 1 while the replica makes steps
  std::int32_t finished = 0;   ///< 1 after the last event of the run
  std::int32_t absorbed = 0;   ///< 1: no event is possible any more; -1, on the device: perhaps none
  std::int32_t accept = 0;     ///< 1: the last step is accepted
  std::int32_t stuck = 0;      ///< 1: no step separates the next events, and the replica ends
};

/// Result of the last run of a tile.
struct TileRun {
  double last_event;     ///< its time
  std::uint32_t events;  ///< in the tile
  std::int32_t halo;     ///< halo of the run
  std::int32_t listed;   ///< 0: never repaired; 1: listed; 2: repaired
};

/// Report of the tiles of a replica on the current step.
struct StepReport {
  std::uint64_t events = 0;        ///< in central tiles
  std::uint32_t inconsistent = 0;  ///< tiles, or pairs of them, that still disagree
  std::uint32_t repaired = 0;      ///< tiles repaired
  std::uint32_t too_long = 0;      ///< 1: a tile had more than most_events(); the other values are invalid
  std::uint32_t repeats = 0;       ///< of a whole lattice: runs after the first
};

/// A row of the history of the step size (figure 2).
struct StepRecord {
  double time, step;      ///< start and length of the step
  double repaired;        ///< fraction of the tiles that were repaired
  std::uint64_t events;   ///< events of the step
  std::int32_t accepted;  ///< 1 or 0; -1 if no step was made
};

/// Largest number of steps between two reads by the host.
inline constexpr int most_steps_of_batch = 256;

/// Rules for accepting a step and choosing the next one.
struct StepRules {
  double grow_first, grow, shrink, relax, repair_fraction;  ///< see Parameters and TileSizes
  bool repair;                                              ///< StepControl::repair
  std::uint64_t stopping_events;                            ///< number of events at which a replica ends
  bool ends_absorbed;                                       ///< ends_without_events()
  int tiles;                                                ///< of a replica
  double sites;                                             ///< of a replica
  double enough_events;         ///< events per step that the step size aims at, where repairs do not limit it
  double wide_below;            ///< events per site and step below which the wide halo is used
  double narrow_from;           ///< events per site and step above which it is no longer used
  double wide_repair_fraction;  ///< repair_fraction with the wide halo

  /// `events`: stopping_events().
  StepRules(const Parameters& p, const TileSizes& sizes, int tile_count, std::uint64_t events)
      : grow_first(p.grow_first),
        grow(p.grow != 0 ? p.grow : sizes.grow),
        shrink(p.shrink),
        relax(p.relax != 0 ? p.relax : sizes.relax),
        repair_fraction(sizes.repair_fraction),
        repair(p.step_control == StepControl::repair),
        stopping_events(events),
        ends_absorbed(ends_without_events(p)),
        tiles(tile_count),
        sites(static_cast<double>(p.nx) * p.ny),
        // Longer steps of a whole lattice do not have more simultaneous events, but more events out of order; on CPUs
        // their queue is slower. Replicas with equally many events in a step take equal times.
        enough_events(sizes.whole() ? (sizes.lanes == 1 ? sites / 4 : sites) : std::numeric_limits<double>::infinity()),
        wide_below(sizes.wide_below),
        narrow_from(sizes.narrow_from),
        wide_repair_fraction(sizes.wide_repair_fraction) {}

  static constexpr double longest_step = 1e300, never = Kokkos::Experimental::infinity_v<double>;  ///< times

  /// alpha before the first step that was too long: at most 2 once most tiles have events and steps can be repaired,
  /// because the duration of a step is then proportional to its events, and a step size that is too large decreases
  /// only slowly.
  KOKKOS_FUNCTION double growth_at_first(const StepReport& report) const {
    return repair && report.events > static_cast<std::uint64_t>(tiles) && grow_first > 2 ? 2 : grow_first;
  }

  /// Sets the end of the next step.
  KOKKOS_FUNCTION void aim(StepState& s) const {
    s.active = !s.finished && !s.absorbed && !s.stuck && s.time < s.stop;
    const bool ends = ends_absorbed && s.finished;
    if (s.absorbed && !ends && s.events < stopping_events && s.stop < never && s.time < s.stop) s.time = s.stop;
    if (!s.active) return;
    s.step = s.step < longest_step ? s.step : longest_step;
    s.target = s.time + s.step;
    if (s.ceiling < never) {  // bisection: the last event of the run lies between time and ceiling
      const double middle = s.time + (s.ceiling - s.time) / 2;
      s.target = s.target < middle ? s.target : middle;
    }
    if (s.target <= s.time) {
      s.target = next_time(s.time);
      s.step = s.step > s.target - s.time ? s.step : s.target - s.time;
    }
    if (s.target > s.stop) s.target = s.stop;
  }

  /// Switches between the halos. The wide halo permits longer steps, but increases the work per event. It is faster for
  /// few events per step, whose cost is dominated by launches and loads of windows.
  KOKKOS_FUNCTION void choose_halo(StepState& s, double events_per_site) const {
    if (s.wide && events_per_site > narrow_from) {
      s.wide = 0;
      s.step /= 2;
    } else if (!s.wide) {
      s.wide = events_per_site < wide_below;
    }
  }

  /// Accepts or rejects the current step, and adapts the step size (section 2.2).
  KOKKOS_FUNCTION void decide(StepState& s, const StepReport& report) const {
    const bool whole = s.target >= s.time + s.step;
    // A shorter step cannot separate two events at the same time.
    const bool shortest = s.target <= next_time(s.time);
    const bool too_many = s.events + report.events > stopping_events && !shortest;
    const bool failed = report.inconsistent != 0 || report.too_long != 0;
    s.repaired += report.repaired;
    s.accept = !failed && !too_many;
    if (failed) {
      ++s.rejected;
      s.overshot = 1;
      s.stuck = shortest;
      s.step = (s.target - s.time) * shrink;
    } else if (too_many) {
      s.ceiling = s.target;
    } else {
      ++s.accepted;
      s.events += report.events;
      s.time = s.target;
      const double most_repaired = (s.wide ? wide_repair_fraction : repair_fraction) * tiles;
      if (repair && report.repaired > most_repaired) {
        s.overshot = 1;
        const int by_chance = tiles < 64 ? tiles / 4 : 16;
        s.step *= report.repaired > 4 * most_repaired + by_chance ? shrink : relax;
      } else if (report.repeats > 0) {  // each takes as long as the step
        s.overshot = 1;
        s.step *= relax * relax;
      } else if (whole) {
        const double growth = s.overshot ? grow : growth_at_first(report), events = static_cast<double>(report.events);
        s.step *= events * growth > enough_events ? enough_events / events : growth;
      }
      if (whole && wide_below > 0) choose_halo(s, static_cast<double>(report.events) / sites);
      if (s.events >= stopping_events) s.finished = 1;
    }
  }
};

}  // namespace tessera::kmc
