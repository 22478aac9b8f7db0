// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "parallel/nccl.hpp"

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tessera/core/error.hpp"

namespace tessera::parallel {
namespace {

void require(ncclResult_t result, const char* what) {
  if (result != ncclSuccess) throw RunError(std::string("NCCL: ") + what + ": " + ncclGetErrorString(result));
}

class NcclOfRanks : public Nccl {
 public:
  explicit NcclOfRanks(const Communicator& ranks) {
    ncclUniqueId id{};
    if (ranks.rank() == 0) require(ncclGetUniqueId(&id), "no unique identifier");
    ranks.broadcast(std::as_writable_bytes(std::span(&id, 1)));
    require(ncclCommInitRank(&communicator_, ranks.size(), id, ranks.rank()),
            "the devices of the ranks cannot be connected");
  }
  ~NcclOfRanks() override { ncclCommDestroy(communicator_); }
  NcclOfRanks(const NcclOfRanks&) = delete;
  NcclOfRanks& operator=(const NcclOfRanks&) = delete;

  void in_stream(void* stream, std::span<const Communicator::Message> sends,
                 std::span<const Communicator::Message> receives) override {
    const auto cuda_stream = static_cast<cudaStream_t>(stream);
    // NCCL has no tags: messages between two ranks match by their order, which is that of their tags.
    const auto in_order = [](std::span<const Communicator::Message> messages) {
      std::vector<Communicator::Message> sorted(messages.begin(), messages.end());
      std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.tag < b.tag; });
      return sorted;
    };
    require(ncclGroupStart(), "messages");
    for (const auto& m : in_order(sends))
      require(ncclSend(m.data, m.bytes, ncclInt8, m.rank, communicator_, cuda_stream), "a message");
    for (const auto& m : in_order(receives))
      require(ncclRecv(m.data, m.bytes, ncclInt8, m.rank, communicator_, cuda_stream), "a message");
    require(ncclGroupEnd(), "messages");
  }

 private:
  ncclComm_t communicator_ = nullptr;
};

}  // namespace

bool have_nccl() { return true; }

std::unique_ptr<Nccl> make_nccl(const Communicator& ranks) { return std::make_unique<NcclOfRanks>(ranks); }

}  // namespace tessera::parallel
