// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/host_array.hpp>
#include <tessera/core/streams.hpp>
#include <tessera/disks/state/geometry.hpp>
#include <tessera/disks/state/numbers.hpp>

namespace tessera::disks {

/// Random choices that all cells of a replica share in one sweep.
struct SweepPlan {
  std::uint64_t key;       ///< of the streams of the cells
  float shift;             ///< d of algorithm 1, in sigma: a multiple of `step`
  std::uint32_t order;     ///< of the checkerboard sets, a byte each, in one register
  std::uint8_t direction;  ///< f of algorithm 1: -x, +x, -y, +y

  /// The set of sub-sweep k: column parity + 2 * row parity.
  KOKKOS_FORCEINLINE_FUNCTION int set(int k) const { return static_cast<int>((order >> (8 * k)) & 3u); }
};

/// Draws an integer in [0, choices) from `fraction`, and keeps the remainder for the next choice. The product of all
/// numbers of choices must be small compared with 2^32.
KOKKOS_FORCEINLINE_FUNCTION int choose(std::uint32_t& fraction, int choices) {
  const std::uint64_t scaled = std::uint64_t{fraction} * static_cast<std::uint32_t>(choices);
  fraction = static_cast<std::uint32_t>(scaled);
  return static_cast<int>(scaled >> 32);
}

/// Lines 1, 2, 15 and 16 of algorithm 1, for the replica with this seed.
KOKKOS_INLINE_FUNCTION SweepPlan plan_sweep(std::uint64_t seed, std::uint64_t sweep, bool shuffle_checkerboard,
                                            const Geometry& g) {
  Stream stream(stream_start(seed, sweep));
  SweepPlan plan;
  plan.key = stream.draw();
  const std::uint64_t random = stream.draw();
  auto high = static_cast<std::uint32_t>(random >> 32);
  plan.direction = static_cast<std::uint8_t>(choose(high, 4));
  std::uint32_t sets[4] = {0, 1, 2, 3};
  for (int i = 3; i > 0 && shuffle_checkerboard; --i) exchange(true, sets[i], sets[choose(high, i + 1)]);
  plan.order = sets[0] | sets[1] << 8 | sets[2] << 16 | sets[3] << 24;
  auto low = static_cast<std::uint32_t>(random);
  const std::int32_t side = plan.direction < 2 ? g.width : g.height;
  plan.shift = static_cast<float>(choose(low, side / 2 + 1)) * step;
  return plan;
}

/// The stream of cell y * columns + x for the first group of moves of a sweep; group n uses that of cell + n * cells.
KOKKOS_FORCEINLINE_FUNCTION Stream cell_stream(std::uint64_t key, std::int64_t cell) {
  const std::uint64_t state = mix(key + (static_cast<std::uint64_t>(cell) + 1) * golden);
  return Stream(state == 0 ? 1 : state);
}

/// A key with which this cell has number 0: group n uses cell_stream(key_of_cell(...), n * cells).
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t key_of_cell(std::uint64_t key, std::int64_t cell) {
  return key + static_cast<std::uint64_t>(cell) * golden;
}

/// Computes plans(i, replica) of sweep first + i, 0 <= i < count.
template <class ExecutionSpace, class Plans>
void plan_sweeps(const ExecutionSpace& space, const Plans& plans, std::int64_t first, int count, std::uint64_t seed,
                 bool shuffle_checkerboard, const Geometry& g) {
  const int replicas = g.replicas;
  Kokkos::parallel_for(
      "tessera::disks::plan_sweeps", Indices<ExecutionSpace>(space, 0, std::int64_t{count} * replicas),
      KOKKOS_LAMBDA(std::int64_t i) {
        const auto sweep = i / replicas;
        const auto r = i % replicas;
        plans(sweep, r) = plan_sweep(seed + static_cast<std::uint64_t>(r), static_cast<std::uint64_t>(first + sweep),
                                     shuffle_checkerboard, g);
      });
}

/// Adds the shifts of `count` sweeps to the origins of the grids.
template <class ExecutionSpace, class Plans, class Origins>
void move_origins(const ExecutionSpace& space, const Plans& plans, int count, const Origins& origins,
                  const Geometry& g) {
  Kokkos::parallel_for(
      "tessera::disks::move_origins", Kokkos::RangePolicy<ExecutionSpace>(space, 0, g.replicas), KOKKOS_LAMBDA(int r) {
        std::int64_t x = 0, y = 0;
        for (int i = 0; i < count; ++i) {
          const auto d = static_cast<std::int64_t>(plans(i, r).shift * static_cast<float>(steps_per_diameter));
          const int direction = plans(i, r).direction;
          (direction < 2 ? x : y) += (direction & 1) != 0 ? d : -d;
        }
        const auto wrapped = [](std::int64_t value, std::int64_t side) { return ((value % side) + side) % side; };
        origins(r).x = wrapped(origins(r).x + x, g.steps_x());
        origins(r).y = wrapped(origins(r).y + y, g.steps_y());
      });
}

}  // namespace tessera::disks
