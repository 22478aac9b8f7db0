// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <functional>
#include <tessera/core/observable.hpp>
#include <tessera/io/checkpoint_reader.hpp>
#include <tessera/io/checkpoint_writer.hpp>
#include <tessera/io/memory_archive.hpp>
#include <vector>

#include "run/simulation_interface.hpp"

namespace tessera::program {

/// Simulation behind `Any`, the interface of its method: the functions that all methods share. Simulations take long to
/// compile, and are compiled once for the program, the benchmarks and the tests.
template <class Simulation, class Any>
class SimulationOf : public Any {
 public:
  template <class... Arguments>
  explicit SimulationOf(const Arguments&... arguments) : simulation_(arguments...) {}

  bool advance(double until, const std::function<bool()>& keep_going) override {
    bool arrived = true;
    simulation_.advance(until, [&] { return arrived = keep_going(); });
    return arrived;
  }
  double time() const override { return simulation_.time(); }
  std::size_t bytes() const override { return simulation_.bytes(); }
  std::vector<Observable> measure() override { return simulation_.measure(); }
  void save(io::CheckpointWriter& checkpoint) const override { simulation_.save(checkpoint); }
  void save(io::MemoryArchive& archive) const override { simulation_.save(archive); }
  void load(const io::CheckpointReader& checkpoint) override { simulation_.load(checkpoint); }
  void load(const io::MemoryArchive& archive) override { simulation_.load(archive); }

 protected:
  Simulation simulation_;
};

}  // namespace tessera::program
