// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "measurement.hpp"

#include <algorithm>
#include <string>

namespace tessera::perf {

KpzMeasurement::KpzMeasurement(const KpzCase& c, const Options& options, int repetitions, TimeBudget& budget)
    : case_(c) {
  // What cannot be afforded is not even allocated. Few can do 1e9 attempts/s on a host.
  const std::string a_step_of = "a step of " + c.scheme + " on " + c.space;
  if (c.space != "Cuda") {
    const double a_step = std::max(1e-9 * c.sites(), budget.predict(a_step_of, c.sites()));
    budget.need((3 + repetitions) * a_step, "the Monte Carlo steps");
  }
  kpz::Parameters p = c.parameters();
  p.domain = options.kpz.domain;
  p.thread_cell_x = options.kpz.thread_cell_x;
  p.thread_cell_y = options.kpz.thread_cell_y;
  system_ = make_system(c, p);
  const double first = seconds_to(1);
  budget.need((2 + repetitions) * first / 2, "the Monte Carlo steps");
  const double a_step = seconds_to(2);
  if (c.space != "Cuda") budget.learn(a_step_of, a_step / c.sites());
  steps_ = std::max(1.0, budget.window(options.window, repetitions) / a_step);
  budget.need((1 + repetitions) * steps_ * a_step, "the repetitions");
  system_->run_to(system_->time() + steps_);
}

double KpzMeasurement::seconds_to(double time) {
  const Stopwatch watch;
  system_->run_to(time);
  return watch.seconds();
}

Repetition KpzMeasurement::repeat() {
  const double attempts = system_->attempts(), time = system_->time();
  Repetition repetition{seconds_to(time + steps_), system_->attempts() - attempts, {}};
  repetition.figures = {{"bytes_per_site", "bytes/site", static_cast<double>(system_->bytes()) / case_.sites()}};
  if (case_.measured) {
    const double a_step = repetition.seconds / (system_->time() - time);
    const Stopwatch watch;
    system_->measure();
    repetition.figures.push_back({"steps_per_measurement", "steps/measurement", watch.seconds() / a_step});
  }
  return repetition;
}

}  // namespace tessera::perf
