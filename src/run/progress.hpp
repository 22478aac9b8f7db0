// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>

namespace tessera::program {

struct RunOptions;

/// Progress of a run.
struct Advancement {
  double time = 0;       ///< simulated
  double fraction = 0;   ///< completed part of the run, 0 to 1
  double rate = 0;       ///< work per wall second in this call of the program
  double seconds = 0;    ///< wall time since the run began
  double completed = 0;  ///< part of `fraction` completed by this call of the program
};

enum class ProgressStyle {
  silent,
  line,   ///< one line, overwritten, for a terminal
  lines,  ///< a line at 10 % steps or after a minute, at most one in 10 s, for a log
};

/// Style of the options; automatic: one line on a terminal, else several lines.
ProgressStyle progress_style(const RunOptions& run);

/// Shows the progress on `stream`: rate in the method's unit, fraction, time left.
class Progress {
 public:
  Progress(ProgressStyle style, std::ostream& stream, std::string rate_unit, std::string time_unit = "");

  /// Wall seconds until the next update; infinity if there is none.
  double interval() const;

  void show(const Advancement& now);

  /// Clears the line on a terminal.
  void clear();

 private:
  ProgressStyle style_;
  std::ostream& stream_;
  std::string rate_unit_, time_unit_;
  std::size_t shown_width_ = 0;
  double last_seconds_ = 0;
  double last_fraction_ = 0;
};

}  // namespace tessera::program
