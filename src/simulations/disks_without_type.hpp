// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include "simulations/disks.hpp"

namespace tessera::disks {

/// A simulation behind the interface Any: AnySimulation, or one derived from it.
template <class Simulation, class Any = AnySimulation>
class WithoutType : public Any {
 public:
  template <class... Arguments>
  explicit WithoutType(const Arguments&... arguments) : simulation_(arguments...) {}

  bool start(const std::function<bool()>& keep_going) override { return simulation_.start(keep_going); }
  void advance(double until, const std::function<bool()>& keep_going) override {
    simulation_.advance(until, keep_going);
  }
  bool finished() const override { return simulation_.finished(); }
  double time() const override { return simulation_.time(); }
  const std::vector<MoveCount>& moves() const override { return simulation_.moves(); }
  std::size_t bytes() const override { return simulation_.bytes(); }
  Point box() const override { return simulation_.box(); }
  std::vector<std::vector<Point>> points() const override { return simulation_.points(); }
  std::vector<double> pair_distribution() const override { return simulation_.pair_distribution(); }
  std::vector<Observable> measure() const override { return simulation_.measure(); }
  History drain_history() override { return simulation_.drain_history(); }
  void save(io::CheckpointWriter& checkpoint) const override { simulation_.save(checkpoint); }
  void save(io::MemoryArchive& archive) const override { simulation_.save(archive); }
  void load(const io::CheckpointReader& checkpoint) override { simulation_.load(checkpoint); }
  void load(const io::MemoryArchive& archive) override { simulation_.load(archive); }

 protected:
  Simulation simulation_;
};

}  // namespace tessera::disks
