// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/kmc/state/tile_sizes.hpp>
#include <vector>

namespace tessera::kmc {

/// Tiles; the rejection-free method of Bortz, Kalos and Lebowitz; sequential waiting times.
enum class Method { tile, bkl, waiting_time };
/// Whether inconsistent tiles are repaired, or their step is rejected.
enum class StepControl { repair, reject };

/// Thrown if Parameters::keep_going ends the construction of the initial configuration.
struct Interrupted {};

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
  double until_time = std::numeric_limits<double>::infinity();             ///< time at which the run ends
  double until_events_per_site = std::numeric_limits<double>::infinity();  ///< events per site at which a replica ends

  // These do not affect it, except that bkl has a random number generator, and thus a trajectory, of its own.
  Method method = Method::tile;  ///< tile method or a sequential one
  int tile = 0;                  ///< side of a tile; 0: the backend's default
  int halo = 0;                  ///< width of the halo around a tile, including the fixed boundary; 0: default
  StepControl step_control = StepControl::repair;  ///< treatment of inconsistent tiles
  double grow_first = 10;                          ///< alpha before the first step that was too long
  double grow = 1.03;                              ///< alpha after it
  double shrink = 0.5;                             ///< beta: factor of the step size after a rejected step
  double relax = 0.95;            ///< factor after a step with more than repair_fraction of the tiles repaired
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

/// Sizes to use, with defaults for those that are 0. `lanes`: lanes_per_tile of the backend; `reach`: event_reach. The
/// result has tile = 0 if no supported tile divides the lattice.
inline TileSizes tile_sizes(const Parameters& p, int lanes, const EventReach& reach) {
  const int nx = p.nx, ny = p.ny, replicas = p.replicas, cores = p.cores;
  const bool repair = p.step_control == StepControl::repair;
  TileSizes asked{.tile = p.tile,
                  .halo = p.halo,
                  .repair_halo = p.repair_halo,
                  .repair_fraction = p.repair_fraction,
                  .reach = reach};
  const auto divides = [&](int tile) { return tile >= reach.smallest_tile() && nx % tile == 0 && ny % tile == 0; };
  const DefaultSizes* defaults = reach.reach > 1 ? (lanes == 1 ? sizes_of_far_events_on_hosts
                                                               : sizes_of_far_events_on_gpus + (reach.counts ? 0 : 1))
                                                 : (lanes == 1 ? sizes_on_hosts : sizes_on_gpus);
  const int further = std::max(0, 2 * (reach.reach - 2));
  const int narrowest = reach.narrowest_halo();
  const auto halo_of = [&](const DefaultSizes& d) {
    return std::max(further > 0 && d.far_halo > 0 ? d.far_halo : d.halo + further, narrowest);
  };
  const auto applies = [&](const DefaultSizes& d) {
    if (d.tile == 0 || asked.tile != 0) return d.tile == 0 || d.tile == asked.tile;
    return std::int64_t{nx} * ny * replicas >= d.from && std::min(nx, ny) >= 2 * d.tile && divides(d.tile) &&
           fits(d.tile, std::max({halo_of(d) + 2, asked.halo, asked.repair_halo}), lanes, false, reach);
  };
  // The number of cores does not decide which lattices are possible.
  const bool has_tiles = std::ranges::any_of(other_tiles, divides);
  const bool is_small = cores > 0 && (!has_tiles || nx <= widest_whole_on_hosts(cores, replicas));
  const bool is_whole = lanes == 1 ? is_small : nx <= widest_whole_on_gpus(replicas) || !divides(16);
  const bool one_window = asked.tile == nx || (asked.tile == 0 && is_whole);
  // The largest tile of which each core has one, or four that are large.
  if (lanes == 1 && cores > 0 && asked.tile == 0)
    for (int tile = 64; tile >= 8 && asked.tile == 0; --tile)
      if (2 * tile <= std::min(nx, ny) && divides(tile) &&
          (!has_tiles || std::int64_t{nx / tile} * (ny / tile) * replicas >= (tile > 50 ? 4 : 1) * cores))
        asked.tile = tile;
  while (!applies(*defaults)) ++defaults;
  TileSizes sizes = asked;
  if (one_window && asked.halo == 0 && nx == ny && fits_whole(nx, lanes, reach)) {
    sizes.tile = nx;
    sizes.lanes = lanes == 1 ? 1 : TeamLayout::most_lanes;
    return sizes;
  }
  if (sizes.tile == 0) sizes.tile = defaults->tile;
  for (const int tile : other_tiles)
    if (sizes.tile == 0 && divides(tile)) sizes.tile = tile;
  if (sizes.tile == 0) return sizes;
  const int widest = widest_halo(sizes.tile, lanes, reach);
  const int halo = halo_of(*defaults);
  const int wide_halo = std::max(defaults->wide.halo + further, halo);
  const bool adapts = asked.halo == 0 && repair && defaults->wide.halo != 0 && wide_halo <= widest;
  if (sizes.halo == 0)
    sizes.halo = std::min(repair ? halo : (lanes == 1 ? 2 * halo : halo + 4), std::max(widest, narrowest));
  sizes.wide_halo = adapts ? wide_halo : sizes.halo;
  sizes.last_repair_halo = sizes.repair_halo;
  if (sizes.repair_halo == 0) {
    const int wider = lanes == 1 ? 3 * sizes.wide_halo : 5 * sizes.wide_halo / 2;
    sizes.repair_halo = std::max(sizes.wide_halo, std::min(wider, widest));
    // A rank's ghost ring has the same width; on hosts at most 64.
    const int enough = lanes == 1 ? std::min(64, widest) : widest;
    sizes.last_repair_halo = std::max(sizes.repair_halo, std::min(6 * sizes.wide_halo, enough));
  }
  sizes.wide_halo = std::min(sizes.wide_halo, sizes.repair_halo);
  sizes.wide_below = sizes.wide_halo > sizes.halo ? defaults->wide.below : 0;
  sizes.narrow_from = defaults->wide.narrow_from;
  sizes.level0_from =
      lanes > 1 && fits(sizes.tile, sizes.wide_halo, lanes, true, reach) ? defaults->level0_from : never_in_level0;
  sizes.first_repair_halo = (sizes.wide_halo + sizes.repair_halo + 1) / 2;
  if (sizes.repair_fraction == 0) sizes.repair_fraction = defaults->repaired;
  const bool has_its_own = asked.repair_fraction == 0 && sizes.wide_below > 0 && defaults->wide.repaired > 0;
  sizes.wide_repair_fraction = has_its_own ? defaults->wide.repaired : sizes.repair_fraction;
  const bool few = std::int64_t{nx / sizes.tile} * (ny / sizes.tile) * replicas <= 512;  // do not fill a GPU
  sizes.lanes = (lanes > 1 && few ? 2 : 1) * defaults->lanes.advance;
  sizes.repair_lanes = std::max(sizes.lanes, defaults->lanes.repair);
  return sizes;
}

/// Throws InputError if the number of replicas of `sites` sites or the end of the run is invalid.
inline void validate_extent(const Parameters& p, std::int64_t sites) {
  if (p.replicas < 1 || p.replicas > 65536) refuse("replicas", p.replicas, "must lie in [1, 65536]");
  if (sites * p.replicas > std::int64_t{1} << 40)
    refuse("replicas", p.replicas, "must have at most 2^40 sites in all replicas together");
  if (!(p.until_time > 0)) refuse("until-time", p.until_time, "must be positive");
  if (!(p.until_events_per_site > 0)) refuse("until-events-per-site", p.until_events_per_site, "must be positive");
}

/// Throws InputError with option, value and allowed range if a parameter is invalid. `lanes`: lanes_per_tile of the
/// backend, for defaults and limits; `reach`: event_reach of the model; `even_sides`: the model requires even sides.
inline void validate(const Parameters& p, int lanes, const EventReach& reach, bool even_sides) {
  const auto at_least = [&](const std::string& key, auto value, auto least) {
    if (!(value >= least)) refuse(key, value, "must be at least " + std::to_string(least));
  };
  const auto within = [&](const std::string& key, auto value, auto least, auto most) {
    if (!(value >= least && value <= most)) refuse(key, value, "must lie in [", least, ", ", most, "]");
  };
  // Integers are checked first, because the later checks compute with them.
  at_least("size", p.nx, reach.smallest_side());
  at_least("size", p.ny, reach.smallest_side());
  const std::string size = std::to_string(p.nx) + "," + std::to_string(p.ny);
  if (even_sides && (p.nx % 2 != 0 || p.ny % 2 != 0)) refuse("size", size, "both sides must be even in this model");
  const std::int64_t sites = std::int64_t{p.nx} * p.ny;
  if (sites > std::int64_t{1} << 30) refuse("size", size, "must have at most 2^30 sites");
  validate_extent(p, sites);
  constexpr int widest = 1024;
  within("tile", p.tile, 0, widest);
  within("halo", p.halo, 0, widest);
  within("repair-halo", p.repair_halo, 0, widest);
  within("repair-rounds", p.repair_rounds, 1, 16);
  if (p.method != Method::tile) return;

  within("grow-first", p.grow_first, 1.001, 1000.0);
  within("grow", p.grow, 1.001, 100.0);
  within("shrink", p.shrink, 0.01, 0.99);
  within("relax", p.relax, 0.01, 0.999);
  if (!(p.repair_fraction >= 0 && p.repair_fraction <= 1))
    refuse("repair-fraction", p.repair_fraction, "must lie in [0, 1]");
  const TileSizes sizes = tile_sizes(p, lanes, reach);
  if (sizes.tile == 0)
    refuse("size", size,
           "no possible tile divides both sides; use multiples of a tile, such as 16, or --method waiting-time");
  at_least("tile", sizes.tile, reach.smallest_tile());
  if (sizes.tile > p.nx || sizes.tile > p.ny)
    refuse("tile", sizes.tile,
           "is larger than the lattice of " + std::to_string(p.nx) + " x " + std::to_string(p.ny) + " sites");
  if (p.nx % sizes.tile != 0 || p.ny % sizes.tile != 0)
    refuse("size", size, "both sides must be multiples of the tile, " + std::to_string(sizes.tile));
  if (sites / sizes.tile / sizes.tile * p.replicas > std::int64_t{1} << 30)
    refuse("tile", sizes.tile, "must give at most 2^30 tiles in all replicas together");
  if (sizes.whole()) return;
  if (!fits(sizes.tile, reach.narrowest_halo(), lanes, false, reach))
    refuse("tile", sizes.tile, "exceeds the scratch memory; use a smaller tile");
  at_least("halo", sizes.halo, reach.narrowest_halo());
  if (p.step_control == StepControl::repair && sizes.repair_halo < sizes.halo)
    refuse("repair-halo", sizes.repair_halo, "must be at least the halo, " + std::to_string(sizes.halo));
  for (const int halo : {sizes.halo, sizes.repair_halo})
    if (!fits(sizes.tile, halo, lanes, false, reach))
      refuse(halo == sizes.halo ? "halo" : "repair-halo", halo,
             "a tile of " + std::to_string(sizes.tile) + " with this halo exceeds the scratch memory; use at most " +
                 std::to_string(widest_halo(sizes.tile, lanes, reach)));
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
