// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <span>
#include <tessera/kpz/decomposition.hpp>
#include <vector>

/// Views to and from the host, and checkpoints.
namespace tessera::kpz {

inline std::vector<std::size_t> words_shape(const Lattice& lattice) {
  return {static_cast<std::size_t>(lattice.replicas), static_cast<std::size_t>(lattice.words_y()),
          static_cast<std::size_t>(lattice.words_x())};
}

template <class T>
auto unmanaged(std::vector<T>& values) {
  return Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(values.data(), values.size());
}

/// What a view holds.
template <class ExecutionSpace, class View>
std::vector<typename View::non_const_value_type> to_host(const ExecutionSpace& space, const View& view) {
  std::vector<typename View::non_const_value_type> values(view.size());
  Kokkos::deep_copy(space, unmanaged(values), view);
  space.fence("tessera::kpz::to_host");
  return values;
}

template <class ExecutionSpace, class Archive, class View>
void save_view(const ExecutionSpace& space, Archive& archive, const char* name, const View& view,
               const std::vector<std::size_t>& shape) {
  const auto values = to_host(space, view);
  archive.array(name, std::span(values), shape, "");
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
