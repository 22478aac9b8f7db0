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

/// The time of a cell's next event if its neighbourhood stays as it is: equation 1 of Darkins, Duffy and Ford, 2024.
/// Draws once from the cell's stream; infinite where the rate is 0.
template <Model M>
KOKKOS_FORCEINLINE_FUNCTION double next_waiting_time(const M& model, double time, const NeighbourhoodOf<M>& n,
                                                     Stream& stream) {
  return sum(time, product(exponential_variate(stream.draw()), mean_waiting_time(model, n)));
}

/// The state of a cell at time 0.
template <Model M>
KOKKOS_INLINE_FUNCTION typename M::State start_state(const M& model, std::uint64_t replica_seed, std::uint64_t cell) {
  return initial_state(model, hash(replica_seed, cell, Purpose::kmc_initial_state));
}

}  // namespace tessera::kmc
