// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tessera/parallel/communicator.hpp"

#include <stdexcept>

#include "parallel/ranks.hpp"
#include "tessera/parallel/world.hpp"

namespace tessera::parallel {
namespace {

[[noreturn]] void refuse_alone() { throw std::invalid_argument("a single process cannot send messages"); }

}  // namespace

int Communicator::rank() const { return ranks_ ? ranks_->rank() : 0; }
int Communicator::size() const { return ranks_ ? ranks_->size() : 1; }

void Communicator::sum(std::span<std::int64_t> values) const {
  if (ranks_) ranks_->agree(Ranks::Agreement::sum, values);
}
void Communicator::sum(std::span<std::uint64_t> values) const {
  if (ranks_) ranks_->agree(Ranks::Agreement::sum, values);
}
void Communicator::min(std::span<std::int64_t> values) const {
  if (ranks_) ranks_->agree(Ranks::Agreement::min, values);
}
void Communicator::min(std::span<double> values) const {
  if (ranks_) ranks_->agree(Ranks::Agreement::min, values);
}
void Communicator::max(std::span<std::int64_t> values) const {
  if (ranks_) ranks_->agree(Ranks::Agreement::max, values);
}
void Communicator::max(std::span<double> values) const {
  if (ranks_) ranks_->agree(Ranks::Agreement::max, values);
}

std::shared_ptr<Communicator::Pending> Communicator::begin_max(std::span<const std::int64_t> values) const {
  if (!ranks_) refuse_alone();
  return ranks_->begin_max(values);
}
bool Communicator::has_come(Pending& pending, std::span<std::int64_t> values) const { return pending.has_come(values); }

void Communicator::broadcast(std::span<std::byte> bytes) const {
  if (ranks_) ranks_->broadcast(bytes);
}

std::vector<std::vector<std::byte>> Communicator::gather(std::span<const std::byte> mine) const {
  if (rank() != 0) {
    send(0, mine);
    return {};
  }
  std::vector<std::vector<std::byte>> all{{mine.begin(), mine.end()}};
  for (int from = 1; from < size(); ++from) all.push_back(receive(from));
  return all;
}

void Communicator::barrier() const {
  if (ranks_) ranks_->barrier();
}

void Communicator::send(int to, std::span<const std::byte> bytes) const {
  if (!ranks_) refuse_alone();
  ranks_->send(to, bytes);
}
void Communicator::receive(int from, std::span<std::byte> bytes) const {
  if (!ranks_) refuse_alone();
  ranks_->receive(from, bytes);
}
std::vector<std::byte> Communicator::receive(int from) const {
  if (!ranks_) refuse_alone();
  return ranks_->receive(from);
}
bool Communicator::waits(int from) const { return ranks_ && ranks_->waits(from); }

Communicator Communicator::split(int colour) const { return ranks_ ? Communicator(ranks_->split(colour)) : *this; }

Transport Communicator::transport() const { return ranks_ ? ranks_->transport() : Transport::staged; }

std::shared_ptr<Communicator::Pending> Communicator::start(std::span<const Message> sends,
                                                           std::span<const Message> receives) const {
  if (!ranks_) refuse_alone();
  return ranks_->start(sends, receives);
}
void Communicator::wait(Pending& pending) const { pending.wait(); }
void Communicator::in_stream(void* stream, std::span<const Message> sends, std::span<const Message> receives) const {
  if (!ranks_) refuse_alone();
  ranks_->in_stream(stream, sends, receives);
}

std::string transport_name(Transport transport) {
  return transport == Transport::mpi ? "mpi" : transport == Transport::nccl ? "nccl" : "staged";
}

}  // namespace tessera::parallel
