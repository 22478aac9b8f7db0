// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "machine/machine.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <string>
#include <tessera/core/error.hpp>

namespace {

using tessera::Backend;
using tessera::program::available_cores;
using tessera::program::choose_threads;
using tessera::program::most_threads;

/// The environment with OMP_NUM_THREADS and KOKKOS_NUM_THREADS as a test wants them.
class Threads : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"OMP_NUM_THREADS", "KOKKOS_NUM_THREADS"}) unsetenv(name);
  }
  static std::string error_of(Backend backend, int wanted) {
    try {
      choose_threads(backend, wanted);
    } catch (const tessera::InputError& error) {
      return error.what();
    }
    return "no error";
  }
};

TEST_F(Threads, FollowTheOptionThenTheEnvironmentThenTheCores) {
  EXPECT_GE(available_cores(), 1);
  EXPECT_EQ(choose_threads(Backend::openmp, 0), std::min(available_cores(), most_threads));
  setenv("OMP_NUM_THREADS", "3,2", 1);
  EXPECT_EQ(choose_threads(Backend::openmp, 0), 3);
  setenv("KOKKOS_NUM_THREADS", "5", 1);
  EXPECT_EQ(choose_threads(Backend::openmp, 0), 5);
  EXPECT_EQ(choose_threads(Backend::openmp, 7), 7);
  EXPECT_EQ(choose_threads(Backend::serial, 0), 1);
}

TEST_F(Threads, DoNotExceedTheLimitOfKokkos) {
  EXPECT_EQ(choose_threads(Backend::openmp, 512), 512);
  for (const Backend backend : {Backend::serial, Backend::openmp, Backend::cuda, Backend::hip}) {
    EXPECT_EQ(error_of(backend, 513), "--threads 513: must lie in [1, 512]");
    EXPECT_EQ(error_of(backend, -1), "--threads -1: must lie in [1, 512]");
  }
  setenv("OMP_NUM_THREADS", "513", 1);
  EXPECT_EQ(error_of(Backend::openmp, 0), "environment variable OMP_NUM_THREADS=513: must lie in [1, 512]");
  EXPECT_EQ(error_of(Backend::openmp, 2), "no error") << "the option wins";
  EXPECT_EQ(error_of(Backend::serial, 0), "no error") << "has one thread anyway";
  setenv("OMP_NUM_THREADS", "many", 1);
  EXPECT_EQ(error_of(Backend::openmp, 0), "environment variable OMP_NUM_THREADS=many: must be a whole number");
  setenv("KOKKOS_NUM_THREADS", "0", 1);
  EXPECT_EQ(error_of(Backend::openmp, 0), "environment variable KOKKOS_NUM_THREADS=0: must lie in [1, 512]");
}

}  // namespace
