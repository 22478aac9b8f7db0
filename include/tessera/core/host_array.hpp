// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <vector>

/// Host arrays as Views, for copies to and from a device, and loops over arrays.
namespace tessera {

/// Whether an execution space runs on the host, where a team has one lane.
template <class ExecutionSpace>
inline constexpr bool runs_on_host = Kokkos::SpaceAccessibility<ExecutionSpace, Kokkos::HostSpace>::accessible;

/// Loop over the numbers of elements, of which there may be 2^31 or more.
template <class ExecutionSpace, class Index = std::int64_t>
using Indices = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<Index>>;

/// An unmanaged View of the elements of a vector or a span.
template <class Values>
auto host_array(Values&& values) {
  return Kokkos::View<decltype(values.data()), Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
      values.data(), values.size());
}

/// Copies a View to another one of the same shape, after all earlier work of the space; returns after the copy.
template <class ExecutionSpace, class To, class From>
void copy_and_wait(const ExecutionSpace& space, const To& to, const From& from) {
  Kokkos::deep_copy(space, to, from);
  space.fence("tessera::copy_and_wait");
}

/// Host copy of a View.
template <class ExecutionSpace, class View>
std::vector<typename View::non_const_value_type> to_host(const ExecutionSpace& space, const View& view) {
  std::vector<typename View::non_const_value_type> values(view.size());
  copy_and_wait(space, host_array(values), view);
  return values;
}

}  // namespace tessera
