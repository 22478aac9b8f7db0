// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <tessera/core/exact_arithmetic.hpp>
#include <tessera/core/exponential_variate.hpp>
#include <tessera/core/streams.hpp>
#include <tessera/kmc/model.hpp>

/// Waiting times and initial states of cells, equal to the last bit in all methods and on all backends. Cell c = y * nx
/// + x has the stream (seed + replica, c).
namespace tessera::kmc {

/// The smallest double greater than `time`, for time >= 0.
KOKKOS_FORCEINLINE_FUNCTION double next_time(double time) {
  return Kokkos::bit_cast<double>(Kokkos::bit_cast<std::uint64_t>(time) + 1);
}

/// Time of a cell's next event while its neighbourhood does not change, from its mean waiting time 1/A and an
/// exponential variate of unit mean: equation 1 of Darkins, Duffy and Ford, 2024. Infinite if the rate is 0. Greater
/// than `time` by at least one unit in the last place, so that an event never precedes the one at which its time was
/// drawn.
KOKKOS_FORCEINLINE_FUNCTION double next_waiting_time(double time, double mean, double variate) {
  const double next = time + variate * mean;
  return next > time ? next : next_time(time);
}
/// The same, with the variate drawn from the cell's stream.
KOKKOS_FORCEINLINE_FUNCTION double next_waiting_time(double time, double mean, Stream& stream) {
  return next_waiting_time(time, mean, exponential_variate(stream.draw()));
}

/// Cell number y * nx + x in a lattice of nx * ny cells.
KOKKOS_INLINE_FUNCTION InitialCell initial_cell(std::uint64_t replica_seed, std::uint64_t cell, int nx, int ny) {
  const auto columns = static_cast<std::uint64_t>(nx), random = hash(replica_seed, cell, Purpose::kmc_initial_state);
  return {static_cast<int>(cell % columns), static_cast<int>(cell / columns), nx, ny, replica_seed, random};
}
/// Its initial state.
template <Model M>
KOKKOS_INLINE_FUNCTION typename M::State start_state(const M& model, std::uint64_t replica_seed, std::uint64_t cell,
                                                     int nx, int ny) {
  return initial_state(model, initial_cell(replica_seed, cell, nx, ny));
}

}  // namespace tessera::kmc
