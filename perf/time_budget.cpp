// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "time_budget.hpp"

#include <algorithm>
#include <cstdio>

namespace tessera::perf {

double TimeBudget::window(double longest, int repetitions) const {
  return std::min(longest, 0.6 * share() / repetitions);
}

void TimeBudget::begin_case() {
  const double now = clock_.seconds();
  case_end_ = now + std::max(seconds_ - now, 0.0) / std::clamp(cases_left_, 1, 2);
  --cases_left_;
}

void TimeBudget::need(double seconds, const std::string& what) const {
  const double left = case_end_ - clock_.seconds();
  if (seconds <= left) return;
  char text[160];
  std::snprintf(text, sizeof text, "%s would take %.2g s, and it has %.2g s", what.c_str(), seconds,
                std::max(left, 0.0));
  throw DoesNotFit(text);
}

double TimeBudget::predict(const std::string& what, double sites) const {
  const auto known = seconds_a_site_.find(what);
  return known == seconds_a_site_.end() ? 0 : known->second * sites;
}

}  // namespace tessera::perf
