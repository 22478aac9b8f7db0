// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "parallel/mpi_pending.hpp"

#if defined(OPEN_MPI) && OPEN_MPI
#include <mpi-ext.h>
#endif

#include <array>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "parallel/nccl.hpp"
#include "tessera/parallel/world.hpp"

namespace tessera::parallel {
namespace {

constexpr int tag_of_bytes = 32001;             // above those of messages; MPI guarantees tags up to 32767
constexpr std::size_t most_at_once = 1U << 30;  // bytes; MPI counts in int

/// Calls action(first, count) for parts of at most the largest count of MPI.
template <class Action>
void in_parts(std::size_t bytes, const Action& action) {
  std::size_t first = 0;
  do {
    const std::size_t count = std::min(most_at_once, bytes - first);
    action(first, static_cast<int>(count));
    first += count;
  } while (first < bytes);
}

MPI_Op operation(Communicator::Ranks::Agreement how) {
  using enum Communicator::Ranks::Agreement;
  return how == sum ? MPI_SUM : how == min ? MPI_MIN : MPI_MAX;
}

/// State shared by all communicators of the world.
struct OfWorld {
  Transport transport = Transport::staged;
  /// NCCL communicators. Their destruction waits for all ranks, so they are destroyed with the world, in the order of
  /// their construction.
  std::vector<std::unique_ptr<Nccl>> nccl;
};

class MpiRanks : public Communicator::Ranks {
 public:
  /// Owns `communicator`.
  MpiRanks(MPI_Comm communicator, std::shared_ptr<OfWorld> world)
      : communicator_(communicator), world_(std::move(world)) {
    MPI_Comm_rank(communicator_, &rank_);
    MPI_Comm_size(communicator_, &size_);
  }
  ~MpiRanks() override {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (finalized == 0) MPI_Comm_free(&communicator_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void agree(Agreement how, std::span<std::int64_t> values) override { reduce(how, values, MPI_INT64_T); }
  void agree(Agreement how, std::span<std::uint64_t> values) override { reduce(how, values, MPI_UINT64_T); }
  void agree(Agreement how, std::span<double> values) override { reduce(how, values, MPI_DOUBLE); }

  std::shared_ptr<Communicator::Pending> begin_max(std::span<const std::int64_t> values) override {
    return std::make_shared<PendingAgreement>(communicator_, MPI_MAX, values);
  }

  void broadcast(std::span<std::byte> bytes) override {
    in_parts(bytes.size(),
             [&](std::size_t first, int count) { MPI_Bcast(bytes.data() + first, count, MPI_BYTE, 0, communicator_); });
  }
  void barrier() override { MPI_Barrier(communicator_); }

  void send(int to, std::span<const std::byte> bytes) override {
    const std::uint64_t size = bytes.size();
    MPI_Send(&size, 1, MPI_UINT64_T, to, tag_of_bytes, communicator_);
    in_parts(bytes.size(), [&](std::size_t first, int count) {
      MPI_Send(bytes.data() + first, count, MPI_BYTE, to, tag_of_bytes, communicator_);
    });
  }
  void receive(int from, std::span<std::byte> bytes) override {
    if (size_from(from) != bytes.size()) throw std::logic_error("the sizes of a sent and a received message differ");
    receive_part(from, bytes);
  }
  std::vector<std::byte> receive(int from) override {
    wait_for(from);
    std::vector<std::byte> bytes(size_from(from));
    receive_part(from, bytes);
    return bytes;
  }
  bool waits(int from) override {
    int there = 0;
    MPI_Iprobe(from, tag_of_bytes, communicator_, &there, MPI_STATUS_IGNORE);
    return there != 0;
  }

  std::shared_ptr<Ranks> split(int colour) override {
    MPI_Comm part = MPI_COMM_NULL;
    MPI_Comm_split(communicator_, colour, rank_, &part);
    return std::make_shared<MpiRanks>(part, world_);
  }

  Transport transport() const override { return world_->transport; }

  std::shared_ptr<Communicator::Pending> start(std::span<const Communicator::Message> sends,
                                               std::span<const Communicator::Message> receives) override {
    auto pending = std::make_shared<PendingRequests>();
    std::size_t requests = 0;
    for (const auto& messages : {sends, receives})
      for (const auto& message : messages) requests += message.bytes / most_at_once + 1;
    pending->expect(requests);
    for (const auto& message : receives)
      in_parts(message.bytes, [&](std::size_t first, int count) {
        MPI_Irecv(static_cast<std::byte*>(message.data) + first, count, MPI_BYTE, message.rank, message.tag,
                  communicator_, pending->add());
      });
    for (const auto& message : sends)
      in_parts(message.bytes, [&](std::size_t first, int count) {
        MPI_Isend(static_cast<std::byte*>(message.data) + first, count, MPI_BYTE, message.rank, message.tag,
                  communicator_, pending->add());
      });
    return pending;
  }

  void in_stream(void* stream, std::span<const Communicator::Message> sends,
                 std::span<const Communicator::Message> receives) override {
    if (nccl_ == nullptr) nccl_ = world_->nccl.emplace_back(make_nccl(*this)).get();
    nccl_->in_stream(stream, sends, receives);
  }

 private:
  template <class T>
  void reduce(Agreement how, std::span<T> values, MPI_Datatype type) {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), type, operation(how), communicator_);
  }

  std::size_t size_from(int from) {
    std::uint64_t size = 0;
    MPI_Recv(&size, 1, MPI_UINT64_T, from, tag_of_bytes, communicator_, MPI_STATUS_IGNORE);
    return size;
  }
  void receive_part(int from, std::span<std::byte> bytes) {
    in_parts(bytes.size(), [&](std::size_t first, int count) {
      MPI_Recv(bytes.data() + first, count, MPI_BYTE, from, tag_of_bytes, communicator_, MPI_STATUS_IGNORE);
    });
  }

  /// Waits with pauses: MPI would keep a core busy that may have other work.
  void wait_for(int from) {
    using namespace std::chrono;
    constexpr auto restless = microseconds(200), longest = microseconds(1000);
    const auto begin = steady_clock::now();
    microseconds nap(10);
    while (!waits(from)) {
      if (steady_clock::now() - begin < restless) {
        std::this_thread::yield();
      } else {
        std::this_thread::sleep_for(nap);
        nap = std::min(2 * nap, longest);
      }
    }
  }

  MPI_Comm communicator_;
  std::shared_ptr<OfWorld> world_;
  Nccl* nccl_ = nullptr;
  int rank_ = 0, size_ = 1;
};

/// Whether MPI accepts pointers to device memory, by its own report or by an environment variable.
bool takes_device_memory() {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  if (MPIX_Query_cuda_support() != 0) return true;
#endif
  const char* enabled = std::getenv("MPICH_GPU_SUPPORT_ENABLED");
  return enabled != nullptr && std::string_view(enabled) == "1";
}

bool begun_by_world = false;
std::shared_ptr<OfWorld> of_world;

bool has_begun() {
  int begun = 0;
  MPI_Initialized(&begun);
  return begun != 0;
}

}  // namespace

World::World() {
  const bool begun = has_begun();
  if (!begun && !launched()) return;
  if (!begun) {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    begun_by_world = true;
  }
  of_world = std::make_shared<OfWorld>();
  MPI_Comm own = MPI_COMM_NULL, node = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  MPI_Comm_split_type(own, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &rank_in_node_);
  MPI_Comm_size(node, &ranks_in_node_);
  MPI_Comm_free(&node);
  communicator_ = Communicator(std::make_shared<MpiRanks>(own, of_world));
}

World::~World() {
  if (of_world)
    for (auto& nccl : of_world->nccl) nccl.reset();
  communicator_ = {};
  of_world.reset();
  if (!begun_by_world) return;
  begun_by_world = false;
  MPI_Finalize();
}

void World::use(Transport transport) const {
  const auto there = transports();
  if (std::find(there.begin(), there.end(), transport) == there.end())
    throw std::invalid_argument("there is no transport " + transport_name(transport));
  if (of_world) of_world->transport = transport;
}

void World::abort(int status) const {
  if (of_world) MPI_Abort(MPI_COMM_WORLD, status);
  std::_Exit(status);
}

std::string mpi_version() {
  int major = 0, minor = 0;
  MPI_Get_version(&major, &minor);
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const std::string library(text.data(), static_cast<std::size_t>(length));
  return std::to_string(major) + "." + std::to_string(minor) + ", " + library.substr(0, library.find_first_of(",\n"));
}

bool launched() {
  // Variables of Open MPI and PRRTE, MPICH and its derivatives, MVAPICH, and Slurm's steps.
  int most = 0;
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"})
    if (const char* size = std::getenv(variable)) most = std::max(most, std::atoi(size));
  if (most > 0) return most > 1;
  // Launchers that set the rank only.
  for (const char* variable : {"PMIX_RANK", "PMI_RANK", "PMI_FD", "PALS_RANKID"})
    if (std::getenv(variable) != nullptr) return true;
  return false;
}

std::vector<Transport> transports() {
  std::vector<Transport> there;
  if (have_nccl()) there.push_back(Transport::nccl);
  if (has_begun() && takes_device_memory()) there.push_back(Transport::mpi);
  there.push_back(Transport::staged);
  return there;
}

}  // namespace tessera::parallel
