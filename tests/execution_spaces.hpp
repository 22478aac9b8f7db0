// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <tessera/core/kokkos_ext/visit_backend.hpp>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tessera::testing {

template <Backend... backends>
using ExecutionSpacesOf = decltype(std::tuple_cat(
    std::declval<std::conditional_t<is_built<backends>, std::tuple<typename ExecutionSpaceOf<backends>::type>,
                                    std::tuple<>>>()...));

/// Tuple of the execution spaces of built_backends().
using TupleOfSpaces = ExecutionSpacesOf<Backend::serial, Backend::openmp, Backend::cuda, Backend::hip>;

template <class Spaces>
struct TypesOf;
template <class... Spaces>
struct TypesOf<std::tuple<Spaces...>> {
  using Types = ::testing::Types<Spaces...>;
};

/// Every execution space that this Kokkos has, for TYPED_TEST_SUITE(Suite, ExecutionSpaces, ExecutionSpaceNames).
using ExecutionSpaces = TypesOf<TupleOfSpaces>::Types;

/// The spaces without Serial, unless there is no other of the host: for tests that take long. Serial runs the same
/// templates of the tile method, and ExecutionSpaces.GiveTheSameTrajectoryToTheLastBit compares its results.
using ParallelSpaces = TypesOf<ExecutionSpacesOf<is_built<Backend::openmp> ? Backend::openmp : Backend::serial,
                                                 Backend::cuda, Backend::hip>>::Types;

/// Calls use(Space()) for every execution space.
template <class Use>
void for_each_space(const Use& use) {
  std::apply([&](const auto&... spaces) { (use(spaces), ...); }, TupleOfSpaces());
}

/// Names typed tests after the space: TileKernel/OpenMP.EqualsSequentialTrajectory instead of TileKernel/1.
struct ExecutionSpaceNames {
  template <class Space>
  static std::string GetName(int) {
    return Space::name();
  }
};

}  // namespace tessera::testing
