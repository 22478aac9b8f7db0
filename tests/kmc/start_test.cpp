// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <tessera/kmc/any_simulation.hpp>
#include <tessera/kmc/models.hpp>

/// The construction of the initial configuration.
namespace tessera::kmc {
namespace {

using Host = Kokkos::DefaultHostExecutionSpace;

template <class Make>
void expect_ends_when_asked(const Make& make) {
  Parameters p;
  p.nx = p.ny = 2048;  // four pieces
  p.until_time = 1;
  int calls = 0;
  p.keep_going = [&calls] { return ++calls > 0; };
  make(p);
  const int all = calls;
  EXPECT_GE(all, 6);
  for (const int most : {1, all / 2, all - 1}) {
    calls = 0;
    p.keep_going = [&calls, most] { return ++calls < most; };
    EXPECT_THROW(make(p), Interrupted);
    EXPECT_EQ(calls, most);
  }
}

TEST(InitialConfiguration, IsMadeInPiecesAndEndsWhenAsked) {
  const Ising model(0.4);
  expect_ends_when_asked([&](const Parameters& p) { make_tile_method<Host>(p, model); });
  expect_ends_when_asked([&](const Parameters& p) { make_waiting_time(p, model); });
  expect_ends_when_asked([&](const Parameters& p) { make_bkl(p, model); });
}

}  // namespace
}  // namespace tessera::kmc
