// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "method.hpp"
#include "ranks/joined_simulation.hpp"

namespace tessera::program {

/// Systems that the ranks of a group share out among themselves: each has a part of every system, and they call the
/// same functions of their simulations at the same time. The head of the group has it. What is wrong is wrong at all of
/// them, as InputError or RunError. Anything else that goes wrong ends the job, since the others wait then for what
/// does not come.
class SharedSimulation : public JoinedSimulation {
 public:
  /// `made`: what the followers have answered to Command::make.
  SharedSimulation(std::unique_ptr<SimulationInterface> own, Followers& followers, std::vector<Packed> made);

  /// Where to stop is for the head alone to say: what the others were told is heard here.
  bool advance(double until, const std::function<bool()>& keep_going) override {
    return advance_all(until, false, keep_going);
  }
  std::vector<double> times() const override { return own_->times(); }
  double work() const override { return own_->work(); }
  double work_goal() const override { return own_->work_goal(); }
  std::vector<Observable> measure() override;
  std::vector<Field> fields() override;
  std::vector<ParticleFrame> particles() override;
  std::vector<History> drain_histories() override;
  std::vector<History> join_histories(const std::vector<std::vector<History>>& histories,
                                      const std::vector<int>& first) const override {
    return own_->join_histories(histories, first);
  }
  void save(io::CheckpointWriter& checkpoint) const override;
  void load(const io::CheckpointReader& checkpoint) override;

 protected:
  bool is_of_all(const std::exception_ptr& failure) const override;

 private:
  /// Tells the followers a command that rank 0 obeys as well. Their answers.
  std::vector<Packed> in_step(Command command, const std::function<void()>& own) const;
};

/// All ranks of a group that runs a method, on a grid: what each of them has. `members`: the others, at the head, which
/// have been told to make theirs; null elsewhere.
std::unique_ptr<SimulationInterface> make_of_group(const Method& method, const Sharing& group, Followers* members);

}  // namespace tessera::program
