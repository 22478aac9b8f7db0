// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/pieces.hpp>
#include <tessera/simulation/simulation_interface.hpp>
#include <vector>

#include "run/rank_groups.hpp"

namespace tessera::program {

/// All replicas of a run as one simulation on all ranks. Each group of ranks has some of the replicas, whose simulation
/// is `own`, and its ranks share each of them. The results of the run loop, and the output file, equal those of one
/// process with all replicas bit for bit. Groups run at their own pace, and synchronize at stops only.
///
/// InputError and RunError are thrown at all ranks; within a group all ranks must throw them. Any other failure must
/// end the job, since the other ranks would wait for ever.
class ReplicaGroups : public SimulationInterface {
 public:
  /// Constructed by all ranks of `world`.
  ReplicaGroups(std::unique_ptr<SimulationInterface> own, const parallel::Communicator& world,
                const RankGroups& groups);

  bool start(const std::function<bool()>& keep_going) override;
  bool advance(double until, const std::function<bool()>& keep_going) override;
  bool finished() const override;
  double time() const override;
  std::vector<double> times() const override { return joined(&Standing::times); }
  std::vector<double> absorbed() const override { return joined(&Standing::absorbed); }
  std::string time_unit() const override { return own_->time_unit(); }
  double time_goal() const override { return own_->time_goal(); }
  double work() const override { return sum(&Standing::work); }
  double work_goal() const override { return sum(&Standing::work_goal); }
  std::string rate_unit() const override { return own_->rate_unit(); }
  std::vector<Observable> measure() override;
  bool steady(const std::string& observable) const override { return own_->steady(observable); }
  RateOfCounter rate_of_counter(const std::string& observable) const override {
    return own_->rate_of_counter(observable);
  }
  std::vector<analysis::FunctionOfMeans> functions_of_averages() const override {
    return own_->functions_of_averages();
  }
  SampleTable sample_table() const override { return own_->sample_table(); }
  std::vector<AveragedFunction> functions(double from) override;
  double leave_out_functions() override { return own_->leave_out_functions(); }
  std::vector<Field> fields() override;
  std::vector<ParticleFrame> particles() override;
  std::size_t particles_of_replica() const override { return own_->particles_of_replica(); }
  std::vector<History> drain_histories() override;
  std::vector<History> join_histories(const std::vector<std::vector<History>>& histories,
                                      const std::vector<int>&) const override {
    return histories.front();
  }
  void save(io::CheckpointWriter& checkpoint) const override;
  void load(const io::CheckpointReader& checkpoint) override;
  bool has_one_time() const override { return own_->has_one_time(); }
  std::size_t bytes() const override { return bytes_; }

 private:
  /// Position of the replicas of a group.
  struct Standing {
    bool finished;
    double time, work, work_goal;
    std::vector<double> times, absorbed;
  };
  using Lists = std::vector<std::vector<double>>;

  std::vector<double> joined(std::vector<double> Standing::*lists) const;
  double sum(double Standing::*number) const;
  bool several() const { return groups_.shares.size() > 1; }
  template <class Work>
  void agreed(const Work& work) const;
  bool together(const std::function<bool(const std::function<bool()>&)>& own, const std::function<bool()>& keep_going,
                bool starts);
  void stand();
  bool ended_early(const Standing& s) const { return s.finished && s.time < time_goal(); }
  std::vector<Lists> gather(const Lists& mine) const;
  template <class T>
  parallel::Gather<T> of_all(const parallel::Gather<T>& own, const std::vector<std::size_t>& shape) const;

  std::unique_ptr<SimulationInterface> own_;
  parallel::Communicator world_;
  RankGroups groups_;
  std::vector<Standing> standings_;  ///< of each group
  std::size_t bytes_;                ///< of all ranks
};

}  // namespace tessera::program
