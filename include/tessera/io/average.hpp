// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <string>
#include <tessera/core/observable.hpp>
#include <tessera/core/stationarity.hpp>
#include <utility>
#include <vector>

namespace tessera::io {

/// Mean of an observable over the rows after a time, and its standard error, NaN if undefined.
struct Average {
  std::string name, unit;
  double mean = 0, error = 0;
  double tau = 0, tau_error = 0;    ///< integrated autocorrelation time in units of time, and its standard error
  std::vector<double> values = {};  ///< mean of each replica, if there are several with one value each
};

/// Averages of a run: over `rows` rows after the time `from`.
struct Averages {
  double from = 0;
  std::uint64_t rows = 0;
  std::vector<Average> observables = {};
  bool from_is_chosen = false;  ///< by the run, from its rows
  /// Of each of the observables, or of the samples of a run without averages.
  std::vector<std::pair<std::string, Stationarity>> stationarity = {};
  std::vector<AveragedFunction> functions = {};  ///< over the samples of the method, whatever `from` is
};

}  // namespace tessera::io
