// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/core/host_array.hpp>
#include <tessera/kpz/impl/field_transfer.hpp>
#include <tessera/kpz/impl/subdomains.hpp>
#include <tessera/kpz/impl/surface_of_slopes.hpp>
#include <tessera/kpz/observables/consistency.hpp>
#include <tessera/kpz/observables/heights.hpp>
#include <tessera/parallel/rank_zero.hpp>
#include <utility>
#include <vector>

/// Checks of the entries of a checkpoint. A file with correct checksums may still be invalid.
namespace tessera::kpz {

/// Throws InputError about an entry of a checkpoint; `what` is the condition that it violates.
[[noreturn]] inline void refuse_loaded(const std::string& entry, const std::string& what) {
  throw InputError("invalid checkpoint entry '" + entry + "': " + what);
}

/// Format of a loaded surface: bits that the heights determine, or slopes (older files), which determine the bits up to
/// an inversion of all.
enum class LoadedAs { surface, slopes };

/// Fills the halo of surfaces whose blocks were loaded; does nothing for a single rank.
template <class ExecutionSpace>
using FillHalo = std::function<void(const Words<ExecutionSpace>&)>;

/// Reads the surfaces of all replicas from entry `entry`, or from entry `slopes` of older files. Throws InputError if
/// the bits are not those of surfaces. All ranks that share the lattice call this; the archive is rank 0's.
template <class ExecutionSpace, class Archive>
LoadedAs load_surface(const ExecutionSpace& space, const Archive& archive, const std::string& entry,
                      const std::string& slopes, const Lattice& lattice, const Words<ExecutionSpace>& words,
                      const Subdomains& subdomains = {}, const FillHalo<ExecutionSpace>& fill_halo = {}) {
  const std::string condition = "its slopes must add up to 0 around each square of sites and along each line";
  const Lattice whole = subdomains.whole(lattice);
  auto loaded_as = LoadedAs::surface;
  std::vector<std::uint32_t> surface;
  parallel::at_rank_zero(subdomains.communicator, [&] {
    surface.resize(whole.all_words());
    if (!archive.has(slopes) || archive.has(entry)) return archive.array(entry, std::span(surface), words_shape(whole));
    loaded_as = LoadedAs::slopes;
    const auto shape = slopes_shape(whole);
    std::vector<std::uint32_t> read(shape[0] * shape[1] * shape[2]);
    archive.array(slopes, std::span(read), shape);
    auto made = surface_of_slopes(whole, read);
    if (!made) refuse_loaded(slopes, condition);
    surface = std::move(*made);
  });
  loaded_as = subdomains.communicator.broadcast(loaded_as);
  put_surface(space, lattice, words, surface, subdomains);
  if (fill_halo) fill_halo(words);
  if (loaded_as == LoadedAs::surface && count_inconsistencies(space, lattice, words, subdomains) != 0)
    refuse_loaded(entry, condition);
  return loaded_as;
}

/// Throws InputError at all ranks if the state of a stream is 0 at any of them; valid states are not 0.
template <class ExecutionSpace, class States>
void check_loaded_streams(const ExecutionSpace& space, const States& states, const Subdomains& subdomains = {}) {
  std::uint64_t zeros = 0;
  Kokkos::parallel_reduce(
      "tessera::kpz::check_streams",
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space, 0, states.size()),
      KOKKOS_LAMBDA(std::int64_t i, std::uint64_t & count) { count += states(i) == 0; }, zeros);
  if (subdomains.communicator.sum(zeros) != 0) refuse_loaded("streams", "it must not contain a state of 0");
}

/// Inverts all bits of the replicas whose flag is set.
template <class ExecutionSpace>
void invert_replicas(const ExecutionSpace& space, const Lattice& lattice, const Words<ExecutionSpace>& words,
                     const std::vector<std::uint32_t>& flags) {
  const Kokkos::View<std::uint32_t*, typename ExecutionSpace::memory_space> there("tessera::kpz::flags", flags.size());
  copy_and_wait(space, there, host_array(flags));
  Kokkos::parallel_for(
      "tessera::kpz::invert_replicas",
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>(space, 0, lattice.all_words()),
      KOKKOS_LAMBDA(std::size_t i) { words(i) ^= 0u - there(i / lattice.words()); });
  space.fence("tessera::kpz::invert_replicas");
}

/// Throws InputError unless the numbers of depositions and removals, [replicas, 2], agree with the loaded surface and
/// with `attempts` of each replica. Inverts the bits of a surface of slopes if these numbers require it.
template <class ExecutionSpace>
void check_loaded_counts(const ExecutionSpace& space, const Lattice& lattice, const Words<ExecutionSpace>& words,
                         LoadedAs loaded_as, const std::vector<std::uint64_t>& accepted, double attempts,
                         const Subdomains& subdomains = {}) {
  for (std::size_t i = 0; i < accepted.size(); ++i)
    if (static_cast<double>(accepted[i]) > attempts) refuse_loaded("accepted", "it must not exceed the attempts");
  const Lattice whole = subdomains.whole(lattice);
  const auto sums = sum_of_heights(space, lattice, words, subdomains);
  const Kokkos::View<std::uint32_t*, typename ExecutionSpace::memory_space> there("tessera::kpz::bits", sums.size());
  Kokkos::parallel_for(
      "tessera::kpz::bits_of_counted_sites", Kokkos::RangePolicy<ExecutionSpace>(space, 0, lattice.replicas),
      KOKKOS_LAMBDA(int r) { there(r) = words(lattice.word(r, 0, -1)) & 1u; });
  auto bits = to_host(space, there);
  subdomains.communicator.broadcast(std::as_writable_bytes(std::span(bits)));  // rank 0 has the site, below its block
  bool differ = false;
  for (std::size_t r = 0; r < sums.size(); ++r) {
    const std::int64_t all = height_times_sites(whole.sites(), accepted, r, sums[r]);
    // Height of site (0, ny - 1), which is always odd.
    const std::int64_t height = all / whole.sites();
    if (all % whole.sites() != 0 || height % 2 == 0)
      refuse_loaded("accepted", "it must match the mean height of the surface");
    bits[r] ^= static_cast<std::uint32_t>((height - (whole.ny - 1)) / 2) & 1u;
    differ = differ || bits[r] != 0;
  }
  if (!differ) return;
  if (loaded_as == LoadedAs::surface) refuse_loaded("accepted", "it must match the mean height of the surface");
  invert_replicas(space, lattice, words, bits);
}

}  // namespace tessera::kpz
