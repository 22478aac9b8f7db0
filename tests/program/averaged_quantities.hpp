// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <functional>
#include <string>
#include <tessera/simulation/simulation_interface.hpp>
#include <vector>

namespace tessera::testing {

/// A simulation that has nothing but quantities that are averaged.
struct AveragedQuantities : SimulationInterface {
  std::function<bool(const std::string&)> is_steady = [](const std::string&) { return true; };
  std::string counter = {};  ///< name of the only one that has a rate
  RateOfCounter rate = {};
  std::vector<analysis::FunctionOfMeans> functions_of_means = {};
  SampleTable table = {};
  std::vector<SlowMode> modes = {};

  bool steady(const std::string& name) const override { return is_steady(name); }
  RateOfCounter rate_of_counter(const std::string& name) const override {
    return name == counter ? rate : RateOfCounter{};
  }
  std::vector<analysis::FunctionOfMeans> functions_of_averages() const override { return functions_of_means; }
  SampleTable sample_table() const override { return table; }
  std::vector<SlowMode> slow_modes() const override { return modes; }

  bool advance(double, const std::function<bool()>&) override { return true; }
  bool finished() const override { return true; }
  double time() const override { return 0; }
  std::vector<double> times() const override { return {0}; }
  std::string time_unit() const override { return {}; }
  double stopping_time() const override { return 0; }
  double work() const override { return 0; }
  std::string rate_unit() const override { return {}; }
  std::vector<Observable> measure() override { return {}; }
  std::vector<Field> fields() override { return {}; }
  std::vector<History> drain_histories() override { return {}; }
  void save(io::CheckpointWriter&) const override {}
  void load(const io::CheckpointReader&) override {}
};

}  // namespace tessera::testing
