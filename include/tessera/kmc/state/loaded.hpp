// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/core/exact_arithmetic.hpp>
#include <tessera/core/host_array.hpp>
#include <tessera/kmc/model.hpp>
#include <tessera/kmc/state/waiting_times.hpp>
#include <tessera/parallel/communicator.hpp>
#include <vector>

/// Checks of the entries of a checkpoint. A file with a valid checksum may still have impossible values.
namespace tessera::kmc {

/// An error in the checkpoint entries of a cell.
enum class CellFault : int { none, state, waiting_time, stream };

/// Whether an event with this mean waiting time, drawn at or before time `now`, can occur at time `next`. An
/// exponential variate is less than 45.
KOKKOS_INLINE_FUNCTION bool possible_time(double now, double next, double mean) {
  constexpr double largest = 0x1.fffffffffffffp1023;
  if (mean > largest) return next > largest;
  return next >= now && (next <= now + 45 * mean || next <= next_time(now));
}

/// The error of a cell with neighbourhood n at time `now`. The states of n must be valid. `redraw`: the waiting time
/// is drawn anew, and may have any value.
template <Model M, class Around>
KOKKOS_INLINE_FUNCTION CellFault fault_of_cell(const M& model, const Around& n, double now, double waiting_time,
                                               std::uint64_t stream, bool redraw) {
  if (stream == 0) return CellFault::stream;
  if (redraw) return CellFault::none;
  return possible_time(now, waiting_time, mean_waiting_time(model, n)) ? CellFault::none : CellFault::waiting_time;
}

/// Throws InputError about an entry of cell number `cell` of all replicas.
[[noreturn]] inline void refuse_cell(CellFault fault, std::int64_t cell) {
  const std::string where = "cell " + std::to_string(cell);
  if (fault == CellFault::state) refuse_loaded("state", where + " must have a state of the model");
  if (fault == CellFault::stream) refuse_loaded("stream", where + " must not have a stream of 0");
  refuse_loaded("waiting_time", where + " must have a time in the future that its rate allows");
}

/// Loaded cells of all active replicas, in the first buffer of a tile method's state.
template <class State, Model M, class Steps>
struct LoadedCells {
  State state;
  M model;
  Steps steps;
  bool redraw;  ///< whether the waiting times are drawn anew

  /// Number, in the whole lattices, of cell i of this rank's memory; -1 for a cell of the ghost ring.
  KOKKOS_FUNCTION std::int64_t number(std::int64_t i) const {
    const auto& g = state.geometry;
    if (!g.is_block()) return i;
    const std::int64_t replica = i / g.sites();
    const int site = static_cast<int>(i - replica * g.sites()), y = site / g.nx, x = site - y * g.nx;
    if (!g.owns(y / g.tile * g.tiles_x + x / g.tile)) return -1;
    return replica * g.whole_nx * g.whole_ny + g.in_whole(site);
  }

  KOKKOS_FUNCTION CellFault fault(std::int64_t i) const {
    const auto& g = state.geometry;
    const std::int64_t replica = i / g.sites(), first = replica * g.sites();
    if (!steps(replica).active) return CellFault::none;
    const int y = static_cast<int>((i - first) / g.nx), x = static_cast<int>((i - first) % g.nx);
    const NeighbourhoodOf<M> n = state.neighbourhood(first, x, y);
    if (!valid_state(model, state.states(i))) return CellFault::state;
    if constexpr (ReadsSurroundings<M>) {
      constexpr int reads = M::reads, side = 2 * reads + 1;
      for (int k = 0; k < side * side; ++k)
        if (!valid_state(model, n(k % side - reads, k / side - reads))) return CellFault::none;
    } else {
      for (int k = 0; k < M::neighbours; ++k)
        if (!valid_state(model, n.around[k])) return CellFault::none;  // reported for that cell
    }
    return fault_of_cell(model, state.rate_from(first, x, y), steps(replica).time, state.times(i), state.streams(i),
                         redraw);
  }
};

/// Collective. Throws InputError at all ranks if one of the `count` cells in memory is invalid.
template <class ExecutionSpace, class Cells>
void check_cells(const ExecutionSpace& space, const Cells& cells, std::int64_t count,
                 const parallel::Communicator& ranks = {}) {
  constexpr std::int64_t none = std::int64_t{1} << 62;
  std::int64_t first = none;  // 4 * number + error of the first invalid cell
  Kokkos::parallel_reduce(
      "tessera::kmc::check_loaded", Indices<ExecutionSpace>(space, 0, count),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t & smallest) {
        const int fault = static_cast<int>(cells.fault(i));
        if (fault == 0) return;
        const std::int64_t number = cells.number(i);
        if (number >= 0 && 4 * number + fault < smallest) smallest = 4 * number + fault;
      },
      Kokkos::Min<std::int64_t>(first));
  first = ranks.min(first < none ? first : none);
  if (first < none) refuse_cell(static_cast<CellFault>(first % 4), first / 4);
}

/// Throws InputError unless possible(value) for the value of each replica.
template <class T, class Possible>
void check_each(const std::string& entry, const std::vector<T>& values, const std::string& what,
                const Possible& possible) {
  for (std::size_t r = 0; r < values.size(); ++r) {
    if (possible(values[r])) continue;
    std::ostringstream found;
    found << what << ", but is " << values[r] << " in replica " << r;
    refuse_loaded(entry, found.str());
  }
}

/// Throws InputError if a count is impossible.
inline void check_loaded_counts(const std::string& entry, const std::vector<std::uint64_t>& counts) {
  check_each(entry, counts, "it must be less than 2^62", [](std::uint64_t count) { return count >> 62 == 0; });
}

}  // namespace tessera::kmc
