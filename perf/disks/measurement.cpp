// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "measurement.hpp"

#include <string>
#include <tessera/core/kokkos_ext/visit_backend.hpp>
#include <tessera/disks/memory.hpp>

#include "../spaces.hpp"

namespace tessera::perf {
namespace {

/// Simulation on the execution space of this name, or with the sequential method.
std::unique_ptr<disks::AnySimulation> make_simulation(const std::string& space, const disks::Parameters& parameters) {
  const auto backend = backend_called(space);
  if (!backend) return disks::make_sequential(parameters);
  return visit_backend(
      *backend, [&]<class ExecutionSpace>(std::type_identity<ExecutionSpace>) -> std::unique_ptr<disks::AnySimulation> {
        return disks::make_simulation<ExecutionSpace>(parameters);
      });
}

}  // namespace

DisksMeasurement::DisksMeasurement(const DisksCase& c, int repetitions, const TimeLimit& limit)
    : case_(c), sweep_(c.sweeps()) {
  simulation_ = make_simulation(c.space, c.parameters());
  const double a_sweep = seconds_to(2) / 2;
  limit.need((1 + repetitions) * c.sweeps() * a_sweep, "the sweeps");
  simulation_->advance(sweep_);
}

double DisksMeasurement::seconds_to(double sweep) {
  const Stopwatch watch;
  simulation_->advance(sweep);
  return watch.seconds();
}

Repetition DisksMeasurement::repeat() {
  const double moves = simulation_->work();
  sweep_ += case_.sweeps();
  const double seconds = seconds_to(sweep_);
  const MemoryNeeded needed = disks::memory_needed(simulation_->parameters());
  const std::size_t bytes = needed.device > 0 ? needed.device : needed.host;
  return {seconds, simulation_->work() - moves, {{"bytes_per_disk", static_cast<double>(bytes) / case_.disks()}}};
}

}  // namespace tessera::perf
