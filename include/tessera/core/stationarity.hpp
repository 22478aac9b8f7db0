// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace tessera {

/// Whether an observable is stationary within a window in time.
enum class Verdict { stationary, drifting, replicas_differ, too_short };

inline const char* verdict_text(Verdict verdict) {
  constexpr const char* texts[] = {"stationary", "drifting", "replicas differ", "too short"};
  return texts[static_cast<int>(verdict)];
}

/// The halves of a window in time over which an observable is averaged, and the replicas.
struct Stationarity {
  static constexpr std::uint64_t fewest_rows = 8;
  static constexpr double most_errors = 3, fewest_times = 20;

  std::uint64_t rows = 0;
  double first = std::numeric_limits<double>::quiet_NaN(), second = first;  ///< means of the halves
  double error = first;                                                     ///< standard error of second - first
  double autocorrelation_rows = first;  ///< integrated autocorrelation time in rows, 1/2 if they are independent
  double autocorrelation_time = first;  ///< the same in units of time
  /// The variance of the replicas' means over the squared standard error of one, and what it hardly exceeds by chance;
  /// NaN for one replica, or if such errors are unknown.
  double replica_ratio = first, replica_limit = first;

  /// Drifting: the halves differ by more than three standard errors. Else the replicas differ by more than their errors
  /// permit. Else too short to judge: fewer than 20 autocorrelation times, or 8 rows.
  Verdict verdict() const {
    if (rows < fewest_rows || std::isnan(second - first)) return Verdict::too_short;
    if (std::abs(second - first) > most_errors * error) return Verdict::drifting;
    if (replica_ratio > replica_limit) return Verdict::replicas_differ;
    return static_cast<double>(rows) < fewest_times * autocorrelation_rows ? Verdict::too_short : Verdict::stationary;
  }
};

}  // namespace tessera
