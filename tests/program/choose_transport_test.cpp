// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tessera/core/error.hpp>

#include "ranks/choose_transport.hpp"

namespace tessera::program {
namespace {

using parallel::Transport;

const std::vector<Transport> all{Transport::nccl, Transport::mpi, Transport::staged};

TEST(TheTransport, IsTheBestOneThatConnectsTheRanks) {
  EXPECT_EQ(choose_transport({}, all, ""), Transport::nccl);
  EXPECT_EQ(choose_transport({}, all, "0000:3b:00.0 of node7"), Transport::mpi);
  EXPECT_EQ(choose_transport({}, {Transport::nccl, Transport::staged}, "0000:3b:00.0 of node7"), Transport::staged);
  EXPECT_EQ(choose_transport({}, {Transport::staged}, ""), Transport::staged);
}

TEST(TheTransport, IsNotNcclBetweenRanksOnOneDevice) {
  try {
    choose_transport(Transport::nccl, all, "0000:3b:00.0 of node7");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "--transport nccl: cannot connect ranks that share the device 0000:3b:00.0 of node7");
  }
}

TEST(TheTransport, IsTheOneThatIsAskedFor) {
  for (const Transport transport : all) EXPECT_EQ(choose_transport(transport, all, ""), transport);
  try {
    choose_transport(Transport::mpi, {Transport::nccl, Transport::staged}, "");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("--transport mpi: "));
    EXPECT_THAT(error.what(), testing::HasSubstr("there is nccl, staged"));
  }
}

}  // namespace
}  // namespace tessera::program
