// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <tessera/core/exact_arithmetic.hpp>
#include <tessera/core/exponential_variate.hpp>
#include <tessera/core/streams.hpp>
#include <tessera/kmc/model.hpp>

/// What a cell does, in the arithmetic that every method and backend shares to the last bit. Cell c = y * nx + x owns
/// the stream (seed + replica, c).
namespace tessera::kmc {

/// The smallest time after `time`, which is not negative.
KOKKOS_FORCEINLINE_FUNCTION double next_time(double time) {
  return Kokkos::bit_cast<double>(Kokkos::bit_cast<std::uint64_t>(time) + 1);
}

/// The time of a cell's next event if its neighbourhood stays as it is, for an exponential variate of unit mean:
/// equation 1 of Darkins, Duffy and Ford, 2024. Infinite where the rate is 0. Later than `time` by its last bit at
/// least: where the time is too large to tell an event from the one before that has drawn it, their order is still that
/// of their times.
template <Model M>
KOKKOS_FORCEINLINE_FUNCTION double next_waiting_time(const M& model, double time, const NeighbourhoodOf<M>& n,
                                                     double variate) {
  const double next = time + variate * mean_waiting_time(model, n);
  return next > time ? next : next_time(time);
}
/// The same; draws the variate from the cell's stream.
template <Model M>
KOKKOS_FORCEINLINE_FUNCTION double next_waiting_time(const M& model, double time, const NeighbourhoodOf<M>& n,
                                                     Stream& stream) {
  return next_waiting_time(model, time, n, exponential_variate(stream.draw()));
}

/// The state of a cell at time 0.
template <Model M>
KOKKOS_INLINE_FUNCTION typename M::State start_state(const M& model, std::uint64_t replica_seed, std::uint64_t cell) {
  return initial_state(model, hash(replica_seed, cell, Purpose::kmc_initial_state));
}

}  // namespace tessera::kmc
