// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace tessera {

/// Result of the tests of an average over a window in time, from good to bad.
enum class TestResult { stationary, too_short, replicas_differ, drifting };

/// The result in words, as in summaries: "stationary", "too short", ...
inline const char* result_text(TestResult result) {
  constexpr const char* texts[] = {"stationary", "too short", "replicas differ", "drifting"};
  return texts[static_cast<int>(result)];
}

/// Whether an observable is stationary in a window in time, and whether this is long enough for an error of its mean.
struct Stationarity {
  std::uint64_t rows = 0;                                                   ///< in the window
  TestResult result = TestResult::too_short;                                ///< the worst one that applies
  double first = std::numeric_limits<double>::quiet_NaN(), second = first;  ///< means of first quarter and last half
  double error = first;                                                     ///< standard error of second - first
  double autocorrelation_time = first;        ///< integrated; half the time between rows if they are independent
  double autocorrelation_time_error = first;  ///< its standard error
  double samples = first;                     ///< independent ones: times of all replicas over 2 autocorrelation times
  double freedom = first;                     ///< degrees of freedom of the error of the mean
  double replica_ratio = first;  ///< variance of the means of replicas over that expected from fluctuations in time
  double longer = first;         ///< of what is too short: a window so many times longer is required, or more
  std::string slow = {};         ///< the slowest mode or observable, by which it is too short; empty: it has few rows

  /// Its numbers, by their names in files and summaries.
  std::vector<std::pair<const char*, double>> numbers() const {
    return {{"first", first},
            {"second", second},
            {"error", error},
            {"autocorrelation_time", autocorrelation_time},
            {"autocorrelation_time_error", autocorrelation_time_error},
            {"samples", samples},
            {"freedom", freedom},
            {"replica_ratio", replica_ratio},
            {"longer", longer}};
  }
};

}  // namespace tessera
