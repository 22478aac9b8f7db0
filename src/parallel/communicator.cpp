// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tessera/parallel/communicator.hpp"

#include <string>

#include "tessera/parallel/world.hpp"

namespace tessera::parallel {

std::vector<std::vector<std::byte>> Communicator::gather(std::span<const std::byte> mine) const {
  if (rank() != 0) {
    send(0, mine);
    return {};
  }
  std::vector<std::vector<std::byte>> all{{mine.begin(), mine.end()}};
  for (int from = 1; from < size(); ++from) all.push_back(receive(from));
  return all;
}

std::string transport_name(Transport transport) {
  return transport == Transport::mpi ? "mpi" : transport == Transport::nccl ? "nccl" : "staged";
}

}  // namespace tessera::parallel
