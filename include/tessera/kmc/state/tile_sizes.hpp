// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Macros.hpp>
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/kmc/parameters.hpp>
#include <tessera/kmc/state/scratch.hpp>

/// Sizes of tiles, halos and teams, which do not affect trajectories: the defaults of a backend, and what is possible.
namespace tessera::kmc {

/// Sides of tiles and widths of halos, in cells, with the lanes of their teams.
struct TileSizes {
  int tile = 0, halo = 0;           ///< side, and width of the halo; halo 0: the whole lattice
  int wide_halo = 0;                ///< for steps with few events (StepRules)
  int repair_halo = 0;              ///< halo of repair runs
  int lanes = 0;                    ///< lanes of a team that advances a tile
  int last_repair_halo = 0;         ///< halo from the third repair round on
  int repair_lanes = 0;             ///< lanes of a team that repairs a tile
  double wide_below = 0;            ///< events per site and step below which the wide halo is faster; 0: it is not used
  double narrow_from = 0;           ///< events per site and step from which on the narrow halo is faster
  double repair_fraction = 0;       ///< target fraction of repaired tiles in a step
  double wide_repair_fraction = 0;  ///< the same with the wide halo
  double level0_from = 0;           ///< events per site and step from which on streams are in level-0 scratch memory
  /// Default factors of the step size (Parameters), whose logarithms determine the part of the steps with repairs.
  double grow = 1.03, relax = 0.95;
  EventReach reach = {};  ///< of the model's events

  /// Whether the tile is the whole lattice, without a halo.
  KOKKOS_FORCEINLINE_FUNCTION bool whole() const { return halo == 0; }
};

inline constexpr double never_in_level0 = std::numeric_limits<double>::infinity();  ///< level0_from

/// An entry of a table of default sizes. The first entry applies that has the tile chosen by the user or, without a
/// choice, whose `from` is at most the number of sites, whose tile divides both sides, at least twice, and whose window
/// fits into scratch memory with a wider halo for repairs. The last entry, with tile 0, always applies.
struct DefaultSizes {
  /// Lanes of a team.
  struct Lanes {
    int advance = 1, repair = 1;  ///< that advances, or repairs, a tile
  };
  /// A second halo, for steps with few events.
  struct Wide {
    int halo = 0;                       ///< its width
    double below = 0, narrow_from = 0;  ///< events per site and step: the narrow halo permits longer steps
    double repaired = 0;                ///< 0: as with the other halo
  };
  std::int64_t from = 0;  ///< least number of sites in all replicas
  int tile = 0, halo;     ///< side, and width of the halo with repair; without repair it is wider (tile_sizes())
  Wide wide = {};         ///< the halo with repair for steps with few events; 0: the same
  Lanes lanes = {};       ///< a warp performs six events at once; more lanes where a window has more events
  double repaired;        ///< target fraction of repaired tiles
  double level0_from = never_in_level0;  ///< TileSizes::level0_from
  int far_halo = 0;                      ///< halo for events that reach further than two cells; 0: from `halo`
};
/// On a busy GPU a repaired tile costs as much as any other, and the time per event is what matters. On a partly idle
/// GPU a repair takes as long as the advance of all tiles, so that few steps should need one. Streams in level-0
/// scratch memory have less latency, but permit seven teams per multiprocessor instead of eight, too few to advance the
/// 1024 tiles of 1024^2 sites at the same time.
inline constexpr DefaultSizes sizes_on_gpus[] = {
    {.from = 4194304, .tile = 32, .halo = 6, .lanes = {64, 128}, .repaired = 0.03, .level0_from = 0.08},
    {.from = 1048576, .tile = 32, .halo = 7, .wide = {8, 0.2, 0.3}, .lanes = {64, 256}, .repaired = 0.001},
    {.from = 262144, .tile = 32, .halo = 10, .lanes = {64, 256}, .repaired = 0.001, .level0_from = 0.08},
    {.tile = 16, .halo = 10, .lanes = {32, 128}, .repaired = 0.004, .level0_from = 0},
    {.halo = 4, .wide = {6, 0.085, 0.25, 0.00375}, .lanes = {32, 128}, .repaired = 0.015, .level0_from = 0}};
/// Larger tiles than on GPUs: fewer suffice for all cores, and they repeat fewer events in their halos.
inline constexpr DefaultSizes sizes_on_hosts[] = {
    {.from = 1048576, .tile = 64, .halo = 6, .wide = {12, 0.08, 0.4}, .repaired = 0.03},
    {.tile = 32, .halo = 6, .wide = {8, 0.06, 0.25}, .repaired = 0.015},
    {.halo = 4, .repaired = 0.015}};
/// For models whose events affect cells at a distance of two: halos are wider, and wider by 2 for each cell by which
/// they reach further. An event that may change two cells takes eight lanes, so that a warp performs four at once.
/// The first entry is for models from files: larger tiles have more events at once, and repeat fewer in their halos.
inline constexpr DefaultSizes sizes_of_far_events_on_gpus[] = {
    {.from = 16777216, .tile = 64, .halo = 8, .lanes = {128, 256}, .repaired = 0.015, .far_halo = 12},
    {.from = 4194304, .tile = 32, .halo = 8, .lanes = {96, 256}, .repaired = 0.015, .level0_from = 0.03},
    {.from = 262144, .tile = 32, .halo = 10, .lanes = {128, 256}, .repaired = 0.001, .level0_from = 0.08},
    {.tile = 16, .halo = 10, .lanes = {64, 128}, .repaired = 0.004, .level0_from = 0},
    {.halo = 6, .wide = {8, 0.085, 0.25, 0.00375}, .lanes = {64, 128}, .repaired = 0.015, .level0_from = 0}};
/// The same on CPUs.
inline constexpr DefaultSizes sizes_of_far_events_on_hosts[] = {
    {.from = 1048576, .tile = 64, .halo = 8, .wide = {14, 0.08, 0.4}, .repaired = 0.03},
    {.tile = 32, .halo = 8, .wide = {10, 0.06, 0.25}, .repaired = 0.015},
    {.halo = 5, .repaired = 0.015}};
/// Side of the largest lattice that CPUs advance as a single tile. One core does so twice as fast as by tiles, which
/// repeat the events in their halos; several cores for each lattice advance larger ones faster by tiles.
constexpr double widest_whole_on_hosts(int cores, int replicas) {
  const double of_each = static_cast<double>(cores) * ((replicas + cores - 1) / cores) / replicas;
  return of_each <= 1 ? 256 : std::max(36.0, 192 / of_each);
}
/// Side of the largest lattice that GPUs advance as a single tile, if tiles of 16 divide it: one team takes up to twice
/// as long for a larger one as teams for its tiles, unless it is one of several.
constexpr int widest_whole_on_gpus(int replicas) { return replicas > 4 ? std::numeric_limits<int>::max() : 72; }
/// Number of repair rounds that have a launch of their own. Later rounds rarely have tiles, and a launch costs as much
/// as a step of a small lattice.
constexpr int repair_launches(std::int64_t tiles) { return tiles >= 16384 ? 3 : (tiles >= 2048 ? 2 : 1); }
/// Number of teams in a repair launch. Few on a GPU, so that a launch without listed tiles ends early.
constexpr std::int64_t repair_teams(std::int64_t tiles, bool on_host) {
  return std::min(tiles, std::clamp<std::int64_t>(on_host ? tiles : tiles / 16, 32, 2048));
}
/// Largest number of tiles that one team repairs in sequence. If more remain, the step is far too long.
inline constexpr int most_tiles_of_a_team = 64;
/// Tiles for other lattices (tile 0 above). The first that divides both sides is used.
inline constexpr int other_tiles[] = {16, 8, 4, 12, 10, 6, 5, 7, 9, 11, 13, 14, 15};

/// Sizes to use, with defaults for those that are 0. `lanes`: lanes_per_tile of the backend; `reach`: event_reach. The
/// result has tile = 0 if no supported tile divides the lattice.
inline TileSizes tile_sizes(const Parameters& p, int lanes, const EventReach& reach) {
  const int nx = p.nx, ny = p.ny, cores = p.cores;
  const std::int64_t sites = std::int64_t{nx} * ny * p.replicas;
  const bool on_host = lanes == 1, repair = p.step_control == StepControl::repair;
  TileSizes sizes{.tile = p.tile,
                  .halo = p.halo,
                  .repair_halo = p.repair_halo,
                  .repair_fraction = p.repair_fraction,
                  .reach = reach};
  const auto divides = [&](int tile) { return tile >= reach.smallest_tile() && nx % tile == 0 && ny % tile == 0; };
  // The number of cores does not decide which lattices are possible.
  const int* const other_tile = std::ranges::find_if(other_tiles, divides);
  const bool has_tiles = other_tile != std::end(other_tiles);
  const bool is_small = cores > 0 && (!has_tiles || nx <= widest_whole_on_hosts(cores, p.replicas));
  const bool is_whole = on_host ? is_small : nx <= widest_whole_on_gpus(p.replicas) || !divides(16);
  if ((p.tile == nx || (p.tile == 0 && is_whole)) && p.halo == 0 && nx == ny && fits_whole(nx, lanes, reach)) {
    sizes.tile = nx;
    sizes.lanes = on_host ? 1 : TeamLayout::most_lanes;
    return sizes;
  }
  // The largest tile of which each core has one, or four that are large.
  for (int tile = 64; on_host && cores > 0 && sizes.tile == 0 && tile >= 8; --tile)
    if (2 * tile <= std::min(nx, ny) && divides(tile) &&
        (!has_tiles || sites / tile / tile >= (tile > 50 ? 4 : 1) * cores))
      sizes.tile = tile;

  const DefaultSizes* defaults =
      reach.reach > 1 ? (on_host ? sizes_of_far_events_on_hosts : sizes_of_far_events_on_gpus + (reach.counts ? 0 : 1))
                      : (on_host ? sizes_on_hosts : sizes_on_gpus);
  const int further = std::max(0, 2 * (reach.reach - 2)), narrowest = reach.narrowest_halo();
  const auto halo_of = [&](const DefaultSizes& d) {
    return std::max(further > 0 && d.far_halo > 0 ? d.far_halo : d.halo + further, narrowest);
  };
  const auto applies = [&](const DefaultSizes& d) {
    if (d.tile == 0 || sizes.tile != 0) return d.tile == 0 || d.tile == sizes.tile;
    return sites >= d.from && std::min(nx, ny) >= 2 * d.tile && divides(d.tile) &&
           fits(d.tile, std::max({halo_of(d) + 2, p.halo, p.repair_halo}), lanes, false, reach);
  };
  while (!applies(*defaults)) ++defaults;
  if (sizes.tile == 0) sizes.tile = defaults->tile;
  if (sizes.tile == 0 && has_tiles) sizes.tile = *other_tile;
  if (sizes.tile == 0) return sizes;

  const int widest = widest_halo(sizes.tile, lanes, reach), halo = halo_of(*defaults);
  const DefaultSizes::Wide& wide = defaults->wide;
  const int wide_halo = std::max(wide.halo + further, halo);
  if (sizes.halo == 0)
    sizes.halo = std::min(repair ? halo : (on_host ? 2 * halo : halo + 4), std::max(widest, narrowest));
  sizes.wide_halo = p.halo == 0 && repair && wide.halo != 0 && wide_halo <= widest ? wide_halo : sizes.halo;
  sizes.last_repair_halo = sizes.repair_halo;
  if (sizes.repair_halo == 0) {
    const int wider = on_host ? 3 * sizes.wide_halo : 5 * sizes.wide_halo / 2;
    sizes.repair_halo = std::max(sizes.wide_halo, std::min(wider, widest));
    // A rank's ghost ring has the same width; on CPUs at most 64.
    const int enough = on_host ? std::min(64, widest) : widest;
    sizes.last_repair_halo = std::max(sizes.repair_halo, std::min(6 * sizes.wide_halo, enough));
  }
  sizes.wide_halo = std::min(sizes.wide_halo, sizes.repair_halo);
  sizes.wide_below = sizes.wide_halo > sizes.halo ? wide.below : 0;
  sizes.narrow_from = wide.narrow_from;
  const bool fits_level0 = !on_host && fits(sizes.tile, sizes.wide_halo, lanes, true, reach);
  sizes.level0_from = fits_level0 ? defaults->level0_from : never_in_level0;
  if (sizes.repair_fraction == 0) sizes.repair_fraction = defaults->repaired;
  const bool has_its_own = p.repair_fraction == 0 && sizes.wide_below > 0 && wide.repaired > 0;
  sizes.wide_repair_fraction = has_its_own ? wide.repaired : sizes.repair_fraction;
  const bool few = !on_host && sites / sizes.tile / sizes.tile <= 512;  // do not fill a GPU
  if (few) {
    sizes.grow = 1.02;
    sizes.relax = 0.8;
  }
  sizes.lanes = std::max(lanes, (few ? 2 : 1) * defaults->lanes.advance);
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
  if (p.grow != 0) within("grow", p.grow, 1.001, 100.0);
  within("shrink", p.shrink, 0.01, 0.99);
  if (p.relax != 0) within("relax", p.relax, 0.01, 0.999);
  within("repair-fraction", p.repair_fraction, 0, 1);
  const TileSizes sizes = tile_sizes(p, lanes, reach);
  if (sizes.tile == 0)
    refuse("size", size,
           "no possible tile divides both sides; use multiples of a tile, such as 16, or --method waiting-time");
  at_least("tile", sizes.tile, reach.smallest_tile());
  if (sizes.tile > p.nx || sizes.tile > p.ny)
    refuse("tile", sizes.tile,
           "is larger than the lattice of " + std::to_string(p.nx) + " x " + std::to_string(p.ny) + " sites");
  if (p.nx % sizes.tile != 0 || p.ny % sizes.tile != 0)
    refuse("tile", sizes.tile, "must divide both sides of the lattice, ", p.nx, " and ", p.ny);
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

}  // namespace tessera::kmc
