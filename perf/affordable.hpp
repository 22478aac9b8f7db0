// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <chrono>
#include <map>
#include <stdexcept>
#include <string>

#include "cases.hpp"

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

/// Shares the time given for the run out among its cases, and foretells from smaller lattices what a larger one takes.
class Affordable {
 public:
  /// `seconds` for `cases` cases.
  Affordable(double seconds, int cases) : seconds_(seconds), cases_(cases > 0 ? cases : 1), cases_left_(cases_) {}

  /// Even share of a case, in seconds.
  double share() const { return seconds_ / cases_; }

  /// A case begins: what it may take is half of the time left, or all if it is the last.
  void begin_case();
  /// Throws DoesNotFit if the case would take `seconds` more, from now on.
  void need(double seconds, const std::string& what) const;

  /// Something done by `c`'s method on its space took so many seconds a site. Forgets it of a GPU and of small
  /// lattices, where launches take most of the time: a larger lattice takes far less a site.
  void learn(const std::string& what, const Case& c, double seconds_a_site);
  /// What it will take for this case, in seconds; 0 if nothing is known.
  double foretell(const std::string& what, const Case& c) const;

 private:
  static std::string key(const std::string& what, Case c);

  double seconds_;
  int cases_, cases_left_;
  double case_end_ = 0;
  Stopwatch clock_;
  std::map<std::string, double> seconds_a_site_;
};

}  // namespace tessera::perf
