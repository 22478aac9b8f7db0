// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <tessera/parallel/pieces.hpp>
#include <tessera/parallel/rank_groups.hpp>
#include <tessera/parallel/shared_checkpoint.hpp>
#include <tessera/simulation/simulation_interface.hpp>
#include <vector>

namespace tessera::program {

/// All replicas of a run as one simulation on all ranks. Each group of ranks has some of the replicas, whose simulation
/// is `part`, and its ranks share each of them. The results of the run loop, and the output file, equal those of one
/// process with all replicas bit for bit. Groups run at their own pace, and synchronize at stops only.
///
/// InputError and RunError are thrown at all ranks; within a group all ranks must throw them. Any other failure must
/// end the job, since the other ranks would wait for ever.
class ReplicaGroups : public SimulationInterface {
 public:
  using KeepGoing = std::function<bool()>;

  /// Constructed by all ranks.
  ReplicaGroups(std::unique_ptr<SimulationInterface> part, const parallel::RankGroups& groups);

  bool start(const KeepGoing& keep_going) override;
  bool advance(double until, const KeepGoing& keep_going) override;
  bool finished() const override;
  double time() const override;
  std::vector<double> times() const override { return times_; }
  std::vector<double> absorbed() const override { return absorbed_; }
  std::string time_unit() const override { return part_->time_unit(); }
  double stopping_time() const override { return part_->stopping_time(); }
  double work() const override { return std::accumulate(work_.begin(), work_.end(), 0.0); }
  double stopping_work() const override { return std::accumulate(stopping_work_.begin(), stopping_work_.end(), 0.0); }
  std::string rate_unit() const override { return part_->rate_unit(); }
  std::vector<Observable> measure() override;
  bool steady(const std::string& observable) const override { return part_->steady(observable); }
  RateOfCounter rate_of_counter(const std::string& observable) const override {
    return part_->rate_of_counter(observable);
  }
  std::vector<analysis::FunctionOfMeans> functions_of_averages() const override {
    return part_->functions_of_averages();
  }
  std::vector<SlowMode> slow_modes() const override { return part_->slow_modes(); }
  SampleTable sample_table() const override { return part_->sample_table(); }
  std::vector<AveragedFunction> functions(double from) override;
  double leave_out_functions() override { return part_->leave_out_functions(); }
  std::vector<Field> fields() override;
  std::vector<ParticleFrame> particles() override;
  std::size_t particles_of_replica() const override { return part_->particles_of_replica(); }
  std::vector<History> drain_histories() override;
  std::vector<History> tables_of(std::vector<History> drained) const override {
    return part_->tables_of(std::move(drained));
  }
  void save(io::CheckpointWriter& checkpoint) const override;
  void load(const io::CheckpointReader& checkpoint) override;
  bool has_one_time() const override { return part_->has_one_time(); }

 private:
  bool several() const { return groups_.count() > 1; }
  bool at_several_heads() const { return several() && groups_.is_head(); }
  template <class Work>
  auto agreed(const Work& work) const;
  template <class Advance>
  bool advance_groups(bool starts, const Advance& advance_part, const KeepGoing& keep_going);
  void exchange_states();
  void join(const std::vector<std::vector<double>*>& lists) const;
  parallel::Gather<std::byte> of_all(const Field& field) const;
  parallel::PartsOfEntry parts_of_heads() const;

  std::unique_ptr<SimulationInterface> part_;
  parallel::RankGroups groups_;
  std::vector<double> finished_, time_, work_, stopping_work_;  ///< of each group
  std::vector<double> times_, absorbed_;                        ///< of all replicas
};

}  // namespace tessera::program
