// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tessera/core/host_array.hpp>
#include <tessera/core/kokkos_ext/runs_on_host.hpp>
#include <tessera/kpz/impl/decomposition.hpp>
#include <tessera/kpz/impl/pieces.hpp>
#include <tessera/kpz/impl/subdomains.hpp>
#include <tessera/parallel/rank_zero.hpp>
#include <utility>
#include <vector>

/// Copies of Views to and from the host, and to and from checkpoints.
namespace tessera::kpz {

inline std::vector<std::size_t> words_shape(const Lattice& lattice) {
  return {static_cast<std::size_t>(lattice.replicas), static_cast<std::size_t>(lattice.ny),
          static_cast<std::size_t>(lattice.words_x())};
}

/// Host copy of a View.
template <class ExecutionSpace, class View>
std::vector<typename View::non_const_value_type> to_host(const ExecutionSpace& space, const View& view) {
  std::vector<typename View::non_const_value_type> values(view.size());
  copy_and_wait(space, host_array(values), view);
  return values;
}

/// Copies the elements of a View from `first` on into `part`.
template <class ExecutionSpace, class View, class T>
void read_part(const ExecutionSpace& space, const View& view, std::size_t first, std::span<T> part) {
  copy_and_wait(space, host_array(part), Kokkos::subview(view, std::pair(first, first + part.size())));
}

template <class ExecutionSpace, class View>
void save_view(const ExecutionSpace& space, io::CheckpointWriter& archive, const char* name, const View& view,
               const std::vector<std::size_t>& shape) {
  using T = typename View::non_const_value_type;
  if constexpr (runs_on_host<ExecutionSpace>) {
    space.fence("tessera::kpz::save");
    archive.array(name, std::span<const T>(view.data(), view.size()), shape, "");
  } else {
    const auto parts = [&](std::size_t first, std::span<T> part) { read_part(space, view, first, part); };
    archive.array_in_parts<T>(name, parts, shape, "");
  }
}

namespace detail {
/// Words of a rank's block from a first one on, counted row by row, replica by replica.
template <class ExecutionSpace, class Surface, class Some>
void pack_words(const ExecutionSpace& space, const Lattice& lattice, const Surface& words, std::size_t first,
                const Some& some) {
  Kokkos::parallel_for(
      "tessera::kpz::pack_words",
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>(space, 0, some.size()),
      KOKKOS_LAMBDA(std::size_t i) { some(i) = words(lattice.word_of_block(first + i)); });
}
template <class ExecutionSpace, class Surface, class Some>
void unpack_words(const ExecutionSpace& space, const Lattice& lattice, const Surface& words, std::size_t first,
                  const Some& some) {
  Kokkos::parallel_for(
      "tessera::kpz::unpack_words",
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::size_t>>(space, 0, some.size()),
      KOKKOS_LAMBDA(std::size_t i) { words(lattice.word_of_block(first + i)) = some(i); });
}

/// All ranks: writes an array of the whole lattice to rank 0's archive, part by part.
template <class T, class Read>
void save_pieces(io::CheckpointWriter& archive, const std::string& name, const std::vector<std::size_t>& shape,
                 const Subdomains& subdomains, const std::vector<parallel::Pieces>& pieces, const Read& read) {
  parallel::save_gathered<T>(subdomains.communicator, archive, name, shape, "",
                             [&](std::size_t first, std::size_t count, std::span<T> to) {
                               parallel::gather_elements(subdomains.communicator, pieces, first, count, to, read);
                             });
}

template <class Make>
std::vector<parallel::Pieces> pieces_of_all(const Subdomains& subdomains, const Make& make) {
  std::vector<parallel::Pieces> all;
  for (const Subdomain& subdomain : subdomains.parts) all.push_back(make(subdomain));
  return all;
}

/// The bits of this rank's block, in the order of pieces_of_words().
template <class ExecutionSpace>
auto reader_of_block(const ExecutionSpace& space, const Lattice& lattice,
                     const Kokkos::View<std::uint32_t*, typename ExecutionSpace::memory_space>& words) {
  return [=](std::size_t first, std::span<std::uint32_t> part) {
    const Kokkos::View<std::uint32_t*, typename ExecutionSpace::memory_space> there(
        Kokkos::view_alloc(space, Kokkos::WithoutInitializing, "tessera::kpz::words_of_block"), part.size());
    pack_words(space, lattice, words, first, there);
    copy_and_wait(space, host_array(part), there);
  };
}
}  // namespace detail

/// All ranks: writes the bits of the surfaces of all replicas to rank 0's archive.
template <class ExecutionSpace, class Surface>
void save_surface(const ExecutionSpace& space, io::CheckpointWriter& archive, const std::string& name,
                  const Lattice& lattice, const Surface& words, const Subdomains& subdomains) {
  if (subdomains.is_serial()) return save_view(space, archive, name.c_str(), words, words_shape(lattice));
  detail::save_pieces<std::uint32_t>(archive, name, words_shape(subdomains.whole(lattice)), subdomains,
                                     detail::pieces_of_all(subdomains, pieces_of_words),
                                     detail::reader_of_block(space, lattice, words));
}
/// All ranks: distributes the bits of the surfaces of all replicas from rank 0 to the blocks.
template <class ExecutionSpace, class Surface>
void put_surface(const ExecutionSpace& space, const Lattice& lattice, const Surface& words,
                 const std::vector<std::uint32_t>& from, const Subdomains& subdomains) {
  if (subdomains.is_serial()) return copy_and_wait(space, words, host_array(from));
  parallel::scatter_elements<std::uint32_t>(
      subdomains.communicator, detail::pieces_of_all(subdomains, pieces_of_words), from,
      [&](std::size_t first, std::span<const std::uint32_t> part) {
        const Kokkos::View<std::uint32_t*, typename ExecutionSpace::memory_space> there(
            Kokkos::view_alloc(space, Kokkos::WithoutInitializing, "tessera::kpz::words_of_block"), part.size());
        copy_and_wait(space, there, host_array(part));
        detail::unpack_words(space, lattice, words, first, there);
        space.fence("tessera::kpz::put_surface");
      });
}
/// All ranks: returns the bits of the surfaces of all replicas at rank 0; empty at the other ranks.
template <class ExecutionSpace, class Surface>
std::vector<std::uint32_t> get_surface(const ExecutionSpace& space, const Lattice& lattice, const Surface& words,
                                       const Subdomains& subdomains) {
  if (subdomains.is_serial()) return to_host(space, words);
  const auto pieces = detail::pieces_of_all(subdomains, pieces_of_words);
  const std::size_t size = pieces.front().size();
  std::vector<std::uint32_t> all(subdomains.communicator.rank() == 0 ? size : 0);
  parallel::gather_elements(subdomains.communicator, pieces, 0, size, std::span(all),
                            detail::reader_of_block(space, lattice, words));
  return all;
}

/// All ranks: writes the states of all streams to rank 0's archive. `d` is the decomposition of the whole lattice.
template <class ExecutionSpace, class States>
void save_streams(const ExecutionSpace& space, io::CheckpointWriter& archive, const char* name, const Decomposition& d,
                  const States& states, const std::vector<std::size_t>& shape, const Subdomains& subdomains) {
  if (subdomains.is_serial()) return save_view(space, archive, name, states, shape);
  detail::save_pieces<std::uint64_t>(
      archive, name, shape, subdomains,
      detail::pieces_of_all(subdomains, [&](const Subdomain& subdomain) { return pieces_of_streams(subdomain, d); }),
      [&](std::size_t first, std::span<std::uint64_t> part) { read_part(space, states, first, part); });
}
/// All ranks: reads the states of all streams.
template <class ExecutionSpace, class States>
void load_streams(const ExecutionSpace& space, const io::CheckpointReader& archive, const char* name,
                  const Decomposition& d, const States& states, const std::vector<std::size_t>& shape,
                  const Subdomains& subdomains) {
  std::vector<std::uint64_t> all;
  parallel::at_rank_zero(subdomains.communicator, [&] {
    all.resize(shape[0] * shape[1]);
    archive.array(name, std::span(all), shape);
  });
  if (subdomains.is_serial()) return copy_and_wait(space, states, host_array(all));
  parallel::scatter_elements<std::uint64_t>(
      subdomains.communicator,
      detail::pieces_of_all(subdomains, [&](const Subdomain& subdomain) { return pieces_of_streams(subdomain, d); }),
      all, [&](std::size_t first, std::span<const std::uint64_t> part) {
        copy_and_wait(space, Kokkos::subview(states, std::pair(first, first + part.size())), host_array(part));
      });
}

}  // namespace tessera::kpz
