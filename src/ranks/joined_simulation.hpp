// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ranks/followers.hpp"
#include "ranks/joined_checkpoint.hpp"
#include "ranks/protocol.hpp"
#include "simulation_interface.hpp"

namespace tessera::program {

/// All replicas of a run as one simulation, of which each rank, or group of ranks, has a part: rank 0 as `own`, the
/// followers theirs, made already. What the run loop sees, and with it the output file, is what one rank with all
/// replicas would give, to the last bit.
class JoinedSimulation : public SimulationInterface {
 public:
  /// `made`: what the followers have answered to Command::make.
  JoinedSimulation(std::unique_ptr<SimulationInterface> own, Followers& followers, Shares shares,
                   std::vector<Packed> made);

  bool start(const std::function<bool()>& keep_going) override;
  bool advance(double until, const std::function<bool()>& keep_going) override;
  bool finished() const override;
  double time() const override;
  std::vector<double> times() const override;
  std::string time_unit() const override { return own_->time_unit(); }
  double time_goal() const override { return own_->time_goal(); }
  double work() const override;
  double work_goal() const override;
  std::string rate_unit() const override { return own_->rate_unit(); }
  std::vector<Observable> measure() override;
  bool steady(const std::string& observable) const override { return own_->steady(observable); }
  std::vector<Field> fields() override;
  std::vector<ParticleFrame> particles() override;
  std::size_t particles_of_replica() const override { return own_->particles_of_replica(); }
  std::vector<History> drain_histories() override;
  void save(io::CheckpointWriter& checkpoint) const override;
  void load(const io::CheckpointReader& checkpoint) override;
  std::optional<std::size_t> replica_dimension(const std::string& entry) const override {
    return own_->replica_dimension(entry);
  }
  bool has_one_time() const override { return own_->has_one_time(); }
  std::vector<History> join_histories(const std::vector<std::vector<History>>& histories,
                                      const std::vector<int>&) const override {
    return histories.front();
  }
  std::size_t bytes() const override;

 protected:
  /// Whether a failure of rank 0 keeps no follower from answering. If one does, the job ends.
  virtual bool is_of_all(const std::exception_ptr& failure) const {
    static_cast<void>(failure);
    return true;
  }
  /// Tells the followers a command while rank 0 calls `own`, asked between its batches whether it may go on; until all
  /// have arrived, or keep_going() is false. Whether all have arrived.
  bool together(Command command, const Packed& content, const std::function<bool(const std::function<bool()>&)>& own,
                const std::function<bool()>& keep_going);
  /// All advance together, those that are not there yet; `may_stop`: whether the followers may by themselves.
  bool advance_all(double until, bool may_stop, const std::function<bool()>& keep_going);
  /// The answers of the followers to a command that rank 0 obeys as well.
  template <class Own>
  std::vector<Packed> all(Command command, const Own& own);
  void see(std::vector<Packed> reports, bool own_arrived);

  std::unique_ptr<SimulationInterface> own_;
  Followers& followers_;

 private:
  /// Field number `number` of all replicas; `own`: of those of rank 0.
  template <class T>
  io::Parts<T> joined(std::size_t number, std::size_t of_a_replica, const io::Parts<T>& own);

  Shares shares_;
  std::vector<Report> reports_;  ///< of each rank
};

}  // namespace tessera::program
