// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstdint>
#include <tessera/core/exponential_variate.hpp>
#include <tessera/core/streams.hpp>

/// Times in three dimensions are whole numbers of ticks, so that they are exact at all times. A tick is at most 2^-19
/// of the smallest mean waiting time of a cell.
///
/// Time is divided into epochs of 2^31 ticks. In an epoch the time of a cell's next event is a 32-bit number of ticks
/// after the begin of the epoch, or `far`: not before tick `far`. At the begin of the next epoch, the time of such a
/// cell is drawn anew from the end of the interval in which it is known to have no event; waiting has no memory.
///
/// Cells have no random number generators: the random bits for a cell's waiting time are a hash of the seed, the cell
/// and the time at which it is drawn.
namespace tessera::kmc::space {

inline constexpr std::uint32_t far = 0xffffffffu;           ///< see above
inline constexpr std::uint32_t epoch = 1u << 31;            ///< ticks
inline constexpr std::uint32_t far_from = far - epoch - 1;  ///< in the next epoch: no event up to this tick
inline constexpr std::uint64_t never = ~std::uint64_t{0};   ///< of ticks since time 0

/// Random bits for what happens in a cell at a time, in ticks since time 0: those of the cell and of the seed at this
/// time. `seed`: a hash.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t seed_at(std::uint64_t seed, std::uint64_t time) {
  return seed + time * 0xd1342543de82ef95ULL;
}
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t random_of(std::uint64_t seed_at_time, std::uint32_t cell) {
  return mix(seed_at_time + cell * golden);
}
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t random_of(std::uint64_t seed, std::uint32_t cell, std::uint64_t time) {
  return random_of(seed_at(seed, time), cell);
}
/// Random bits that are independent of these, for another purpose.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t second_random(std::uint64_t random) {
  return mix(random + 0x2545f4914f6cdd1dULL);
}
/// The bits for the waiting time of a cell that was `far`, at the begin of an epoch, likewise.
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t random_of_far(std::uint64_t seed, std::uint32_t cell, std::uint64_t time) {
  return second_random(random_of(seed, cell, time));
}

/// Tick of the next event of a cell, after tick `now` of the epoch. `mean`: mean_in_ticks(), negative if it has no
/// event.
KOKKOS_FORCEINLINE_FUNCTION std::uint32_t next_tick(std::uint32_t now, std::uint64_t random, double mean) {
  const double wait = exponential_variate(random) * mean;
  const double next = static_cast<double>(now) + 1.0 + wait;
  return mean < 0 || next >= static_cast<double>(far) ? far : now + 1 + static_cast<std::uint32_t>(wait);
}

/// The factor of exponential variates whose product, rounded down, plus 1 has this mean, in ticks: m' with
/// 1 / (1 - exp(-1 / m')) = m.
KOKKOS_FORCEINLINE_FUNCTION double mean_in_ticks(double mean) {
  const double u = 1 / mean;  // m' = -1 / ln(1 - u)
  return mean / (1.0 + u * (0.5 + u * (1.0 / 3 + u * 0.25)));
}
/// The same of a rate, with `ticks` in a unit of time; negative for 0.
KOKKOS_FORCEINLINE_FUNCTION double mean_of_rate(double ticks, double rate) {
  return rate > 0 ? mean_in_ticks(ticks / rate) : -1;
}

}  // namespace tessera::kmc::space
