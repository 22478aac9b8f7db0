// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace tessera::kmc {

/// Tiles; the rejection-free method of Bortz, Kalos and Lebowitz; sequential waiting times.
enum class Method { tile, bkl, waiting_time };
/// Whether inconsistent tiles are repaired, or their step is rejected.
enum class StepControl { repair, reject };

/// Thrown if Parameters::keep_going ends the construction of the initial configuration.
struct Interrupted {};

/// A species whose particles are tracked: the sites of a unit cell that they may occupy.
struct TrackedSpecies {
  /// The species is on the site if state / weight % base is `value`.
  struct Site {
    std::int64_t weight;
    int base, value;
    std::array<double, 3> position;  ///< in units of the sides of the cell
    bool holds(std::int64_t state) const { return state / weight % base == value; }
  };
  std::string name;                              ///< of the species
  std::vector<Site> sites;                       ///< of a unit cell
  std::array<std::array<double, 3>, 3> sides{};  ///< of the unit cell, x, y and z of each
};

/// Input of a kinetic Monte Carlo run. Lengths are in lattice sites, times in the unit of the model.
struct Parameters {
  // These determine the trajectory.
  int nx = 256, ny = 256;  ///< sites of the periodic lattice; `--size NX[,NY[,NZ]]`
  int nz = 0;              ///< in three dimensions; 0: a lattice in the plane
  std::uint64_t seed = 1;  ///< replica r has seed + r
  int replicas = 1;        ///< number of independent systems
  /// Files with the states at time 0, which replicas take in turn; of several, `ordered` and `random` are phases of the
  /// model. Empty: its initial states.
  std::vector<std::string> starts = {};
  int first_replica = 0;  ///< number of the first replica among those that begin from these files
  bool redraw = false;    ///< whether load() draws all waiting times anew: the checkpoint has other rates
  std::vector<TrackedSpecies> tracked = {};  ///< whose displacements are measured, but not by tiles in the plane
  double track_every = 0;                    ///< intervals of their displacements; 0: those between measurements
  double until_time = std::numeric_limits<double>::infinity();             ///< time at which the run ends
  double until_events_per_site = std::numeric_limits<double>::infinity();  ///< events per site at which a replica ends

  // These do not affect it, except that bkl has a random number generator, and thus a trajectory, of its own.
  Method method = Method::tile;  ///< tile method or a sequential one
  int tile = 0;                  ///< side of a tile; 0: the backend's default
  int halo = 0;                  ///< width of the halo around a tile, including the fixed boundary; 0: default
  StepControl step_control = StepControl::repair;  ///< treatment of inconsistent tiles
  double grow_first = 10;                          ///< alpha before the first step that was too long
  double grow = 0;                                 ///< alpha after it; 0: default
  double shrink = 0.5;                             ///< beta: factor of the step size after a rejected step
  double relax = 0;               ///< factor after one with more than repair_fraction of the tiles repaired; 0: default
  double repair_fraction = 0;     ///< target fraction of repaired tiles in a step; 0: default
  int repair_halo = 0;            ///< halo of repair runs; 0: default
  int repair_rounds = 4;          ///< most repair rounds before a step is rejected
  int cores = 0;                  ///< of all ranks, on CPUs, for the default tile; 0: those of the execution space
  bool record_steps = false;      ///< whether to record the step sizes (figure 2)
  bool structure_factor = false;  ///< whether to measure S(k) of all wave vectors along the axes
  /// Called at the first rank of those that share a lattice, while its initial configuration is made, which ends with
  /// Interrupted if the result is false; may be null.
  std::function<bool()> keep_going = {};

  /// Value of `cores` for a default tile that suits any number of them, and that ranks can share.
  static constexpr int any_cores = -1;
};

/// Number of cells between two calls of Parameters::keep_going.
inline constexpr std::int64_t cells_at_once = std::int64_t{1} << 20;
/// Throws Interrupted if `cell` begins such a piece, and keep_going() is false.
inline void watch(const Parameters& p, std::int64_t cell) {
  if (cell % cells_at_once == 0 && cell > 0 && p.keep_going && !p.keep_going()) throw Interrupted();
}

/// Number of events at which a replica ends: `until_events_per_site` times the number of sites, rounded. The largest
/// 64-bit number if the run has no such limit.
inline std::uint64_t stopping_events(const Parameters& parameters) {
  const double sites = static_cast<double>(parameters.nx) * parameters.ny * std::max(1, parameters.nz);
  const double events = parameters.until_events_per_site * sites;
  return events < 0x1.0p62 ? static_cast<std::uint64_t>(std::llround(events))
                           : std::numeric_limits<std::uint64_t>::max();
}

/// Whether replicas end at their last events if none is possible any more: with a number of events as the only limit.
inline bool ends_without_events(const Parameters& parameters) {
  return std::isinf(parameters.until_time) && std::isfinite(parameters.until_events_per_site);
}

}  // namespace tessera::kmc
