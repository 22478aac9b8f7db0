// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "ranks/shared_simulation.hpp"

#include <tessera/core/error.hpp>
#include <utility>

#include "io/failure.hpp"

namespace tessera::program {

SharedSimulation::SharedSimulation(std::unique_ptr<SimulationInterface> own, Followers& followers,
                                   std::vector<Packed> made)
    : JoinedSimulation(std::move(own), followers, {}, std::move(made)) {}

bool SharedSimulation::is_of_all(const std::exception_ptr& failure) const {
  try {
    std::rethrow_exception(failure);
  } catch (const InputError&) {
    return true;
  } catch (const RunError&) {
    return true;
  } catch (const io::Failure&) {  // while saving, which rank 0 tells
    return true;
  } catch (...) {
    return false;
  }
}

std::vector<Packed> SharedSimulation::in_step(Command command, const std::function<void()>& own) const {
  followers_.tell(command);
  try {
    own();
  } catch (...) {
    const auto failure = std::current_exception();
    if (!is_of_all(failure)) throw;
    for (int follower = 0; follower < followers_.count(); ++follower) followers_.answer(follower);
    std::rethrow_exception(failure);
  }
  return followers_.answers();
}

std::vector<Observable> SharedSimulation::measure() {
  std::vector<Observable> observables;
  in_step(Command::measure, [&] { observables = own_->measure(); });
  return observables;
}

std::vector<Field> SharedSimulation::fields() {
  followers_.tell(Command::serve_fields);
  return own_->fields();
}

std::vector<ParticleFrame> SharedSimulation::particles() {
  std::vector<ParticleFrame> frames;
  in_step(Command::particles, [&] { frames = own_->particles(); });
  return frames;
}

std::vector<History> SharedSimulation::drain_histories() {
  std::vector<History> histories;
  in_step(Command::history, [&] { histories = own_->drain_histories(); });
  return histories;
}

void SharedSimulation::save(io::CheckpointWriter& checkpoint) const {
  in_step(Command::save, [&] { own_->save(checkpoint); });
}

void SharedSimulation::load(const io::CheckpointReader& checkpoint) {
  see(in_step(Command::load, [&] { own_->load(checkpoint); }), true);
}

std::unique_ptr<SimulationInterface> make_of_group(const Method& method, const Sharing& group, Followers* members) {
  if (group.ranks.size() == 1) return method.make_simulation({group.backend});
  auto own = method.make_simulation({group.backend, group.ranks.split(0), group.grid});
  if (members == nullptr) return own;
  return std::make_unique<SharedSimulation>(std::move(own), *members, members->answers());
}

}  // namespace tessera::program
