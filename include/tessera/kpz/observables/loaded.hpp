// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/core/host_array.hpp>
#include <tessera/kpz/observables/consistency.hpp>
#include <tessera/kpz/observables/heights.hpp>
#include <tessera/kpz/state/subdomains.hpp>
#include <vector>

/// Checks of checkpoint entries: a file with correct checksums may still be invalid.
namespace tessera::kpz {

/// ShiftedSubdomains::fill_halo(), or nothing for a single rank.
template <class ExecutionSpace>
using FillHalo = std::function<void(const Words<ExecutionSpace>&)>;

/// Collective. Reads the surfaces of all replicas from the archive of rank 0. Throws InputError for other bits.
template <class ExecutionSpace>
void load_surface(const ExecutionSpace& space, const io::CheckpointReader& archive, const std::string& entry,
                  const Lattice& lattice, const Words<ExecutionSpace>& words,
                  const parallel::Distribution& distribution, const FillHalo<ExecutionSpace>& fill_halo) {
  transfer_of_words(space, lattice, distribution).load(archive, entry, words);
  fill_halo(words);
  if (count_inconsistencies(space, lattice, words, distribution) != 0)
    refuse_loaded(entry, "its slopes must add up to 0 around each square of sites and along each line");
}

/// Throws InputError if the state of any stream is 0. Collective.
template <class ExecutionSpace, class States>
void check_loaded_streams(const ExecutionSpace& space, const States& states,
                          const parallel::Distribution& distribution = {}) {
  std::uint64_t zeros = 0;
  Kokkos::parallel_reduce(
      "tessera::kpz::check_streams", Indices<ExecutionSpace>(space, 0, states.size()),
      KOKKOS_LAMBDA(std::int64_t i, std::uint64_t & count) { count += states(i) == 0; }, zeros);
  if (distribution.ranks.sum(zeros) != 0) refuse_loaded("streams", "it must not contain a state of 0");
}

/// Throws InputError unless the numbers of depositions and removals, [replicas, 2], agree with the surface and with the
/// number of attempts of a replica. `lattice` is this rank's block of `whole`. Collective.
template <class ExecutionSpace>
void check_loaded_counts(const ExecutionSpace& space, const Lattice& whole, const Lattice& lattice,
                         const Words<ExecutionSpace>& words, const std::vector<std::uint64_t>& accepted,
                         double attempts, const parallel::Distribution& distribution) {
  for (std::size_t i = 0; i < accepted.size(); ++i)
    if (static_cast<double>(accepted[i]) > attempts) refuse_loaded("accepted", "it must not exceed the attempts");
  const auto sums = sum_of_heights(space, lattice, words, distribution);
  const Kokkos::View<std::uint32_t*, typename ExecutionSpace::memory_space> on_device("tessera::kpz::bits",
                                                                                      sums.size());
  Kokkos::parallel_for(
      "tessera::kpz::bits_of_counted_sites", Kokkos::RangePolicy<ExecutionSpace>(space, 0, lattice.replicas),
      KOKKOS_LAMBDA(int r) { on_device(r) = words(lattice.word(r, 0, -1)) & 1u; });
  auto bits = to_host(space, on_device);
  distribution.ranks.broadcast(std::as_writable_bytes(std::span(bits)));  // rank 0 has the site below its block
  for (std::size_t r = 0; r < sums.size(); ++r) {
    const std::int64_t all = height_times_sites(whole.sites(), accepted, r, sums[r]);
    // The height of site (0, ny - 1) is always odd.
    const std::int64_t height = all / whole.sites();
    const auto bit = static_cast<std::uint32_t>((height - (whole.ny - 1)) / 2) & 1u;
    if (all % whole.sites() != 0 || height % 2 == 0 || bits[r] != bit)
      refuse_loaded("accepted", "it must match the mean height of the surface");
  }
}

}  // namespace tessera::kpz
