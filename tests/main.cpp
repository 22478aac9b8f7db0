// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gmock/gmock.h>

#include <Kokkos_Core.hpp>
#include <cstdlib>

int main(int argc, char** argv) {
  ::testing::InitGoogleMock(&argc, argv);
  // Listing must also work where the devices are missing.
  if (GTEST_FLAG_GET(list_tests)) return RUN_ALL_TESTS();
  setenv("OMP_WAIT_POLICY", "passive", 0);  // of the programs that tests start, which share the cores
  const Kokkos::ScopeGuard kokkos(argc, argv);
  return RUN_ALL_TESTS();
}
