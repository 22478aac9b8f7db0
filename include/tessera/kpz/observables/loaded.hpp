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
#include <tessera/core/kokkos_ext/word_bits.hpp>
#include <tessera/kpz/observables/heights.hpp>
#include <tessera/kpz/observables/surface_sums.hpp>
#include <tessera/kpz/state/subdomains.hpp>
#include <vector>

/// Checks of checkpoint entries: a file with correct checksums may still be invalid.
namespace tessera::kpz {

/// Collective. Number of violations, in the whole lattice of all replicas, of the conditions that the bits represent
/// surfaces: slopes add up to 0 around each square of four sites, and along the last row and the first column, thus
/// along all. (For arbitrary bits they add up to 0 or +-4 around a square, and to a multiple of 4 along a line.) In
/// narrow lattices squares count once per image, and words with different images count, too.
template <class ExecutionSpace>
std::uint64_t count_inconsistencies(const ExecutionSpace& space, const Lattice& lattice,
                                    const Words<ExecutionSpace>& words,
                                    const parallel::Distribution& distribution = {}) {
  std::uint64_t open_loops = 0;
  Kokkos::parallel_reduce(
      "tessera::kpz::check_loops", Indices<ExecutionSpace>(space, 0, lattice.all_rows() * lattice.words_x()),
      KOKKOS_LAMBDA(std::int64_t index, std::uint64_t & count) {
        const std::int64_t of_replica = std::int64_t{lattice.ny} * lattice.words_x();
        const int replica = static_cast<int>(index / of_replica);
        const int x = static_cast<int>(index % of_replica % lattice.words_x());
        const int y = static_cast<int>(index % of_replica / lattice.words_x());
        // From the lower left site of a square to the upper right one: right and up, or up and right.
        const Slopes here = slopes_at(lattice, words, replica, x, y);
        const std::uint32_t right = slopes_at(lattice, words, replica, x, y - 1).x, then_up = here.y;
        const std::uint32_t up = (here.y << 1) | (slopes_at(lattice, words, replica, x - 1, y).y >> 31),
                            then_right = here.x;
        const std::uint32_t apart = (right & then_up & ~up & ~then_right) | (~right & ~then_up & up & then_right);
        count += static_cast<std::uint64_t>(Kokkos::Experimental::popcount_builtin(apart));
        const std::uint32_t word = words(lattice.word(replica, x, y));
        count += rotated_right(word, static_cast<std::uint32_t>(lattice.nx)) != word;
      },
      open_loops);
  // Sums over the ranks with sites of the last row, or of the first column.
  std::vector<std::int64_t> sums = rises_of_block(space, lattice, words);
  for (std::size_t i = 0; i < sums.size(); i += 3) {
    sums[i] = 0;
    if (distribution.grid.y() != 0) sums[i + 1] = 0;
    if (distribution.grid.x() != 0) sums[i + 2] = 0;
  }
  distribution.ranks.sum(sums);
  std::uint64_t open_lines = 0;
  for (const std::int64_t sum : sums) open_lines += sum != 0;
  return distribution.ranks.sum(open_loops) + open_lines;
}

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
