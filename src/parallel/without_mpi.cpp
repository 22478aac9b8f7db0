// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <cstdlib>
#include <stdexcept>

#include "tessera/parallel/world.hpp"

namespace tessera::parallel {
namespace {

[[noreturn]] void refuse() { throw std::invalid_argument("a single process cannot send messages"); }

}  // namespace

struct Communicator::Pending {};

int Communicator::rank() const { return 0; }
int Communicator::size() const { return 1; }
void Communicator::reduce(std::span<std::int64_t>, Reduction) const {}
void Communicator::reduce(std::span<std::uint64_t>, Reduction) const {}
void Communicator::reduce(std::span<double>, Reduction) const {}
std::shared_ptr<Communicator::Pending> Communicator::begin_max(std::span<const std::int64_t>) const { refuse(); }
bool Communicator::is_complete(Pending&, std::span<std::int64_t>) const { return true; }
void Communicator::wait(Pending&) const {}
void Communicator::broadcast(std::span<std::byte>, int) const {}
void Communicator::send(int, std::span<const std::byte>) const { refuse(); }
void Communicator::receive(int, std::span<std::byte>) const { refuse(); }
std::vector<std::byte> Communicator::receive(int) const { refuse(); }
Communicator Communicator::split(int) const { return *this; }
Transport Communicator::transport() const { return Transport::staged; }
std::shared_ptr<Communicator::Pending> Communicator::start(std::span<const Message>, std::span<const Message>) const {
  refuse();
}
void Communicator::in_stream(void*, std::span<const Message>, std::span<const Message>) const { refuse(); }

World::World() = default;
World::~World() = default;

void World::use(Transport transport) const {
  if (transport != Transport::staged) throw std::invalid_argument("this build has no MPI");
}

void World::abort(int status) const { std::_Exit(status); }

std::string mpi_version() { return ""; }
bool launched() { return false; }
std::vector<Transport> transports() { return {}; }

}  // namespace tessera::parallel
