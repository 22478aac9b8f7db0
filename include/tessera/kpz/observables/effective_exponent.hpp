// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>

namespace tessera::kpz {

/// The local exponent of one quantity between a measurement and the one before (equation 8).
struct EffectiveExponent {
  std::string name;
  double time_before, time;
  double value, error;      ///< over the replicas; the error is NaN for fewer than two
  double propagated_error;  ///< from the errors at both times, as if they were independent
};

}  // namespace tessera::kpz
