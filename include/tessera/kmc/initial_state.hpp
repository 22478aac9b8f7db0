// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <tessera/kmc/state.hpp>
#include <tessera/kmc/waiting_times.hpp>
#include <vector>

/// What happens to all cells at once, outside of the steps.
namespace tessera::kmc {

/// Sets the states of all replicas at time 0 and draws the first waiting times (equation 1); the streams have been
/// seeded.
template <class ExecutionSpace, Model M>
void start_cells(const ExecutionSpace& space, const State<typename ExecutionSpace::memory_space, M>& state,
                 const M& model, std::uint64_t seed) {
  using Policy = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  const Geometry g = state.geometry;
  Kokkos::deep_copy(space, state.front, 0u);
  Kokkos::parallel_for(
      "tessera::kmc::start_states", Policy(space, 0, g.replicas * g.sites()), KOKKOS_LAMBDA(std::int64_t i) {
        const auto replica = static_cast<std::uint64_t>(i / g.sites());
        state.states(i) = start_state(model, seed + replica, static_cast<std::uint64_t>(i % g.sites()));
      });
  Kokkos::parallel_for(
      "tessera::kmc::start_times", Policy(space, 0, g.replicas * g.sites()), KOKKOS_LAMBDA(std::int64_t i) {
        const std::int64_t offset = i / g.sites() * g.sites();
        const int x = static_cast<int>((i - offset) % g.nx), y = static_cast<int>((i - offset) / g.nx);
        NeighbourhoodOf<M> n;
        n.centre = state.states(i);
        for (int k = 0; k < M::neighbours; ++k) {
          const int x1 = (x + neighbour_dx(k) + g.nx) % g.nx, y1 = (y + neighbour_dy(k) + g.ny) % g.ny;
          n.around[k] = state.states(offset + std::int64_t{y1} * g.nx + x1);
        }
        Stream stream = state.streams.get(i);
        state.times(i) = next_waiting_time(model, 0.0, n, stream);
        state.streams.put(i, stream);
      });
}

/// Moves the present of all cells to the first buffer. Where cells that lie side by side have theirs in different
/// buffers, memory has twice as much to read.
template <class ExecutionSpace, Model M>
void gather_in_first_buffer(const ExecutionSpace& space, const State<typename ExecutionSpace::memory_space, M>& state) {
  const Geometry g = state.geometry;
  const auto words = static_cast<std::int64_t>(State<typename ExecutionSpace::memory_space, M>::words(g));
  Kokkos::parallel_for(
      "tessera::kmc::gather_in_first_buffer",
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space, 0, words),
      KOKKOS_LAMBDA(std::int64_t word) {
        const std::int64_t tile = word / g.words_of_tile();
        const int inside = static_cast<int>(word - tile * g.words_of_tile());
        const int replica = static_cast<int>(tile / g.tiles()), t = static_cast<int>(tile % g.tiles());
        const int y = t / g.tiles_x * g.tile + inside / g.words_of_row();
        const int first = inside % g.words_of_row() * 32, left = g.tile - first;
        const std::uint32_t bits = state.front(word);
        for (int i = 0; i < (left < 32 ? left : 32); ++i) {
          if ((bits >> i & 1u) == 0) continue;
          const std::int64_t site = std::int64_t{y} * g.nx + t % g.tiles_x * g.tile + first + i;
          const std::size_t from = state.index(1, replica, site), to = state.index(0, replica, site);
          state.states(to) = state.states(from);
          state.times(to) = state.times(from);
          state.streams.states()(to) = state.streams.states()(from);
        }
        state.front(word) = 0;
      });
}

/// The time of each replica's earliest event to come.
template <class ExecutionSpace, Model M>
std::vector<double> earliest_times(const ExecutionSpace& space,
                                   const State<typename ExecutionSpace::memory_space, M>& state) {
  const Geometry g = state.geometry;
  std::vector<double> earliest(static_cast<std::size_t>(g.replicas));
  for (int r = 0; r < g.replicas; ++r)
    Kokkos::parallel_reduce(
        "tessera::kmc::earliest_time",
        Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space, 0, g.sites()),
        KOKKOS_LAMBDA(std::int64_t i, double& smallest) {
          const double time = state.times(state.present(r, static_cast<int>(i % g.nx), static_cast<int>(i / g.nx)));
          smallest = time < smallest ? time : smallest;
        },
        Kokkos::Min<double>(earliest[static_cast<std::size_t>(r)]));
  return earliest;
}

/// Copies the present of one of the two-buffer fields of `state` to `present`, from cell number `first` of all replicas
/// on.
template <class ExecutionSpace, Model M, class Buffers, class Present>
void gather_present(const ExecutionSpace& space, const State<typename ExecutionSpace::memory_space, M>& state,
                    const Buffers& buffers, std::size_t first, const Present& present) {
  const Geometry g = state.geometry;
  const auto begin = static_cast<std::int64_t>(first), count = static_cast<std::int64_t>(present.size());
  Kokkos::parallel_for(
      "tessera::kmc::gather", Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space, 0, count),
      KOKKOS_LAMBDA(std::int64_t i) {
        const int replica = static_cast<int>((begin + i) / g.sites());
        const std::int64_t site = (begin + i) % g.sites();
        present(i) = buffers(state.present(replica, static_cast<int>(site % g.nx), static_cast<int>(site / g.nx)));
      });
}

}  // namespace tessera::kmc
