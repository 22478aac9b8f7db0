// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "machine/backend.hpp"

namespace tessera::program {

/// Size of the thread table in Kokkos' OpenMP backend, which does not check it.
inline constexpr int most_threads = 512;

/// Cores available to this process, or fewer if a control group limits its time.
int available_cores();

/// Number of OpenMP threads of a run: 1 on the serial backend; else `wanted`, the value of --threads, if it is not 0;
/// else KOKKOS_NUM_THREADS or OMP_NUM_THREADS; else available_cores(), divided if `ranks` processes of this node would
/// exceed its cores. Throws InputError above most_threads or OMP_THREAD_LIMIT, and for a variable without a number.
int choose_threads(Backend backend, int wanted, int ranks = 1);

/// Limits the busy-waiting of OpenMP threads. By default they spin for milliseconds before they sleep, which makes a
/// run ten times slower on cores that other programs use. This sets GNU's OpenMP to about 10 microseconds, unless
/// OMP_WAIT_POLICY or GOMP_SPINCOUNT is set. The runtime reads its environment before main(); if it must change, the
/// program restarts in this process, with the `arguments` of main(). Call it before any output or start of a library.
void wait_briefly(const std::vector<std::string>& arguments);

/// Time of the cores in seconds since the system started, from /proc/stat.
struct CoreTime {
  double busy = 0;
  double all = 0;  ///< total time of all cores
  int cores = 0;
};

/// Time of these cores, or of all if none are given; empty if not available. `root`: directory that contains /proc.
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

/// Warning for a run with this number of threads if other processes keep some of these cores busy; else empty.
std::string crowded(int threads, int cores, double others);

}  // namespace tessera::program
