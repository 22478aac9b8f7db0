// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <tessera/core/error.hpp>

#include "run/ranks.hpp"
#include "tests/complaint.hpp"
#include "tests/matchers.hpp"

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
  EXPECT_EQ(complaint([] { choose_transport(Transport::nccl, all, "0000:3b:00.0 of node7"); }),
            "--transport nccl: cannot connect ranks that share the device 0000:3b:00.0 of node7");
}

TEST(TheTransport, IsTheRequestedOne) {
  for (const Transport transport : all) EXPECT_EQ(choose_transport(transport, all, ""), transport);
  EXPECT_THAT(complaint([] {
                choose_transport(Transport::mpi, {Transport::nccl, Transport::staged}, "");
              }),
              AllOf(HasSubstr("--transport mpi: "), HasSubstr("valid values are nccl, staged")));
}

}  // namespace
}  // namespace tessera::program
