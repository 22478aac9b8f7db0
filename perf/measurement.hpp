// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>

#include "affordable.hpp"
#include "cases.hpp"
#include "measured_system.hpp"
#include "options.hpp"
#include "relaxed_surfaces.hpp"

namespace tessera::perf {

/// What happened in one repetition.
struct Window {
  double seconds = 0;
  Counts counts;
};

/// A case that is being measured: its system, on a relaxed surface, with a settled step control.
class Measurement {
 public:
  /// Throws DoesNotFit if the repetitions would take too long.
  Measurement(const Case& c, const Options& options, const Space* space, RelaxedSurfaces& surfaces,
              Affordable& affordable);

  /// One repetition: goes on for options.window seconds, or its share of the budget.
  Window repeat();

  const Case& what() const { return case_; }
  std::size_t bytes() const { return system_->bytes(); }
  double tiles() const { return system_->tiles(); }

 private:
  void settle(const Options& options, Affordable& affordable);

  Case case_;
  double window_seconds_;
  std::unique_ptr<MeasuredSystem> system_;
};

}  // namespace tessera::perf
