// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <tessera/core/error.hpp>

namespace tessera::disks {

/// The checkerboard of algorithm 1, or sequential trial moves.
enum class Method { mpmc, sequential };
/// Initial configuration: a lattice, random without overlaps, or from a file.
enum class Start { lattice, random, file };

/// Method of extrapolating g(r) to contact.
enum class PressureFit {
  automatic,  ///< over a range that depends on the pairs: analysis::ContactFits
  paper       ///< over bins of r up to 1.02 sigma: analysis::ContactValue
};

/// Input of a run of hard disks. Lengths are in units of the diameter sigma, times in sweeps.
struct Parameters {
  std::int64_t particles = 4096;     ///< number of disks of each replica
  double packing_fraction = 0.698;   ///< eta = rho pi sigma^2 / 4
  double aspect = 1;                 ///< width of the periodic box over its height
  Method method = Method::mpmc;      ///< checkerboard or sequential
  int moves_per_cell = 4;            ///< n_M of algorithm 1: trial moves of an active cell
  double move_radius = 0.16;         ///< trial moves are uniform in a circle of this radius
  double tune_acceptance = 0;        ///< acceptance that the radius is tuned to during equilibration; 0: not tuned
  bool shuffle_particles = true;     ///< in each cell, before its moves (table 1)
  bool shuffle_checkerboard = true;  ///< the order of the four sub-sweeps (table 1)
  std::uint64_t seed = 1;            ///< replica r has seed + r
  int replicas = 1;                  ///< number of independent systems
  int replicas_of_run = 0;           ///< in the whole run, of which these are a part; 0: as many

  Start start = Start::lattice;  ///< initial configuration
  std::string start_file;        ///< Start::file: its path
  std::int64_t start_row = -1;   ///< snapshot of this file: from 0, or from the end as -1, -2
  int first_replica = 0;         ///< number of the first of these replicas in the file

  double sweeps = 1e5;                                ///< final time, equilibration included
  double equilibrate = 0;                             ///< sweeps before the first sample
  double sample_every = 200;                          ///< sweeps between samples of pressure and order
  PressureFit pressure_fit = PressureFit::automatic;  ///< how g(r) is extrapolated to contact

  double r_max = 0;  ///< distance up to which g(r) is averaged over the samples; 0: not averaged
  int g_bins = 50;   ///< rings of g(r) per sigma
  bool g6 = false;   ///< whether the bond-orientational correlation is averaged over these rings
  double q_max = 0;  ///< wave number, in 1/sigma, up to which S(q) is averaged over the samples; 0: not averaged

  int all_replicas() const { return replicas_of_run > 0 ? replicas_of_run : replicas; }  ///< of the whole run
};

/// Width of the box, in sigma; its area is particles * pi / (4 eta).
inline double box_width(const Parameters& p) {
  return std::sqrt(static_cast<double>(p.particles) * std::numbers::pi / (4 * p.packing_fraction) * p.aspect);
}
inline double box_height(const Parameters& p) { return box_width(p) / p.aspect; }  ///< height of the box, in sigma

/// Largest g(r) cutoff allowed in any box; the limit for ranks, whose subdomains have six ghost cells.
inline constexpr double any_r_max = 5;
inline constexpr int most_rings = 2048;  ///< in the scratch memory of a team
/// Half the shorter side of the box; more in small boxes, in which pairs with images are counted, too.
inline double largest_r_max(const Parameters& p) {
  return std::max(any_r_max, std::min(box_width(p), box_height(p)) / 2);
}
/// Limits the number of wave vectors to about 2e7, and to 1e14 / (area of all boxes in sigma^2).
inline double largest_q_max(const Parameters& p) {
  const double area = box_width(p) * box_height(p);
  return std::sqrt(8 * std::numbers::pi / area * std::min(2e7, 1e14 / (area * p.replicas)));
}

inline constexpr std::int64_t most_particles = 4'000'000'000;  ///< of a replica: cell lists number them by 32 bits
inline constexpr double largest_area = 1e12;  ///< of all boxes: 31 bits number the cells of a row, 64 bits all cells
inline constexpr double least_move_radius = 1e-4, largest_move_radius = 1;  ///< limits of the radius, in sigma
inline constexpr std::int64_t tuning_interval = 50;  ///< sweeps between changes of the move radius

/// Throws InputError with key, value and allowed values if the parameters are invalid. distribute() checks the ranks.
inline void validate(const Parameters& p) {
  const auto whole = [](double value) { return value == std::floor(value) && value < 0x1.0p53; };
  if (p.particles < 2 || p.particles > most_particles)
    refuse("particles", p.particles, "must lie in [2, " + std::to_string(most_particles) + "]");
  if (p.replicas < 1 || p.replicas > 65536) refuse("replicas", p.replicas, "must lie in [1, 65536]");
  if (!(p.packing_fraction > 0 && p.packing_fraction < 0.9))
    refuse("packing-fraction", p.packing_fraction, "must lie between 0 and 0.9 (the densest packing has 0.9069)");
  if (!(p.aspect >= 0.01 && p.aspect <= 100)) refuse("aspect", p.aspect, "must lie in [0.01, 100]");
  if (p.moves_per_cell < 1 || p.moves_per_cell > 1000)
    refuse("moves-per-cell", p.moves_per_cell, "must lie in [1, 1000]");
  if (!(p.move_radius >= least_move_radius && p.move_radius <= largest_move_radius))
    refuse("move-radius", p.move_radius, "must lie in [1e-4, 1] diameters");
  if (!(p.sweeps >= 1 && whole(p.sweeps))) refuse("sweeps", p.sweeps, "must be a whole number, at least 1");
  if (!(p.equilibrate >= 0 && whole(p.equilibrate)))
    refuse("equilibrate", p.equilibrate, "must be a whole number of sweeps, 0 or more");
  if (!(p.tune_acceptance == 0 || (p.tune_acceptance >= 0.01 && p.tune_acceptance <= 0.95)))
    refuse("tune-acceptance", p.tune_acceptance, "must lie in [0.01, 0.95], or be 0 for a fixed move radius");
  if (p.tune_acceptance > 0 && p.equilibrate < 10 * static_cast<double>(tuning_interval))
    refuse("tune-acceptance", p.tune_acceptance,
           "the move radius is tuned during the equilibration; use --equilibrate ", 10 * tuning_interval, " or more");
  if (!(p.sample_every >= 1 && whole(p.sample_every)))
    refuse("sample-every", p.sample_every, "must be a whole number of sweeps, at least 1");
  if (!(p.r_max >= 0 && p.r_max <= largest_r_max(p)))
    refuse("r-max", p.r_max, "must lie in [0, ", largest_r_max(p), "] diameters",
           largest_r_max(p) > any_r_max ? ", half the shorter side of the box" : "");
  if (p.g_bins < 1 || p.g_bins * p.r_max > most_rings)
    refuse("g-bins", p.g_bins, "must lie in [1, ", std::floor(most_rings / std::max(p.r_max, 1.0)),
           "] per diameter, at most ", most_rings, " in --r-max");
  if (p.g6 && p.r_max == 0) refuse("g6", "true", "requires --r-max above 0");
  if (!(p.q_max >= 0 && p.q_max <= largest_q_max(p)))
    refuse("q-max", p.q_max, "must lie in [0, ", largest_q_max(p),
           "] per diameter, which limits the number of wave vectors");
  if (!(box_width(p) * box_height(p) * p.replicas <= largest_area))
    refuse("packing-fraction", p.packing_fraction, "the total area of the boxes must be at most 1e12 sigma^2");
  if (box_width(p) < 2 || box_height(p) < 2)
    refuse(
        "packing-fraction", p.packing_fraction,
        "the box would be narrower than two diameters, so that a disk meets its own image; use more particles, a lower "
        "packing fraction or an aspect closer to 1");
}

}  // namespace tessera::disks
