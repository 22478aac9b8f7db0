// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>
#include <tessera/kpz/any_simulation.hpp>

#include "../method.hpp"
#include "../options.hpp"
#include "cases.hpp"

namespace tessera::perf {

/// Measurement of a case of the octahedron model, after two Monte Carlo steps and as many as in a repetition.
class KpzMeasurement : public Measurement {
 public:
  /// Throws DoesNotFit if the repetitions would take too long.
  KpzMeasurement(const KpzCase& c, const Options& options, int repetitions, const TimeLimit& limit);

  /// Continues for the duration of the window, or for a Monte Carlo step if that is longer.
  Repetition repeat() override;

 private:
  double seconds_to(double time);

  KpzCase case_;
  std::unique_ptr<kpz::AnySimulation> simulation_;
  double steps_;  ///< of a repetition
};

}  // namespace tessera::perf
