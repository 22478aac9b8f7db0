// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <tessera/core/host_array.hpp>
#include <tessera/kmc/state/state.hpp>
#include <tessera/kmc/state/waiting_times.hpp>

/// Operations on all cells at the start of a run.
namespace tessera::kmc {

/// Of the cells of all replicas, from number `first` to `end` - 1.
struct CellRange {
  std::int64_t first = 0, end = std::numeric_limits<std::int64_t>::max();

  template <class ExecutionSpace>
  auto of(const ExecutionSpace& space, const Geometry& g) const {
    return Indices<ExecutionSpace>(space, first, std::max(first, std::min(end, g.replicas * g.sites())));
  }
};

template <class ExecutionSpace, Model M>
void seed_cells(const ExecutionSpace& space, const State<typename ExecutionSpace::memory_space, M>& state,
                std::uint64_t seed, const CellRange& cells = {}) {
  const Geometry g = state.geometry;
  const auto streams = state.streams;
  Kokkos::parallel_for(
      "tessera::kmc::seed_streams", cells.of(space, g), KOKKOS_LAMBDA(std::int64_t i) {
        const std::int64_t replica = i / g.sites();
        const int site = g.in_whole(static_cast<int>(i - replica * g.sites()));
        streams(i) = stream_start(seed + static_cast<std::uint64_t>(replica), static_cast<std::uint64_t>(site));
      });
}

/// Sets cells to the initial states of the model.
template <class ExecutionSpace, Model M>
void start_states(const ExecutionSpace& space, const State<typename ExecutionSpace::memory_space, M>& state,
                  const M& model, std::uint64_t seed, const CellRange& cells = {}) {
  const Geometry g = state.geometry;
  Kokkos::parallel_for(
      "tessera::kmc::start_states", cells.of(space, g), KOKKOS_LAMBDA(std::int64_t i) {
        const auto replica = static_cast<std::uint64_t>(i / g.sites());
        const auto cell = static_cast<std::uint64_t>(g.in_whole(static_cast<int>(i % g.sites())));
        state.states(i) = start_state(model, seed + replica, cell, g.whole_nx, g.whole_ny);
      });
}

/// The times of the replicas with active step states.
template <class Steps>
struct TimesOf {
  Steps steps;
  KOKKOS_FUNCTION double operator()(std::int64_t replica) const {
    return steps(replica).active ? steps(replica).time : -1;
  }
};

/// Sets the kept sums of cells, from their states.
template <class ExecutionSpace, Model M>
void set_sums(const ExecutionSpace& space, const State<typename ExecutionSpace::memory_space, M>& state, const M& model,
              const CellRange& cells = {}) {
  if constexpr (KeepsSums<M>)
    Kokkos::parallel_for(
        "tessera::kmc::set_sums", cells.of(space, state.geometry), KOKKOS_LAMBDA(std::int64_t i) {
          const std::int64_t offset = i - i % state.geometry.sites();
          const int nx = state.geometry.nx, site = static_cast<int>(i - offset);
          model.sum_up(state.neighbourhood(offset, site % nx, site / nx), state.sums_of(i));
        });
}
/// Sets those of the cells in the ghost ring.
template <class ExecutionSpace, Model M>
void set_sums_of_ghosts(const ExecutionSpace& space, const State<typename ExecutionSpace::memory_space, M>& state,
                        const M& model) {
  if constexpr (KeepsSums<M>) {
    const parallel::TableShape table = state.geometry.table_of_sites();
    Kokkos::parallel_for(
        "tessera::kmc::set_sums_of_ghosts", Indices<ExecutionSpace>(space, 0, table.ghosts()),
        KOKKOS_LAMBDA(std::int64_t i) {
          parallel::at_border(table, i, false, [&](int replica, int x, int y) {
            const auto first = static_cast<std::int64_t>(state.front(replica, 0));
            const auto cell = static_cast<std::size_t>(first + std::int64_t{y} * table.nx + x);
            model.sum_up(state.neighbourhood(first, x, y), state.sums_of(cell));
          });
        });
  }
}

/// Draws the waiting times of cells at time now(replica), if it is not negative (equation 1). Requires states and
/// seeded streams.
template <class ExecutionSpace, Model M, class Now>
void start_times(const ExecutionSpace& space, const State<typename ExecutionSpace::memory_space, M>& state,
                 const M& model, const Now& now, const CellRange& cells = {}) {
  set_sums(space, state, model, cells);
  const Geometry g = state.geometry;
  Kokkos::parallel_for(
      "tessera::kmc::start_times", cells.of(space, g), KOKKOS_LAMBDA(std::int64_t i) {
        const std::int64_t replica = i / g.sites(), offset = replica * g.sites();
        if (now(replica) < 0) return;
        const int x = static_cast<int>((i - offset) % g.nx), y = static_cast<int>((i - offset) / g.nx);
        Stream stream(state.streams(i));
        const double mean = mean_waiting_time(model, state.rate_from(offset, x, y));
        state.times(i) = next_waiting_time(now(replica), mean, stream);
        state.streams(i) = stream.state();
      });
}

/// Sets the times of the next events of all replicas; infinity where there is none. The ghost ring must be filled.
template <class ExecutionSpace, Model M>
void find_earliest_times(const ExecutionSpace& space, const State<typename ExecutionSpace::memory_space, M>& state,
                         const Kokkos::View<double*, typename ExecutionSpace::memory_space>& earliest) {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
  constexpr std::int64_t cells_of_team = 1 << 14;
  const std::int64_t sites = state.geometry.sites();
  const auto teams = static_cast<int>((sites + cells_of_team - 1) / cells_of_team);  // of a replica
  Kokkos::deep_copy(space, earliest, std::numeric_limits<double>::infinity());
  Kokkos::parallel_for(
      "tessera::kmc::earliest_times", Policy(space, state.geometry.replicas * teams, Kokkos::AUTO),
      KOKKOS_LAMBDA(const typename Policy::member_type& team) {
        const int replica = team.league_rank() / teams;
        const std::int64_t first = (team.league_rank() - replica * teams) * cells_of_team,
                           rest = sites - first < cells_of_team ? sites - first : cells_of_team;
        double its = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, static_cast<int>(rest)),
            [&](int i, double& smallest) {
              const double time = state.times(state.index(replica, first + i));
              smallest = time < smallest ? time : smallest;
            },
            Kokkos::Min<double>(its));
        Kokkos::single(Kokkos::PerTeam(team), [&] { Kokkos::atomic_min(&earliest(replica), its); });
      });
}

}  // namespace tessera::kmc
