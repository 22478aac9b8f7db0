// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>

namespace tessera::program {

struct RunOptions;

/// How far a run is.
struct Advancement {
  double time = 0;       ///< simulated
  double fraction = 0;   ///< of the goal, 0 to 1
  double rate = 0;       ///< work per wall second, of this call of the program
  double seconds = 0;    ///< of wall time since the run began
  double completed = 0;  ///< the part of `fraction` that this call of the program did
};

enum class ProgressStyle {
  silent,
  line,   ///< one line, written over and over, for a terminal
  lines,  ///< a line at 10 % steps or after a minute, at most one in 10 s, for a log
};

/// As the options say; of itself a line on a terminal, and lines elsewhere.
ProgressStyle progress_style(const RunOptions& run);

/// Shows on `stream` how far the run is: rate in the method's unit, fraction, time left.
class Progress {
 public:
  Progress(ProgressStyle style, std::ostream& stream, std::string rate_unit);

  /// Wall seconds after which there is something to show again; infinite when there never is.
  double interval() const;

  void show(const Advancement& now);

  /// Leaves the terminal with an empty line.
  void clear();

 private:
  ProgressStyle style_;
  std::ostream& stream_;
  std::string rate_unit_;
  std::size_t shown_width_ = 0;
  double last_seconds_ = 0;
  double last_fraction_ = 0;
};

}  // namespace tessera::program
