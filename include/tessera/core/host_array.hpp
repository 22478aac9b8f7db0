// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <span>
#include <vector>

/// Arrays of the host as Views, to copy to a device and back.
namespace tessera {

/// What somebody else owns in host memory.
template <class T>
using HostArray = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

template <class T>
HostArray<T> host_array(std::span<T> values) {
  return HostArray<T>(values.data(), values.size());
}
template <class T>
HostArray<T> host_array(std::vector<T>& values) {
  return HostArray<T>(values.data(), values.size());
}
template <class T>
HostArray<const T> host_array(const std::vector<T>& values) {
  return HostArray<const T>(values.data(), values.size());
}

/// Copies a View to another one of its shape, after what the space has been told before; returns when it is done.
template <class ExecutionSpace, class To, class From>
void copy_and_wait(const ExecutionSpace& space, const To& to, const From& from) {
  Kokkos::deep_copy(space, to, from);
  space.fence("tessera::copy_and_wait");
}

}  // namespace tessera
