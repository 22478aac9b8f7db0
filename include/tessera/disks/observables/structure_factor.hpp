// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <tessera/core/host_array.hpp>
#include <tessera/core/kokkos_ext/team_scratch.hpp>
#include <tessera/disks/configuration.hpp>
#include <tessera/disks/state/state.hpp>
#include <vector>

/// S(q) = |rho_q|^2 / N with rho_q = sum over the disks of exp(i q r), for the wave vectors of the periodic box. Terms
/// of rho_q are rounded to multiples of `phase_unit`: sums do not depend on their order.
namespace tessera::disks {

/// A wave vector q = 2 pi (x / width, y / height) of the box.
struct WaveNumber {
  int x, y;
};

/// The wave vectors with 0 < |q| <= reach, in 1/sigma, one of q and -q, row by row from y = 0 on.
inline std::vector<WaveNumber> wave_numbers(const Point& box, double reach) {
  std::vector<WaveNumber> all;
  const double around = reach / (2 * std::numbers::pi), most_x = around * box[0], most_y = around * box[1];
  for (int y = 0; y <= most_y; ++y)
    for (int x = y == 0 ? 1 : -static_cast<int>(most_x); x <= most_x; ++x) {
      const double u = x / box[0], v = y / box[1];
      if (u * u + v * v <= around * around) all.push_back({x, y});
    }
  return all;
}

inline constexpr double phase_unit = 0x1.0p-30;

/// cos and sin of 2 pi `turns`, in multiples of phase_unit.
struct Phase {
  double cosine, sine;

  KOKKOS_FORCEINLINE_FUNCTION explicit Phase(double turns) {
    const double quarters = nearest(4 * turns, 1);
    const double x = (turns - quarters / 4) * (2 * std::numbers::pi), z = x * x;  // |x| <= pi / 4
    // Taylor series with errors below 1e-11, rounded alike on all machines.
    const double c =
        1 -
        z * (1. / 2 - z * (1. / 24 - z * (1. / 720 - z * (1. / 40320 - z * (1. / 3628800 - z * (1. / 479001600))))));
    const double s =
        x * (1 - z * (1. / 6 - z * (1. / 120 - z * (1. / 5040 - z * (1. / 362880 - z * (1. / 39916800))))));
    const double half = nearest(quarters / 2 - 0.25, 1);  // floor of the half turns
    const bool odd = quarters != 2 * half;
    const double sign = half == 2 * nearest(half / 2 - 0.25, 1) ? 1 : -1;
    cosine = nearest(sign * (odd ? -s : c), phase_unit);
    sine = nearest(sign * (odd ? c : s), phase_unit);
  }

 private:
  /// The nearest multiple of `unit`, a power of two; for less than 2^51 units.
  KOKKOS_FORCEINLINE_FUNCTION static double nearest(double value, double unit) {
    const double shift = 0x1.8p52 * unit;
    return value + shift - shift;
  }
};

/// S(q) from the real and imaginary part of rho_q in units of phase_unit.
inline double intensity(std::int64_t re, std::int64_t im, double particles) {
  const double x = static_cast<double>(re) * phase_unit, y = static_cast<double>(im) * phase_unit;
  return (x * x + y * y) / particles;
}

/// Adds the real and imaginary part of rho_q of a rank's own disks, in phase_unit, to sums[replica, wave vector, part].
/// Launches at most `most_teams` teams from number `first_team` on; returns the number of all teams.
template <class ExecutionSpace, class MemorySpace>
int add_density_waves(const ExecutionSpace& space, const State<MemorySpace>& state,
                      const Kokkos::View<const WaveNumber*, MemorySpace>& waves,
                      const Kokkos::View<std::int64_t** [2], Kokkos::LayoutRight, MemorySpace>& sums, int first_team,
                      int most_teams) {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
  using Member = typename Policy::member_type;
  constexpr bool host = runs_on_host<ExecutionSpace>;
  constexpr int lanes = host ? 1 : 128, cells_of_team = 256, waves_of_team = 1024;
  constexpr std::size_t most = most_in_a_cell * cells_of_team;
  const Cells<MemorySpace> cells = state.cells;
  const Geometry g = cells.geometry;
  const auto origins = state.origins;
  const int count = static_cast<int>(waves.extent(0));
  const int blocks = (g.cells() + cells_of_team - 1) / cells_of_team;
  const int parts = (count + waves_of_team - 1) / waves_of_team;
  const int all = blocks * parts * g.replicas;
  Kokkos::parallel_for(
      "tessera::disks::density_waves",
      with_scratch(Policy(space, std::min(most_teams, all - first_team), lanes), (2 * most + 1) * sizeof(double),
                   alignof(double)),
      KOKKOS_LAMBDA(const Member& team) {
        const int number_of_team = first_team + team.league_rank();
        const int replica = number_of_team / (blocks * parts), rest = number_of_team - replica * blocks * parts;
        const int block = rest / parts, part = rest - block * parts;
        // The disks of the team's cells, in units of the sides of the box.
        auto* const x = scratch_array<double>(team, most);
        auto* const y = scratch_array<double>(team, most);
        auto* const disks = scratch_array<int>(team, 1);
        if (team.team_rank() == 0) *disks = 0;
        team.team_barrier();
        for (int c = block * cells_of_team + team.team_rank(); c < (block + 1) * cells_of_team && c < g.cells();
             c += lanes) {
          const int row = c / g.columns, column = g.column(c - row * g.columns);
          if (!g.owns(column, row)) continue;
          const std::int64_t cell = g.index(replica, column, row);
          const int n = cells.counts(cell);
          const int first = Kokkos::atomic_fetch_add(disks, n);
          for (int slot = 0; slot < n; ++slot) {
            const Position p = cells.position(slot, cell);
            const Origin at = steps_in_box(g, g.column_in_grid(column), g.row_in_grid(row), p, origins(replica));
            x[first + slot] = static_cast<double>(at.x) / static_cast<double>(g.steps_x());
            y[first + slot] = static_cast<double>(at.y) / static_cast<double>(g.steps_y());
          }
        }
        team.team_barrier();
        const int number = *disks;
        if (number == 0) return;
        for (int k = part * waves_of_team + team.team_rank(); k < (part + 1) * waves_of_team && k < count; k += lanes) {
          const double u = waves(k).x, v = waves(k).y;
          double re = 0, im = 0;  // exact: multiples of phase_unit below 2^53 of them
          for (int i = 0; i < number; ++i) {
            const Phase phase(u * x[i] + v * y[i]);
            re += phase.cosine;
            im += phase.sine;
          }
          Kokkos::atomic_add(&sums(replica, k, 0), static_cast<std::int64_t>(re / phase_unit));
          Kokkos::atomic_add(&sums(replica, k, 1), static_cast<std::int64_t>(im / phase_unit));
        }
      });
  return all;
}

/// S(q) of points.
inline double structure_factor(const std::vector<Point>& points, const Point& box, const WaveNumber& q) {
  std::int64_t re = 0, im = 0;
  for (const Point& point : points) {
    const Phase phase(q.x * (point[0] / box[0]) + q.y * (point[1] / box[1]));
    re += static_cast<std::int64_t>(phase.cosine / phase_unit);
    im += static_cast<std::int64_t>(phase.sine / phase_unit);
  }
  return intensity(re, im, static_cast<double>(points.size()));
}

}  // namespace tessera::disks
