// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>

#include "progress.hpp"

namespace tessera::program {

/// How far the runs of a sweep are.
struct PointsDone {
  std::size_t finished = 0, running = 0, failed = 0;  ///< of this call
  double seconds_of_finished = 0;                     ///< what the finished ones took, added up
  double seconds = 0;                                 ///< of wall time
};

/// "12 of 36 points done, 4 running, 1 failed, 3 min 20 s left".
std::string describe(const PointsDone& now, std::size_t points);

/// Tells on `stream` how far a sweep is: one line for all of its runs.
class SweepProgress {
 public:
  SweepProgress(ProgressStyle style, std::ostream& stream, std::size_t points);
  void show(const PointsDone& now);
  void clear() { text_.clear(); }

 private:
  ProgressText text_;
  std::size_t points_;
  std::size_t last_ended_ = 0;
};

}  // namespace tessera::program
