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

/// Whether a waiting time of this mean is too short for the clock at `time`: mean < time / 2^42, so that the last digit
/// of the time is more than 2^-11 of the mean. The order of such events becomes that of their rounded times. The upper
/// halves of the numbers are compared: one instruction of whole numbers.
KOKKOS_FORCEINLINE_FUNCTION bool is_unresolved(double time, double mean) {
  const auto upper = [](double value) {
    return static_cast<std::uint32_t>(Kokkos::bit_cast<std::uint64_t>(value) >> 32);
  };
  constexpr std::uint32_t times_2_to_42 = 42u << 20;
  return upper(mean) + times_2_to_42 < upper(time);
}

/// A run ends where more waiting times than these are unresolved: a thousandth of the events, and a few.
KOKKOS_INLINE_FUNCTION bool too_many_unresolved(std::uint64_t unresolved, std::uint64_t events) {
  constexpr std::uint64_t few = 8;
  return unresolved > few && unresolved - few > events / 1000;
}

/// The state at time 0 of cell number y * nx + x of a lattice of nx * ny cells.
template <Model M>
KOKKOS_INLINE_FUNCTION typename M::State start_state(const M& model, std::uint64_t replica_seed, std::uint64_t cell,
                                                     int nx, int ny) {
  const auto columns = static_cast<std::uint64_t>(nx);
  return initial_state(model, InitialCell{static_cast<int>(cell % columns), static_cast<int>(cell / columns), nx, ny,
                                          replica_seed, hash(replica_seed, cell, Purpose::kmc_initial_state)});
}

}  // namespace tessera::kmc
