// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>
#include <tessera/disks/any_simulation.hpp>

#include "../method.hpp"
#include "../options.hpp"
#include "cases.hpp"

namespace tessera::perf {

/// Measurement of a case of hard disks, after as many sweeps as a repetition has.
class DisksMeasurement : public Measurement {
 public:
  /// Throws DoesNotFit if the repetitions would take too long.
  DisksMeasurement(const DisksCase& c, int repetitions, const TimeLimit& limit);

  Repetition repeat() override;

 private:
  double seconds_to(double sweep);

  DisksCase case_;
  std::unique_ptr<disks::AnySimulation> simulation_;
  double sweep_;
};

}  // namespace tessera::perf
