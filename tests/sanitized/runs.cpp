// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
//
// A run of each method, of kmc with a model from a file, that sanitizers watch. One file, since the methods share most headers.
#include <Kokkos_Core.hpp>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <tessera/disks/simulation.hpp>
#include <tessera/kmc/simulation.hpp>
#include <tessera/kpz/simulation.hpp>

#include "processes/compile.hpp"
#include "processes/table_model.hpp"

namespace {

using Space = Kokkos::DefaultHostExecutionSpace;

/// Whether a simulation has done something before this time and measured it.
bool runs(tessera::SimulationInterface& simulation, double until) {
  simulation.advance(until / 2);
  simulation.advance(until);
  return !simulation.measure().empty() && simulation.work() > 0;
}

bool kmc_runs(const std::string& file) {
  std::ifstream stream(file);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const auto model = tessera::processes::read_model(text, file);
  const auto compiled = tessera::processes::compile(model, {}, {}, 0.1, 0, {64, 64});
  tessera::kmc::Parameters parameters;
  parameters.nx = parameters.ny = 64;
  tessera::kmc::Simulation simulation(Space(), parameters, tessera::processes::TableModel(compiled.tables));
  return runs(simulation, 1);
}

bool kpz_runs() {
  tessera::kpz::Parameters parameters;
  parameters.nx = parameters.ny = 64;
  parameters.steps = 4;
  tessera::kpz::Simulation<Space> simulation(Space(), parameters);
  return runs(simulation, 4);
}

bool disks_run() {
  tessera::disks::Parameters parameters;
  parameters.particles = 256;
  parameters.sweeps = 8;
  parameters.sample_every = 2;
  tessera::disks::Simulation<Space> simulation(Space(), parameters);
  return runs(simulation, 8);
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return 2;
  const Kokkos::ScopeGuard kokkos;
  const std::string method = words[1];
  const bool ran = method == "kmc" ? kmc_runs(words[2]) : method == "kpz" ? kpz_runs() : disks_run();
  if (!ran) std::cerr << method << ": nothing happened\n";
  return ran ? 0 : 1;
}
