// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <span>
#include <tessera/core/host_array.hpp>
#include <tessera/core/kokkos_ext/runs_on_host.hpp>
#include <tessera/core/save_in_parts.hpp>
#include <tessera/kpz/decomposition.hpp>
#include <utility>
#include <vector>

/// Views to and from the host, and checkpoints.
namespace tessera::kpz {

inline std::vector<std::size_t> words_shape(const Lattice& lattice) {
  return {static_cast<std::size_t>(lattice.replicas), static_cast<std::size_t>(lattice.ny),
          static_cast<std::size_t>(lattice.words_x())};
}

/// What a view holds.
template <class ExecutionSpace, class View>
std::vector<typename View::non_const_value_type> to_host(const ExecutionSpace& space, const View& view) {
  std::vector<typename View::non_const_value_type> values(view.size());
  copy_and_wait(space, host_array(values), view);
  return values;
}

/// Puts what a view holds from element `first` on into `part`.
template <class ExecutionSpace, class View, class T>
void read_part(const ExecutionSpace& space, const View& view, std::size_t first, std::span<T> part) {
  copy_and_wait(space, host_array(part), Kokkos::subview(view, std::pair(first, first + part.size())));
}

template <class ExecutionSpace, class Archive, class View>
void save_view(const ExecutionSpace& space, Archive& archive, const char* name, const View& view,
               const std::vector<std::size_t>& shape) {
  using T = typename View::non_const_value_type;
  if constexpr (runs_on_host<ExecutionSpace>) {
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
  copy_and_wait(space, view, host_array(values));
}

}  // namespace tessera::kpz
