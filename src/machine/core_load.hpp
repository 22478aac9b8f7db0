// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tessera::program {

/// The time of cores, in seconds since the system started, as /proc/stat counts it.
struct CoreTime {
  double busy = 0;
  double all = 0;  ///< busy or not, of all cores together
  int cores = 0;
};

/// Of these cores, or of all if none are named; nothing if the system does not tell. `root` is where /proc lies.
std::optional<CoreTime> core_time(const std::vector<int>& cores, const std::filesystem::path& root = "/");

/// How many of the cores that this process may run on others keep busy, from its construction on.
class CoreLoad {
 public:
  CoreLoad();

  /// Waits until there has been time enough to tell. Nothing if the system does not tell.
  std::optional<double> others() const;

  /// The cores that this process may run on, 0 if the system does not tell.
  int cores() const { return before_ ? before_->cores : 0; }

 private:
  std::vector<int> cores_;
  std::optional<CoreTime> before_;
  double own_before_;
};

/// The busy cores between two readings, less what this process used itself, in seconds of a core's time.
std::optional<double> busy_cores(const CoreTime& before, const CoreTime& after, double own);

/// What to tell of a run with so many threads on so many cores of which others keep some busy; empty if they have room.
std::string crowded(int threads, int cores, double others);

}  // namespace tessera::program
