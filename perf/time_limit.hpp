// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace tessera::perf {

/// A case would take longer than its time limit. The message gives the step that takes too long.
class DoesNotFit : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin_ = Clock::now();
};

/// Time limit of one case, from construction: preparation and repetitions.
class TimeLimit {
 public:
  explicit TimeLimit(double seconds) : seconds_(seconds) {}

  /// Throws DoesNotFit if the case would take `seconds` more and exceed the limit.
  void need(double seconds, const std::string& what) const {
    const double left = seconds_ - clock_.seconds();
    if (seconds <= left) return;
    char text[160];
    std::snprintf(text, sizeof text, "%s would take at least %.2g s more, but %.2g s of %.2g s are left", what.c_str(),
                  seconds, std::max(left, 0.0), seconds_);
    throw DoesNotFit(text);
  }

 private:
  double seconds_;
  Stopwatch clock_;
};

}  // namespace tessera::perf
