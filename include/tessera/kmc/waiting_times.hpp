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

/// The time of a cell's next event if its neighbourhood stays as it is, for its mean waiting time 1/A and an
/// exponential variate of unit mean: equation 1 of Darkins, Duffy and Ford, 2024. Infinite where the rate is 0. Later
/// than `time` by its last bit at least, so that an event comes after the one that has drawn its time.
KOKKOS_FORCEINLINE_FUNCTION double next_waiting_time(double time, double mean, double variate) {
  const double next = time + variate * mean;
  return next > time ? next : next_time(time);
}
/// The same; draws the variate from the cell's stream.
KOKKOS_FORCEINLINE_FUNCTION double next_waiting_time(double time, double mean, Stream& stream) {
  return next_waiting_time(time, mean, exponential_variate(stream.draw()));
}

/// Whether a waiting time of this mean is too short for the clock at `time`: the last digit of the time is more than
/// 2^-10 of the mean, or, in the upper half of a binade, than 2^-11. Such waiting times are rounded by a thousandth and
/// more, and the order of the events that they belong to becomes that of their rounded times.
KOKKOS_FORCEINLINE_FUNCTION bool is_unresolved(double time, double mean) { return mean * 0x1p42 < time; }

/// A run ends where more waiting times than these are unresolved: a thousandth of the events, and a few.
KOKKOS_INLINE_FUNCTION bool too_many_unresolved(std::uint64_t unresolved, std::uint64_t events) {
  constexpr std::uint64_t few = 8;
  return unresolved > few && unresolved - few > events / 1000;
}

/// The state of a cell at time 0.
template <Model M>
KOKKOS_INLINE_FUNCTION typename M::State start_state(const M& model, std::uint64_t replica_seed, std::uint64_t cell) {
  return initial_state(model, hash(replica_seed, cell, Purpose::kmc_initial_state));
}

}  // namespace tessera::kmc
