// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <tessera/core/error.hpp>
#include <vector>

/// The octahedron model of the Kardar-Parisi-Zhang class in two dimensions.
namespace tessera::kpz {

/// Domain decomposition, or sequential dynamics.
enum class Method { domain, sequential };

/// Decomposition of the lattice into domains, one per team: section 3 of Kelling, Odor and Gemming, "Suppressing
/// correlations in massively parallel simulations of lattice models".
enum class DeviceLayer {
  double_tiling_random,  ///< DTr: double tiling with random origin
  double_tiling,         ///< DT: double tiling
  dead_border,           ///< DB: dead border, unrestricted origin
  coarse_dead_border,    ///< cDB: dead border, origin on a grid of 4 x 4 sites
};

/// Decomposition of a domain into thread cells, each of which makes one update attempt at a time.
enum class BlockLayer {
  dead_border,    ///< DB: single-hit dead border with delayed borders
  double_tiling,  ///< DT: single-hit double tiling
};

/// Input of a run of the octahedron model. Lengths are in sites, times in Monte Carlo steps (one attempt per site).
struct Parameters {
  int nx = 1024, ny = 1024;                                      ///< lattice, periodic, powers of two; `--size NX[,NY]`
  double p = 1;                                                  ///< probability of deposition at a site open to it
  double q = 0;                                                  ///< probability of removal at a site open to it
  Method method = Method::domain;                                ///< domain decomposition or sequential dynamics
  DeviceLayer device_layer = DeviceLayer::double_tiling_random;  ///< decomposition of the lattice, for Method::domain
  BlockLayer block_layer = BlockLayer::dead_border;              ///< decomposition of a domain, for Method::domain
  int thread_cell_x = 0, thread_cell_y = 0;  ///< TC=x,y: log2 of the sides of a thread cell / 4; 0,0: the default
  int domain = 0;                     ///< side of a domain in sites, a power of two; 0: the default for the lattice
  int border = 0;                     ///< width of a dead border of the device layer; 0: 5 for DB, 1 for cDB
  double async_interval = 0;          ///< sweeps of a domain before the origin moves; 0: 1/2 for DB, 1 otherwise
  std::uint64_t seed = 1;             ///< replica r has seed + r
  int replicas = 1;                   ///< number of independent systems
  double steps = 0;                   ///< final time
  std::vector<double> waiting_times;  ///< times s of the surfaces stored for C(t, s)
  bool structure_factor = false;      ///< whether to measure S(k) of all wave vectors along the axes
};

inline constexpr int smallest_side = 16;                          ///< for the domain method; 4 for sequential dynamics
inline constexpr int largest_side = 1 << 20;                      ///< side of the largest lattice, in sites
inline constexpr int largest_domain = 256;                        ///< side of the largest domain, in sites
inline constexpr double most_sites = 0x1p40, most_rows = 0x1p32;  ///< of all replicas together
inline constexpr double most_domains = 0x1p30;                    ///< updated at once
inline constexpr std::size_t most_waiting_times = 1024;           ///< largest number of Parameters::waiting_times

/// Whether domains have a dead border rather than double tiling.
inline bool has_dead_border(DeviceLayer layer) {
  return layer == DeviceLayer::dead_border || layer == DeviceLayer::coarse_dead_border;
}

/// Side of a domain if none is given: 128 sites, less on small lattices.
inline int default_domain(const Parameters& p) {
  const int side = std::min(p.nx, p.ny);
  return std::min(128, has_dead_border(p.device_layer) ? side : side / 2);
}
/// Side of a domain, in sites.
inline int domain_side(const Parameters& p) { return p.domain == 0 ? default_domain(p) : p.domain; }
/// Distance between domains that are updated at once.
inline int domain_period(const Parameters& p) {
  return has_dead_border(p.device_layer) ? domain_side(p) : 2 * domain_side(p);
}

/// log2 of the sides of a thread cell divided by 4 sites.
struct ThreadCell {
  int x, y;                                            ///< both at least 1
  bool operator==(const ThreadCell&) const = default;  ///< member by member
};

/// By default TC=2,2, whose W^2 deviates from that of sequential dynamics equally on lattices of all sizes
/// (docs/kpz_exact.md); a domain of 8 sites has no room for it.
inline ThreadCell thread_cell(const Parameters& p) {
  const ThreadCell given{p.thread_cell_x, p.thread_cell_y};
  if (given != ThreadCell{0, 0}) return given;
  return p.method == Method::domain && domain_side(p) < 16 ? ThreadCell{1, 1} : ThreadCell{2, 2};
}

/// Width of the dead border at the right and upper side of a domain.
inline int border_width(const Parameters& p) {
  if (!has_dead_border(p.device_layer)) return 0;
  if (p.border > 0) return p.border;
  return p.device_layer == DeviceLayer::dead_border ? 5 : 1;
}

/// Sweeps of a domain before the origin moves.
inline double async_interval(const Parameters& p) {
  if (p.async_interval > 0) return p.async_interval;
  return p.device_layer == DeviceLayer::dead_border ? 0.5 : 1;
}

/// Longest run in Monte Carlo steps. It limits the number of attempts of all replicas, dead borders included, and the
/// heights, which grow by less than a layer per step.
inline double most_steps(const Parameters& p) {
  constexpr double most_attempts = 0x1p60, most_layers = 1e9;
  double inner = 1;
  if (p.method == Method::domain) inner = static_cast<double>(domain_side(p) - border_width(p)) / domain_side(p);
  const double attempts_a_step = static_cast<double>(p.nx) * p.ny * p.replicas / (inner * inner);
  return std::min(most_layers, most_attempts / attempts_a_step);
}

/// Name of the decomposition in the paper, such as "DTrDB".
inline std::string scheme_name(const Parameters& p) {
  constexpr const char* device[] = {"DTr", "DT", "DB", "cDB"};
  return std::string(device[static_cast<int>(p.device_layer)]) +
         (p.block_layer == BlockLayer::dead_border ? "DB" : "DT");
}

/// Throws InputError with key, value and allowed values if the parameters are invalid.
inline void validate(const Parameters& p) {
  const auto is_power = [](int n) { return n > 0 && std::has_single_bit(static_cast<unsigned>(n)); };
  const std::string size = std::to_string(p.nx) + "," + std::to_string(p.ny);
  const int smallest = p.method == Method::sequential ? 4 : smallest_side;
  for (const int side : {p.nx, p.ny})
    if (!is_power(side) || side < smallest || side > largest_side)
      refuse("size", size, "both sides must be powers of two from " + std::to_string(smallest) + " to 2^20");
  for (const auto& [key, value] : {std::pair{"p", p.p}, {"q", p.q}})
    if (!(value >= 0 && value <= 1)) refuse(key, value, "must lie in [0, 1]");
  if (p.replicas < 1 || p.replicas > 65536) refuse("replicas", p.replicas, "must lie in [1, 65536]");
  if (static_cast<double>(p.nx) * p.ny * p.replicas > most_sites || static_cast<double>(p.ny) * p.replicas > most_rows)
    refuse("replicas", p.replicas, "must have at most 2^40 sites and 2^32 rows in all replicas together");
  if (!(p.steps > 0)) refuse("steps", p.steps, "must be a positive number of Monte Carlo steps");
  if (p.waiting_times.size() > most_waiting_times)
    refuse("waiting-times", p.waiting_times.front(),
           "must be the first of at most " + std::to_string(most_waiting_times) + " times");
  for (const double s : p.waiting_times)
    if (!(s >= 0 && std::isfinite(s))) refuse("waiting-times", s, "must be times, 0 or more");
  if (!std::is_sorted(p.waiting_times.begin(), p.waiting_times.end(), std::less_equal<>()))
    refuse("waiting-times", p.waiting_times.front(), "must be the first of increasing times");
  const auto require_possible_steps = [&] {
    if (p.steps > most_steps(p)) refuse("steps", p.steps, "must be at most ", most_steps(p), " on this lattice");
  };
  if (p.method == Method::sequential) return require_possible_steps();

  const auto [cell_x, cell_y] = thread_cell(p);
  const std::string cell = std::to_string(cell_x) + "," + std::to_string(cell_y);
  for (const int log2 : {cell_x, cell_y})
    if (log2 < 1 || log2 > 6) refuse("thread-cell", cell, "both numbers must lie in [1, 6]");
  const int domain = domain_side(p);
  const int largest =
      std::min(largest_domain, has_dead_border(p.device_layer) ? std::min(p.nx, p.ny) : std::min(p.nx, p.ny) / 2);
  if (!is_power(domain) || domain < 8 || domain > largest)
    refuse("domain", domain, "must be a power of two from 8 to " + std::to_string(largest) + " on this lattice");
  const double period = domain_period(p);
  if (p.nx / period * (p.ny / period) * p.replicas > most_domains)
    refuse("domain", domain, "gives too many domains on this lattice; at most 2^30 are possible");
  if ((4 << std::max(cell_x, cell_y)) > domain)
    refuse("thread-cell", cell, "is larger than a domain of " + std::to_string(domain) + " sites");
  if (p.border != 0 && !has_dead_border(p.device_layer))
    refuse("border", p.border, "requires --device-layer db or cdb");
  if (p.border < 0 || border_width(p) >= domain)
    refuse("border", border_width(p), "must lie in [1, " + std::to_string(domain - 1) + "]");
  const double interval = async_interval(p);
  if (!(p.async_interval >= 0 && interval >= 0.125 && interval <= 1024 && interval * 8 == std::floor(interval * 8)))
    refuse("async-interval", p.async_interval, "must be a multiple of 1/8, at most 1024");
  if (!has_dead_border(p.device_layer) && interval != 1)
    refuse("async-interval", p.async_interval, "requires --device-layer db or cdb");
  require_possible_steps();
}

}  // namespace tessera::kpz
