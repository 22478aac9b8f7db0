// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "measurement.hpp"

#include <algorithm>
#include <string>
#include <tessera/core/kokkos_ext/visit_backend.hpp>
#include <tessera/kpz/memory.hpp>

#include "../spaces.hpp"

namespace tessera::perf {
namespace {

/// Simulation on the execution space of this name, or with the sequential method.
std::unique_ptr<kpz::AnySimulation> make_simulation(const std::string& space, const kpz::Parameters& parameters) {
  const auto backend = backend_called(space);
  if (!backend) return kpz::make_sequential(parameters);
  return visit_backend(
      *backend, [&]<class ExecutionSpace>(std::type_identity<ExecutionSpace>) -> std::unique_ptr<kpz::AnySimulation> {
        return kpz::make_simulation<ExecutionSpace>(parameters);
      });
}

}  // namespace

KpzMeasurement::KpzMeasurement(const KpzCase& c, const Options& options, int repetitions, const TimeLimit& limit)
    : case_(c) {
  // A case that would exceed the limit is not allocated. Few hosts do 1e9 attempts/s.
  if (!is_of_gpu(c.space)) limit.need((3 + repetitions) * 1e-9 * c.sites(), "the Monte Carlo steps");
  kpz::Parameters p = c.parameters();
  p.domain = options.kpz.domain;
  p.thread_cell_x = options.kpz.thread_cell_x;
  p.thread_cell_y = options.kpz.thread_cell_y;
  simulation_ = make_simulation(c.space, p);
  const double first = seconds_to(1);
  limit.need((2 + repetitions) * first / 2, "the Monte Carlo steps");
  const double a_step = seconds_to(2);
  steps_ = std::max(1.0, options.window / a_step);
  limit.need((1 + repetitions) * steps_ * a_step, "the repetitions");
  simulation_->advance(simulation_->time() + steps_);
}

double KpzMeasurement::seconds_to(double time) {
  const Stopwatch watch;
  simulation_->advance(time);
  return watch.seconds();
}

Repetition KpzMeasurement::repeat() {
  const double attempts = simulation_->work(), time = simulation_->time();
  Repetition repetition{seconds_to(time + steps_), simulation_->work() - attempts, {}};
  const std::size_t bytes = kpz::memory_needed(simulation_->parameters(), false).device;
  repetition.figures = {{"bytes_per_site", static_cast<double>(bytes) / case_.sites()}};
  if (case_.measured) {
    const double a_step = repetition.seconds / (simulation_->time() - time);
    const Stopwatch watch;
    simulation_->measure();
    repetition.figures.push_back({"steps_per_measurement", watch.seconds() / a_step});
  }
  return repetition;
}

}  // namespace tessera::perf
