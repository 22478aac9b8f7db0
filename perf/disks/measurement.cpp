// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "measurement.hpp"

#include <string>

namespace tessera::perf {

DisksMeasurement::DisksMeasurement(const DisksCase& c, int repetitions, TimeBudget& budget)
    : case_(c), sweep_(c.sweeps()) {
  const std::string a_sweep_of = "a sweep of disks on " + c.space;
  budget.need((1 + repetitions) * c.sweeps() * budget.predict(a_sweep_of, c.disks()), "the sweeps");
  system_ = make_system(c, c.parameters());
  const double a_sweep = seconds_to(2) / 2;
  if (c.space != "Cuda") budget.learn(a_sweep_of, a_sweep / c.disks());
  budget.need((1 + repetitions) * c.sweeps() * a_sweep, "the sweeps");
  system_->run_to(sweep_);
}

double DisksMeasurement::seconds_to(double sweep) {
  const Stopwatch watch;
  system_->run_to(sweep);
  return watch.seconds();
}

Repetition DisksMeasurement::repeat() {
  const double moves = system_->moves();
  sweep_ += case_.sweeps();
  const double seconds = seconds_to(sweep_);
  return {seconds,
          system_->moves() - moves,
          {{"bytes_per_disk", "bytes/disk", static_cast<double>(system_->bytes()) / case_.disks()}}};
}

}  // namespace tessera::perf
