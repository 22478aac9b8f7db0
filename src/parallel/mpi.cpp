// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#define OMPI_SKIP_MPICXX 1  // only the C interface, also with old libraries
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#if defined(OPEN_MPI) && OPEN_MPI
#include <mpi-ext.h>
#endif

#include <Kokkos_Macros.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <list>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <vector>

#include "parallel/nccl.hpp"
#include "tessera/parallel/communicator.hpp"
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

}  // namespace

/// Pending MPI operations: messages, or an agreement.
struct Communicator::Pending {
  std::vector<MPI_Request> requests;
  /// The numbers of an agreement. If it is destroyed before completion, as at the end of a failed job, MPI keeps them.
  std::unique_ptr<std::vector<std::int64_t>> numbers;

  Pending() = default;
  ~Pending() {
    if (!numbers)
      wait();
    else if (!requests.empty())
      static_cast<void>(numbers.release());
  }
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;

  MPI_Request* add() { return &requests.emplace_back(MPI_REQUEST_NULL); }
  void wait() {
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    requests.clear();
  }
  bool is_complete() {
    int complete = 0;
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &complete, MPI_STATUSES_IGNORE);
    if (complete != 0) requests.clear();
    return complete != 0;
  }
};

/// An MPI communicator of several ranks, which it owns.
struct Communicator::Ranks {
  /// State shared by all communicators of the world.
  struct OfWorld {
    Transport transport = Transport::staged;
    /// NCCL's connections, destroyed with the world in the order of construction: destruction waits for all ranks.
    std::list<InStream> nccl;
  };

  MPI_Comm communicator;
  std::shared_ptr<OfWorld> world;
  InStream* in_stream = nullptr;
  int rank = 0, size = 1;

  Ranks(MPI_Comm ranks, std::shared_ptr<OfWorld> of_world) : communicator(ranks), world(std::move(of_world)) {
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &size);
  }
  ~Ranks() {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (finalized == 0) MPI_Comm_free(&communicator);
  }
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  std::size_t size_of_next(int from) const {
    std::uint64_t bytes = 0;
    MPI_Recv(&bytes, 1, MPI_UINT64_T, from, tag_of_bytes, communicator, MPI_STATUS_IGNORE);
    return bytes;
  }
  void receive_content(int from, std::span<std::byte> bytes) const {
    in_parts(bytes.size(), [&](std::size_t first, int count) {
      MPI_Recv(bytes.data() + first, count, MPI_BYTE, from, tag_of_bytes, communicator, MPI_STATUS_IGNORE);
    });
  }
  template <class T>
  void reduce(std::span<T> values, MPI_Datatype type, Reduction how) const {
    const MPI_Op operation = how == Reduction::sum ? MPI_SUM : how == Reduction::min ? MPI_MIN : MPI_MAX;
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), type, operation, communicator);
  }
};

namespace {

Communicator::Ranks& several(const std::shared_ptr<Communicator::Ranks>& ranks) {
  if (!ranks) throw std::invalid_argument("a single process cannot send messages");
  return *ranks;
}

}  // namespace

int Communicator::rank() const { return ranks_ ? ranks_->rank : 0; }
int Communicator::size() const { return ranks_ ? ranks_->size : 1; }

void Communicator::reduce(std::span<std::int64_t> values, Reduction how) const {
  if (ranks_) ranks_->reduce(values, MPI_INT64_T, how);
}
void Communicator::reduce(std::span<std::uint64_t> values, Reduction how) const {
  if (ranks_) ranks_->reduce(values, MPI_UINT64_T, how);
}
void Communicator::reduce(std::span<double> values, Reduction how) const {
  if (ranks_) ranks_->reduce(values, MPI_DOUBLE, how);
}

std::shared_ptr<Communicator::Pending> Communicator::begin_max(std::span<const std::int64_t> values) const {
  auto pending = std::make_shared<Pending>();
  pending->numbers = std::make_unique<std::vector<std::int64_t>>(values.begin(), values.end());
  MPI_Iallreduce(MPI_IN_PLACE, pending->numbers->data(), static_cast<int>(values.size()), MPI_INT64_T, MPI_MAX,
                 several(ranks_).communicator, pending->add());
  return pending;
}
bool Communicator::is_complete(Pending& pending, std::span<std::int64_t> values) const {
  if (!pending.is_complete()) return false;
  std::ranges::copy(*pending.numbers, values.begin());
  return true;
}
void Communicator::wait(Pending& pending) const { pending.wait(); }

void Communicator::broadcast(std::span<std::byte> bytes, int from) const {
  if (ranks_)
    in_parts(bytes.size(), [&](std::size_t first, int count) {
      MPI_Bcast(bytes.data() + first, count, MPI_BYTE, from, ranks_->communicator);
    });
}

void Communicator::send(int to, std::span<const std::byte> bytes) const {
  const std::uint64_t size = bytes.size();
  MPI_Send(&size, 1, MPI_UINT64_T, to, tag_of_bytes, several(ranks_).communicator);
  in_parts(bytes.size(), [&](std::size_t first, int count) {
    MPI_Send(bytes.data() + first, count, MPI_BYTE, to, tag_of_bytes, ranks_->communicator);
  });
}
void Communicator::receive(int from, std::span<std::byte> bytes) const {
  if (several(ranks_).size_of_next(from) != bytes.size())
    throw std::logic_error("the sizes of a sent and a received message differ");
  ranks_->receive_content(from, bytes);
}
std::vector<std::byte> Communicator::receive(int from) const {
  using namespace std::chrono;
  const Ranks& ranks = several(ranks_);
  // Waits with pauses: MPI would keep a core busy that may have other work.
  constexpr auto restless = microseconds(200), longest = microseconds(1000);
  const auto begin = steady_clock::now();
  microseconds nap(10);
  const auto is_there = [&] {
    int waiting = 0;
    MPI_Iprobe(from, tag_of_bytes, ranks.communicator, &waiting, MPI_STATUS_IGNORE);
    return waiting != 0;
  };
  while (!is_there()) {
    if (steady_clock::now() - begin < restless) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(nap);
      nap = std::min(2 * nap, longest);
    }
  }
  std::vector<std::byte> bytes(ranks.size_of_next(from));
  ranks.receive_content(from, bytes);
  return bytes;
}

Communicator Communicator::split(int colour) const {
  if (!ranks_) return *this;
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(ranks_->communicator, colour, ranks_->rank, &part);
  return Communicator(std::make_shared<Ranks>(part, ranks_->world));
}

Transport Communicator::transport() const { return ranks_ ? ranks_->world->transport : Transport::staged; }

std::shared_ptr<Communicator::Pending> Communicator::start(std::span<const Message> sends,
                                                           std::span<const Message> receives) const {
  const MPI_Comm communicator = several(ranks_).communicator;
  auto pending = std::make_shared<Pending>();
  const auto start_all = [&](std::span<const Message> messages, const auto& start_one) {
    for (const Message& m : messages)
      in_parts(m.bytes, [&](std::size_t first, int count) {
        start_one(static_cast<std::byte*>(m.data) + first, count, MPI_BYTE, m.rank, m.tag, communicator,
                  pending->add());
      });
  };
  start_all(receives, MPI_Irecv);
  start_all(sends, MPI_Isend);
  return pending;
}

void Communicator::in_stream(void* stream, std::span<const Message> sends, std::span<const Message> receives) const {
  Ranks& ranks = several(ranks_);
  if (ranks.in_stream == nullptr) ranks.in_stream = &ranks.world->nccl.emplace_back(connect_devices(*this));
  (*ranks.in_stream)(stream, sends, receives);
}

namespace {

/// Whether MPI accepts pointers to device memory, by its own report or by an environment variable.
bool takes_device_memory() {
#if defined(KOKKOS_ENABLE_HIP) && defined(MPIX_ROCM_AWARE_SUPPORT)
  if (MPIX_Query_rocm_support() != 0) return true;
#elif !defined(KOKKOS_ENABLE_HIP) && defined(MPIX_CUDA_AWARE_SUPPORT)
  if (MPIX_Query_cuda_support() != 0) return true;
#endif
  const char* enabled = std::getenv("MPICH_GPU_SUPPORT_ENABLED");
  return enabled != nullptr && std::string_view(enabled) == "1";
}

bool begun_by_world = false;
std::shared_ptr<Communicator::Ranks::OfWorld> of_world;

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
  of_world = std::make_shared<Communicator::Ranks::OfWorld>();
  MPI_Comm world = MPI_COMM_NULL, node = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &world);
  MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &rank_in_node_);
  MPI_Comm_size(node, &ranks_in_node_);
  MPI_Comm_free(&node);
  communicator_ = Communicator(std::make_shared<Communicator::Ranks>(world, of_world));
}

World::~World() {
  if (of_world)
    for (InStream& nccl : of_world->nccl) nccl = nullptr;
  communicator_ = {};
  of_world.reset();
  if (!begun_by_world) return;
  begun_by_world = false;
  MPI_Finalize();
}

void World::use(Transport transport) const {
  const auto available = transports();
  if (std::ranges::find(available, transport) == available.end())
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
  std::vector<Transport> available;
  if (have_nccl) available.push_back(Transport::nccl);
  if (has_begun() && takes_device_memory()) available.push_back(Transport::mpi);
  available.push_back(Transport::staged);
  return available;
}

}  // namespace tessera::parallel
