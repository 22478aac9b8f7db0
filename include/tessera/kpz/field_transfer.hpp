// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <span>
#include <tessera/core/save_in_parts.hpp>
#include <tessera/kpz/decomposition.hpp>
#include <utility>
#include <vector>

/// Views to and from the host, and checkpoints.
namespace tessera::kpz {

inline std::vector<std::size_t> words_shape(const Lattice& lattice) {
  return {static_cast<std::size_t>(lattice.replicas), static_cast<std::size_t>(lattice.words_y()),
          static_cast<std::size_t>(lattice.words_x())};
}

template <class T>
auto unmanaged(std::span<T> values) {
  return Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(values.data(), values.size());
}
template <class T>
auto unmanaged(std::vector<T>& values) {
  return unmanaged(std::span<T>(values));
}

/// What a view holds.
template <class ExecutionSpace, class View>
std::vector<typename View::non_const_value_type> to_host(const ExecutionSpace& space, const View& view) {
  std::vector<typename View::non_const_value_type> values(view.size());
  Kokkos::deep_copy(space, unmanaged(values), view);
  space.fence("tessera::kpz::to_host");
  return values;
}

/// Puts what a view holds from element `first` on into `part`.
template <class ExecutionSpace, class View, class T>
void read_part(const ExecutionSpace& space, const View& view, std::size_t first, std::span<T> part) {
  Kokkos::deep_copy(space, unmanaged(part), Kokkos::subview(view, std::pair(first, first + part.size())));
  space.fence("tessera::kpz::read_part");
}

template <class ExecutionSpace, class Archive, class View>
void save_view(const ExecutionSpace& space, Archive& archive, const char* name, const View& view,
               const std::vector<std::size_t>& shape) {
  using T = typename View::non_const_value_type;
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename View::memory_space>::accessible) {
    space.fence("tessera::kpz::save");
    archive.array(name, std::span<const T>(view.data(), view.size()), shape, "");
  } else {
    save_in_parts<T>(archive, name, shape, "",
                     [&](std::size_t first, std::span<T> part) { read_part(space, view, first, part); });
  }
}

template <class ExecutionSpace, class Archive, class View>
void load_view(const ExecutionSpace& space, const Archive& archive, const char* name, const View& view,
               const std::vector<std::size_t>& shape) {
  std::vector<typename View::non_const_value_type> values(view.size());
  archive.array(name, std::span(values), shape);
  Kokkos::deep_copy(space, view, unmanaged(values));
  space.fence("tessera::kpz::load");
}

}  // namespace tessera::kpz
