// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "rank_main.hpp"

#include <gmock/gmock.h>

#include <Kokkos_Core.hpp>
#include <iostream>

namespace tessera {

namespace {

const parallel::World* the_world = nullptr;

class EndOfJob : public ::testing::EmptyTestEventListener {
  void OnTestPartResult(const ::testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::cerr << "rank " << world().communicator().rank() << " of " << world().communicator().size() << ": "
              << (result.file_name() != nullptr ? result.file_name() : "") << ":" << result.line_number() << "\n"
              << result.message() << std::endl;
    world().abort(1);
  }
};

}  // namespace

const parallel::World& world() { return *the_world; }

}  // namespace tessera

int main(int argc, char** argv) {
  const tessera::parallel::World world;
  tessera::the_world = &world;
  ::testing::InitGoogleMock(&argc, argv);
  const Kokkos::ScopeGuard kokkos(argc, argv);
  auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
  if (world.communicator().rank() != 0) delete listeners.Release(listeners.default_result_printer());
  listeners.Append(new tessera::EndOfJob);
  return RUN_ALL_TESTS();
}
