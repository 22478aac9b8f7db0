// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tessera::program {

/// Time of the cores in seconds since the system started, from /proc/stat.
struct CoreTime {
  double busy = 0;
  double all = 0;  ///< total time of all cores
  int cores = 0;
};

/// Time of these cores, or of all if none are given; empty if not available. `root` is the directory that contains
/// /proc.
std::optional<CoreTime> core_time(const std::vector<int>& cores, const std::filesystem::path& root = "/");

/// Number of cores available to this process that other processes keep busy, averaged since construction.
class CoreLoad {
 public:
  CoreLoad();

  /// Waits until the measurement is long enough. Empty if not available.
  std::optional<double> others() const;

  /// The cores available to this process; 0 if unknown.
  int cores() const { return before_ ? before_->cores : 0; }

 private:
  std::vector<int> cores_;
  std::optional<CoreTime> before_;
  double own_before_;
};

/// Busy cores between two readings, without this process, whose core time is in seconds.
std::optional<double> busy_cores(const CoreTime& before, const CoreTime& after, double own);

/// Warning for a run with this number of threads on these cores, some of which other processes keep busy; empty if
/// enough cores are free.
std::string crowded(int threads, int cores, double others);

}  // namespace tessera::program
