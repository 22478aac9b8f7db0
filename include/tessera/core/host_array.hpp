// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <span>
#include <vector>

/// Host arrays as Views, for copies to and from a device.
namespace tessera {

/// An unmanaged View of host memory.
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

/// Copies a View to another one of the same shape, after all earlier work of the space; returns when the copy is
/// complete.
template <class ExecutionSpace, class To, class From>
void copy_and_wait(const ExecutionSpace& space, const To& to, const From& from) {
  Kokkos::deep_copy(space, to, from);
  space.fence("tessera::copy_and_wait");
}

}  // namespace tessera
