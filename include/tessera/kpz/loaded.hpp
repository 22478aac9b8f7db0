// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstdint>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/kpz/observables/consistency.hpp>
#include <tessera/kpz/observables/heights.hpp>
#include <vector>

/// What is read from a checkpoint is held against what the methods can have written: a file with right checksums may
/// still be wrong.
namespace tessera::kpz {

/// Throws InputError about an entry of a checkpoint: what it has to be.
[[noreturn]] inline void refuse_loaded(const std::string& entry, const std::string& what) {
  throw InputError("the checkpoint's '" + entry + "' is none that this run can have written: " + what);
}

/// Throws InputError unless the slopes are those of a surface of each replica.
template <class ExecutionSpace>
void check_loaded_slopes(const ExecutionSpace& space, const Lattice& lattice, const Words<ExecutionSpace>& words,
                         const std::string& entry) {
  if (count_inconsistencies(space, lattice, words) != 0)
    refuse_loaded(entry, "its slopes must add up to 0 around each square of sites and along each line");
}

/// Throws InputError if the state of a stream is 0, which none ever has.
template <class ExecutionSpace, class States>
void check_loaded_streams(const ExecutionSpace& space, const States& states) {
  std::uint64_t zeros = 0;
  Kokkos::parallel_reduce(
      "tessera::kpz::check_streams",
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space, 0, states.size()),
      KOKKOS_LAMBDA(std::int64_t i, std::uint64_t & count) { count += states(i) == 0; }, zeros);
  if (zeros != 0) refuse_loaded("streams", "no generator has the state 0");
}

/// Throws InputError unless the numbers of depositions and removals, [replicas, 2], fit to the slopes, of which
/// check_loaded_slopes() thinks well, and to `attempts` of each replica.
template <class ExecutionSpace>
void check_loaded_counts(const ExecutionSpace& space, const Lattice& lattice, const Words<ExecutionSpace>& words,
                         const std::vector<std::uint64_t>& accepted, double attempts) {
  for (std::size_t i = 0; i < accepted.size(); ++i)
    if (static_cast<double>(accepted[i]) > attempts) refuse_loaded("accepted", "it must not exceed the attempts");
  const auto sums = sum_of_heights(space, lattice, words);
  for (std::size_t r = 0; r < sums.size(); ++r) {
    const std::int64_t height = height_times_sites(lattice, accepted, r, sums[r]);
    // That of site (0, ny - 1), which is odd at any time.
    if (height % lattice.sites() != 0 || height / lattice.sites() % 2 == 0)
      refuse_loaded("accepted", "it must be what the mean height of the slopes came about by");
  }
}

}  // namespace tessera::kpz
