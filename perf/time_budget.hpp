// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <chrono>
#include <map>
#include <stdexcept>
#include <string>

namespace tessera::perf {

/// What a case would take does not fit into the time given for the run. The message says what.
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

/// Shares the time given for a method out among its cases, and predicts from smaller systems what a larger one takes.
class TimeBudget {
 public:
  /// `seconds`, from now on, for `cases` cases.
  TimeBudget(double seconds, int cases) : seconds_(seconds), cases_(cases > 0 ? cases : 1), cases_left_(cases_) {}

  /// Even share of a case, in seconds.
  double share() const { return seconds_ / cases_; }

  /// Length of a repetition: an even part of 0.6 shares, at most `longest` seconds.
  double window(double longest, int repetitions) const;

  /// A case begins: what it may take is half of the time left, or all if it is the last.
  void begin_case();
  /// Throws DoesNotFit if the case would take `seconds` more, from now on.
  void need(double seconds, const std::string& what) const;

  /// What took so many seconds a site (or disk).
  void learn(const std::string& what, double seconds_a_site) { seconds_a_site_[what] = seconds_a_site; }
  /// How long it will take for so many sites, in seconds; 0 if nothing is known.
  double predict(const std::string& what, double sites) const;

 private:
  double seconds_;
  int cases_, cases_left_;
  double case_end_ = 0;
  Stopwatch clock_;
  std::map<std::string, double> seconds_a_site_;
};

}  // namespace tessera::perf
