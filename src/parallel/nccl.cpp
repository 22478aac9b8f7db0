// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "parallel/nccl.hpp"

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <algorithm>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "tessera/core/error.hpp"

namespace tessera::parallel {
namespace {

void require(ncclResult_t result, const char* what) {
  if (result != ncclSuccess) throw RunError(std::string("NCCL: ") + what + ": " + ncclGetErrorString(result));
}

/// The messages by tag. NCCL has no tags: messages between two ranks match by their order.
std::vector<Communicator::Message> in_order(std::span<const Communicator::Message> messages) {
  std::vector<Communicator::Message> sorted(messages.begin(), messages.end());
  std::ranges::stable_sort(sorted, {}, &Communicator::Message::tag);
  return sorted;
}

}  // namespace

InStream connect_devices(const Communicator& ranks) {
  ncclUniqueId id{};
  if (ranks.rank() == 0) require(ncclGetUniqueId(&id), "no unique identifier");
  ranks.broadcast(std::as_writable_bytes(std::span(&id, 1)));
  ncclComm_t connected = nullptr;
  require(ncclCommInitRank(&connected, ranks.size(), id, ranks.rank()), "the devices of the ranks cannot be connected");
  const std::shared_ptr<std::remove_pointer_t<ncclComm_t>> communicator(connected, ncclCommDestroy);
  return [communicator](void* stream, std::span<const Communicator::Message> sends,
                        std::span<const Communicator::Message> receives) {
    const auto cuda_stream = static_cast<cudaStream_t>(stream);
    require(ncclGroupStart(), "messages");
    for (const auto& m : in_order(sends))
      require(ncclSend(m.data, m.bytes, ncclInt8, m.rank, communicator.get(), cuda_stream), "a message");
    for (const auto& m : in_order(receives))
      require(ncclRecv(m.data, m.bytes, ncclInt8, m.rank, communicator.get(), cuda_stream), "a message");
    require(ncclGroupEnd(), "messages");
  };
}

}  // namespace tessera::parallel
