// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <tessera/core/backend.hpp>
#include <type_traits>

/// Execution spaces of this Kokkos. Only this file depends on their availability.
namespace tessera {

/// The type of a backend; void if this Kokkos lacks it.
template <Backend backend>
struct ExecutionSpaceOf : std::type_identity<void> {};
#if defined(KOKKOS_ENABLE_SERIAL)
template <>
struct ExecutionSpaceOf<Backend::serial> : std::type_identity<Kokkos::Serial> {};
#endif
#if defined(KOKKOS_ENABLE_OPENMP)
template <>
struct ExecutionSpaceOf<Backend::openmp> : std::type_identity<Kokkos::OpenMP> {};
#endif
#if defined(KOKKOS_ENABLE_CUDA)
template <>
struct ExecutionSpaceOf<Backend::cuda> : std::type_identity<Kokkos::Cuda> {};
#endif
#if defined(KOKKOS_ENABLE_HIP)
template <>
struct ExecutionSpaceOf<Backend::hip> : std::type_identity<Kokkos::HIP> {};
#endif

template <Backend backend>
inline constexpr bool is_built = !std::is_void_v<typename ExecutionSpaceOf<backend>::type>;

/// Returns visit(std::type_identity<ExecutionSpace>()) for the execution space of one of built_backends():
///     visit_backend(backend, []<class Space>(std::type_identity<Space>) { return Space().concurrency(); })
template <class Visit>
auto visit_backend(Backend backend, const Visit& visit) {
  using Result = decltype(visit(std::type_identity<Kokkos::DefaultHostExecutionSpace>()));
  const auto visit_one = [&]<class Space>(std::type_identity<Space> type) -> Result {
    if constexpr (std::is_void_v<Space>)
      Kokkos::abort("a backend that this build lacks was chosen");
    else
      return visit(type);
  };
  if (backend == Backend::serial) return visit_one(ExecutionSpaceOf<Backend::serial>());
  if (backend == Backend::openmp) return visit_one(ExecutionSpaceOf<Backend::openmp>());
  if (backend == Backend::cuda) return visit_one(ExecutionSpaceOf<Backend::cuda>());
  return visit_one(ExecutionSpaceOf<Backend::hip>());
}

}  // namespace tessera
