// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tessera/parallel/communicator.hpp"

namespace tessera::parallel {

/// Implementation of a Communicator of several ranks; see there.
class Communicator::Ranks {
 public:
  enum class Agreement { sum, min, max };

  virtual ~Ranks() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual void agree(Agreement how, std::span<std::int64_t> values) = 0;
  virtual void agree(Agreement how, std::span<std::uint64_t> values) = 0;
  virtual void agree(Agreement how, std::span<double> values) = 0;
  virtual std::shared_ptr<Pending> begin_max(std::span<const std::int64_t> values) = 0;
  virtual void broadcast(std::span<std::byte> bytes) = 0;
  virtual void barrier() = 0;
  virtual void send(int to, std::span<const std::byte> bytes) = 0;
  virtual void receive(int from, std::span<std::byte> bytes) = 0;
  virtual std::vector<std::byte> receive(int from) = 0;
  virtual bool waits(int from) = 0;
  virtual std::shared_ptr<Ranks> split(int colour) = 0;
  virtual Transport transport() const = 0;
  virtual std::shared_ptr<Pending> start(std::span<const Message> sends, std::span<const Message> receives) = 0;
  virtual void in_stream(void* stream, std::span<const Message> sends, std::span<const Message> receives) = 0;
};

/// Pending messages, or a pending agreement.
class Communicator::Pending {
 public:
  virtual ~Pending() = default;
  virtual void wait() = 0;
  /// Whether it is complete; the result of an agreement is then in `values`.
  virtual bool has_come(std::span<std::int64_t> values) = 0;
};

}  // namespace tessera::parallel
