// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tessera/parallel/transport.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera::parallel {

/// The ranks, processes of one job, that compute something together, and what they agree on. A cheap value: copies are
/// the same communicator. One that was made from nothing is this process alone and needs no MPI:
///
///     Simulation(space, parameters)                        // one process
///     const World world;                                   // in main(), see world.hpp
///     Simulation(space, parameters, world.communicator())  // all ranks of the job
///
/// Functions marked "all" are called by all ranks, in the same order, and return once they have what they need of the
/// others. There is no sum of doubles: its rounding would depend on the number of ranks. A failure of the network, or
/// of another rank, ends the job.
class Communicator {
 public:
  class Ranks;
  class Pending;

  /// This process alone.
  Communicator() = default;
  /// As World makes it.
  explicit Communicator(std::shared_ptr<Ranks> ranks) : ranks_(std::move(ranks)) {}

  /// This one's number, from 0, and how many there are.
  int rank() const;
  int size() const;

  /// All: every element becomes its sum, smallest or largest value over the ranks.
  void sum(std::span<std::int64_t> values) const;
  void sum(std::span<std::uint64_t> values) const;
  void min(std::span<std::int64_t> values) const;
  void min(std::span<double> values) const;
  void max(std::span<std::int64_t> values) const;
  void max(std::span<double> values) const;
  std::int64_t sum(std::int64_t value) const {
    return agreed(value, [this](auto one) { sum(one); });
  }
  std::uint64_t sum(std::uint64_t value) const {
    return agreed(value, [this](auto one) { sum(one); });
  }
  std::int64_t min(std::int64_t value) const {
    return agreed(value, [this](auto one) { min(one); });
  }
  std::int64_t max(std::int64_t value) const {
    return agreed(value, [this](auto one) { max(one); });
  }
  double min(double value) const {
    return agreed(value, [this](auto one) { min(one); });
  }
  double max(double value) const {
    return agreed(value, [this](auto one) { max(one); });
  }

  /// All: whether it holds at all ranks; at any of them.
  bool all(bool holds) const { return min(std::int64_t{holds}) != 0; }
  bool any(bool holds) const { return max(std::int64_t{holds}) != 0; }

  /// All: what rank 0 has; the others give room of the same size.
  void broadcast(std::span<std::byte> bytes) const;
  template <class T>
    requires std::is_trivially_copyable_v<T>
  T broadcast(T value) const {
    broadcast(std::as_writable_bytes(std::span(&value, 1)));
    return value;
  }

  /// All: the bytes of every rank, any number of each, in the order of the ranks, at rank 0; nothing elsewhere.
  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> mine) const;

  /// All: begins max(), while this rank goes on with something else.
  std::shared_ptr<Pending> begin_max(std::span<const std::int64_t> values) const;
  /// Whether all have begun it, and `values` have become what is agreed.
  bool has_come(Pending& pending, std::span<std::int64_t> values) const;

  /// All: returns once all have called it.
  void barrier() const;

  // From one rank to another one, in the order of the calls. send() may return before the other one has called
  // receive(), or wait for it.

  void send(int to, std::span<const std::byte> bytes) const;
  /// As many bytes as were sent.
  void receive(int from, std::span<std::byte> bytes) const;
  /// The next bytes of a rank, how many they may be. Sleeps while there are none.
  std::vector<std::byte> receive(int from) const;
  /// Whether receive() would not wait.
  bool waits(int from) const;

  /// All: those who name the same colour, 0 or more, in their order here, are a communicator of their own.
  Communicator split(int colour) const;

  /// How an Exchange moves data.
  Transport transport() const;

  /// Part of an Exchange: bytes in memory that MPI can reach, to or from a rank other than this one. Of the messages
  /// of two ranks those with the same tag, 0 to 32000, belong together.
  struct Message {
    int rank, tag;
    void* data;
    std::size_t bytes;
  };
  /// Begins to move them; the memory is MPI's until wait() returns.
  std::shared_ptr<Pending> start(std::span<const Message> sends, std::span<const Message> receives) const;
  void wait(Pending& pending) const;
  /// The same of device memory in the order of a stream (cudaStream_t); with Transport::nccl only.
  void in_stream(void* stream, std::span<const Message> sends, std::span<const Message> receives) const;

 private:
  template <class T, class Agree>
  static T agreed(T value, const Agree& agree) {
    agree(std::span(&value, 1));
    return value;
  }

  std::shared_ptr<Ranks> ranks_;  ///< null: this process alone
};

}  // namespace tessera::parallel
