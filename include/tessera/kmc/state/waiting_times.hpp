// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <tessera/core/error.hpp>
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

/// Whether the clock at `time` is too coarse for waiting times of this mean: mean < time / 2^42, so that one unit in
/// the last place of the time exceeds 2^-11 of the mean. Such events occur in the order of their rounded times.
/// Compares the upper halves of the numbers, in one integer instruction.
KOKKOS_FORCEINLINE_FUNCTION bool is_unresolved(double time, double mean) {
  const auto upper = [](double value) {
    return static_cast<std::uint32_t>(Kokkos::bit_cast<std::uint64_t>(value) >> 32);
  };
  constexpr std::uint32_t times_2_to_42 = 42u << 20;
  return upper(mean) + times_2_to_42 < upper(time);
}

/// Whether a run ends because of unresolved waiting times: more than 8 plus a thousandth of the events.
KOKKOS_INLINE_FUNCTION bool too_many_unresolved(std::uint64_t unresolved, std::uint64_t events) {
  constexpr std::uint64_t few = 8;
  return unresolved > few && unresolved - few > events / 1000;
}

/// Initial state of cell number y * nx + x in a lattice of nx * ny cells.
template <Model M>
KOKKOS_INLINE_FUNCTION typename M::State start_state(const M& model, std::uint64_t replica_seed, std::uint64_t cell,
                                                     int nx, int ny) {
  const auto columns = static_cast<std::uint64_t>(nx);
  return initial_state(model, InitialCell{static_cast<int>(cell % columns), static_cast<int>(cell / columns), nx, ny,
                                          replica_seed, hash(replica_seed, cell, Purpose::kmc_initial_state)});
}

/// Throws RunError: the clock of a replica no longer resolves its waiting times (is_unresolved()).
[[noreturn]] inline void refuse_unresolved(std::size_t replica, double time) {
  std::ostringstream message;
  message << "replica " << replica << ", time " << time << ": the last digit of the time, " << next_time(time) - time
          << ", is too coarse for the waiting times of the fastest events; continue by --start FILE, in a new run from "
             "time 0, or with --method bkl there";
  throw RunError(message.str());
}

}  // namespace tessera::kmc
