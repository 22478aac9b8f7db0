// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <string>

namespace tessera::testing {

template <class... Spaces>
struct SpaceList {
  template <class Space>
  using With = SpaceList<Spaces..., Space>;
  using Types = ::testing::Types<Spaces...>;
};

#ifdef KOKKOS_ENABLE_SERIAL
using SpacesUpToSerial = SpaceList<>::With<Kokkos::Serial>;
#else
using SpacesUpToSerial = SpaceList<>;
#endif
#ifdef KOKKOS_ENABLE_OPENMP
using SpacesUpToOpenMP = SpacesUpToSerial::With<Kokkos::OpenMP>;
#else
using SpacesUpToOpenMP = SpacesUpToSerial;
#endif
#ifdef KOKKOS_ENABLE_CUDA
using SpacesUpToCuda = SpacesUpToOpenMP::With<Kokkos::Cuda>;
#else
using SpacesUpToCuda = SpacesUpToOpenMP;
#endif

/// Every execution space that this Kokkos has, for TYPED_TEST_SUITE(Suite, ExecutionSpaces, ExecutionSpaceNames).
using ExecutionSpaces = SpacesUpToCuda::Types;

/// Names typed tests after the space: TileKernel/OpenMP.EqualsSequentialTrajectory instead of TileKernel/1.
struct ExecutionSpaceNames {
  template <class Space>
  static std::string GetName(int) {
    return Space::name();
  }
};

}  // namespace tessera::testing
