// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>

#include "../method.hpp"
#include "../options.hpp"
#include "cases.hpp"
#include "relaxed_surfaces.hpp"
#include "system.hpp"

namespace tessera::perf {

/// Measurement of a case of kinetic Monte Carlo, on a relaxed surface, with a settled step control.
class KmcMeasurement : public Measurement {
 public:
  /// Throws DoesNotFit if the repetitions would take too long.
  KmcMeasurement(const KmcCase& c, const Options& options, int repetitions, RelaxedSurfaces& surfaces,
                 const TimeLimit& limit);

  /// Continues for the duration of the window.
  Repetition repeat() override;

 private:
  void settle(int steps, const TimeLimit& limit);

  KmcCase case_;
  int repetitions_;
  double window_seconds_;
  std::unique_ptr<KmcSystem> system_;
};

}  // namespace tessera::perf
