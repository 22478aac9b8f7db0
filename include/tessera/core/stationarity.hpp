// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace tessera {

/// Result of the stationarity test of an observable within a window in time, from good to bad.
enum class TestResult { stationary, too_short, replicas_differ, drifting, none_found };

/// The result in words, as in summaries: "stationary", "too short", ...
inline const char* result_text(TestResult result) {
  constexpr const char* texts[] = {"stationary", "too short", "replicas differ", "drifting",
                                   "no stationary part found"};
  return texts[static_cast<int>(result)];
}

/// The halves of a window in time over which an observable is averaged, and the replicas.
struct Stationarity {
  static constexpr std::uint64_t fewest_rows = 8;  ///< fewer are too short to test
  static constexpr double most_errors = 3;    ///< difference of the halves in standard errors, above which they drift
  static constexpr double fewest_times = 20;  ///< autocorrelation times of a window that can be tested
  static constexpr double fewest_times_of_error = 5;  ///< autocorrelation times of a window with an error of the mean
  static constexpr double least_q = 1e-3;             ///< value of replica_q below which the replicas differ

  std::uint64_t rows = 0;                                                   ///< in the window
  double first = std::numeric_limits<double>::quiet_NaN(), second = first;  ///< means of the halves
  double error = first;                                                     ///< standard error of second - first
  double mean_error = first;                  ///< standard error of the mean from the autocorrelation of rows
  double autocorrelation_rows = first;        ///< integrated autocorrelation time in rows; 1/2 if they are independent
  double autocorrelation_rows_error = first;  ///< its standard error
  double row_time = first;                    ///< time between two rows
  double replica_ratio = first;  ///< variance of the means of the replicas over the squared standard error of one
  double replica_q = first;      ///< probability Q that chance makes it as large; NaN: one replica, or unknown errors
  TestResult least = TestResult::stationary;  ///< of the observables it depends on: its own is no better

  /// Its numbers, by their names in files and summaries.
  std::vector<std::pair<const char*, double>> numbers() const {
    return {{"first", first},
            {"second", second},
            {"error", error},
            {"autocorrelation_rows", autocorrelation_rows},
            {"autocorrelation_rows_error", autocorrelation_rows_error},
            {"autocorrelation_time", autocorrelation_time()},
            {"autocorrelation_time_error", autocorrelation_time_error()},
            {"replica_ratio", replica_ratio},
            {"replica_q", replica_q}};
  }
  double autocorrelation_time() const { return autocorrelation_rows * row_time; }  ///< autocorrelation_rows as a time
  double autocorrelation_time_error() const { return autocorrelation_rows_error * row_time; }  ///< its standard error

  /// Whether there may be fewer than `times` autocorrelation times, within two standard errors of that time.
  bool is_short(double times = fewest_times) const {
    return !(static_cast<double>(rows) >= times * (autocorrelation_rows + 2 * autocorrelation_rows_error));
  }

  /// Drifting: the halves differ by more than three standard errors. Else the replicas differ by more than their errors
  /// permit. Else too short to test: fewer than 20 autocorrelation times, or 8 rows.
  TestResult result() const { return std::max(own_result(), least); }

 private:
  TestResult own_result() const {
    if (rows < fewest_rows || std::isnan(second - first)) return TestResult::too_short;
    if (std::abs(second - first) > most_errors * error) return TestResult::drifting;
    if (replica_q < least_q) return TestResult::replicas_differ;
    return is_short() ? TestResult::too_short : TestResult::stationary;
  }
};

}  // namespace tessera
