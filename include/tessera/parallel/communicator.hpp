// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera::parallel {

/// How data move between the memory of GPUs. Results do not depend on it.
enum class Transport {
  staged,  ///< through host memory and MPI: always available
  mpi,     ///< MPI with support for device pointers
  nccl,    ///< NVIDIA's NCCL, in the order of a stream; not with HIP
};

/// "staged", "mpi", "nccl".
inline std::string transport_name(Transport transport) {
  return transport == Transport::mpi ? "mpi" : transport == Transport::nccl ? "nccl" : "staged";
}

template <class T>
concept Number = std::is_arithmetic_v<T>;

/// Communicator of the ranks, processes of one job, that share a computation. A cheap value: copies refer to the same
/// communicator. A default-constructed one is a single process, and needs no MPI:
///
///     Simulation(space, parameters)                        // one process
///     const World world;                                   // in main(), see world.hpp
///     Simulation(space, parameters, world.communicator())  // all ranks of the job
///
/// Functions marked "all" are collective: all ranks call them in the same order. They return when their data from other
/// ranks have arrived. There is no sum of doubles, since its rounding would depend on the number of ranks. A failure of
/// the network, or of another rank, ends the job.
class Communicator {
 public:
  struct Ranks;
  struct Pending;

  /// A single process.
  Communicator() = default;
  /// Used by World.
  explicit Communicator(std::shared_ptr<Ranks> ranks) : ranks_(std::move(ranks)) {}

  /// Number of this rank, from 0.
  int rank() const;
  int size() const;  ///< number of ranks

  /// All: replaces every element by its sum over the ranks.
  void sum(std::span<std::int64_t> values) const { reduce(values, Reduction::sum); }
  void sum(std::span<std::uint64_t> values) const { reduce(values, Reduction::sum); }  ///< All: sums
  void min(std::span<std::int64_t> values) const { reduce(values, Reduction::min); }   ///< All: minima
  void min(std::span<double> values) const { reduce(values, Reduction::min); }         ///< All: minima
  void max(std::span<std::int64_t> values) const { reduce(values, Reduction::max); }   ///< All: maxima
  void max(std::span<double> values) const { reduce(values, Reduction::max); }         ///< All: maxima
  auto sum(std::integral auto value) const { return reduced(value, Reduction::sum); }  ///< All: the sum
  auto min(Number auto value) const { return reduced(value, Reduction::min); }         ///< All: the minimum
  auto max(Number auto value) const { return reduced(value, Reduction::max); }         ///< All: the maximum

  /// All: whether `holds` is true at all ranks.
  bool all(bool holds) const { return min(std::int64_t{holds}) != 0; }
  bool any(bool holds) const { return max(std::int64_t{holds}) != 0; }  ///< All: whether `holds` is true at any rank

  /// All: copies the data of rank `from` to the other ranks, whose ranges have the same size.
  void broadcast(std::span<std::byte> bytes, int from = 0) const;
  /// All: returns the value of rank `from`.
  template <class T>
  requires std::is_trivially_copyable_v<T> T broadcast(T value, int from = 0)
  const {
    broadcast(std::as_writable_bytes(std::span(&value, 1)), from);
    return value;
  }

  /// All: returns the bytes of every rank, of any length, by rank, at rank 0; empty at the other ranks.
  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> mine) const {
    if (rank() != 0) {
      send(0, mine);
      return {};
    }
    std::vector<std::vector<std::byte>> all{{mine.begin(), mine.end()}};
    for (int from = 1; from < size(); ++from) all.push_back(receive(from));
    return all;
  }

  /// All: starts a max() that this rank completes later.
  std::shared_ptr<Pending> begin_max(std::span<const std::int64_t> values) const;
  /// Returns whether all ranks have started it; if so, `values` are the result.
  bool is_complete(Pending& pending, std::span<std::int64_t> values) const;

  // Messages between two ranks, in the order of the calls. send() may or may not wait for receive().

  void send(int to, std::span<const std::byte> bytes) const;  ///< sends to rank `to`
  /// Receives as many bytes as were sent.
  void receive(int from, std::span<std::byte> bytes) const;
  /// Returns the next message of a rank, of any length. Sleeps while there is none.
  std::vector<std::byte> receive(int from) const;

  /// All: returns a communicator of the ranks with the same colour, at least 0, in their present order.
  Communicator split(int colour) const;

  /// Transport of an Exchange.
  Transport transport() const;

  /// Part of an Exchange: bytes in memory that MPI can access. Messages are matched by rank and tag, 0 to 32000.
  struct Message {
    int rank, tag;      ///< the other rank, and the tag
    void* data;         ///< first byte
    std::size_t bytes;  ///< their number
  };
  /// Starts the messages; the memory must not be used until wait() returns.
  std::shared_ptr<Pending> start(std::span<const Message> sends, std::span<const Message> receives) const;
  void wait(Pending& pending) const;  ///< returns when the messages of start() are complete
  /// The same for device memory, in the order of a stream (cudaStream_t); with Transport::nccl only.
  void in_stream(void* stream, std::span<const Message> sends, std::span<const Message> receives) const;

 private:
  enum class Reduction { sum, min, max };
  template <class T>
  T reduced(T value, Reduction how) const {
    reduce(std::span(&value, 1), how);
    return value;
  }
  void reduce(std::span<std::int64_t> values, Reduction how) const;
  void reduce(std::span<std::uint64_t> values, Reduction how) const;
  void reduce(std::span<double> values, Reduction how) const;

  std::shared_ptr<Ranks> ranks_;  ///< null: a single process
};

}  // namespace tessera::parallel
