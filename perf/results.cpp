// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "results.hpp"

#include <algorithm>

namespace tessera::perf {

Result result_of(const Case& c, const Window& window, std::size_t bytes, double tiles) {
  const auto events = static_cast<double>(window.counts.events);
  const auto steps = static_cast<double>(window.counts.steps);  // of all replicas
  Result r{};
  r.what = c;
  r.repetitions = 1;
  r.events_per_second = r.least_events_per_second = r.most_events_per_second = events / window.seconds;
  r.bytes_per_site = static_cast<double>(bytes) / c.sites();
  if (steps > 0) {
    r.events_per_site_and_step = events * c.replicas / (c.sites() * steps);
    r.steps_per_second = steps / c.replicas / window.seconds;
    r.repaired_percent = 100 * static_cast<double>(window.counts.repaired) * c.replicas / (tiles * steps);
    r.rejected_percent = 100 * static_cast<double>(window.counts.rejected) / steps;
  }
  return r;
}

Result median_of(const std::vector<Result>& repetitions) {
  Result r = repetitions.front();
  const auto values = [&](double Result::*member) {
    std::vector<double> sorted;
    for (const Result& one : repetitions) sorted.push_back(one.*member);
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  };
  const auto take_median = [&](double Result::*member) {
    const std::vector<double> sorted = values(member);
    r.*member = (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
  };
  take_median(&Result::events_per_second);
  take_median(&Result::events_per_site_and_step);
  take_median(&Result::steps_per_second);
  take_median(&Result::repaired_percent);
  take_median(&Result::rejected_percent);
  r.least_events_per_second = values(&Result::least_events_per_second).front();
  r.most_events_per_second = values(&Result::most_events_per_second).back();
  r.repetitions = static_cast<int>(repetitions.size());
  return r;
}

void Results::add(const Result& repetition) {
  if (cases_.empty() || cases_.back().front().what.name() != repetition.what.name()) cases_.emplace_back();
  cases_.back().push_back(repetition);
}

void Results::leave_out(const Case& c, const std::string& why, bool failed) {
  Result r{};
  r.what = c;
  r.left_out = why;
  r.failed = failed;
  cases_.push_back({r});
}

std::vector<Result> Results::all() const {
  std::vector<Result> results;
  for (const auto& repetitions : cases_) results.push_back(median_of(repetitions));
  for (Result& r : results) {
    const auto multiple_of = [&](const Case& other) {
      const Result* slow = find(results, other.name());
      return slow && r.left_out.empty() ? r.events_per_second / slow->events_per_second : 0.0;
    };
    if (r.what.method == kmc::Method::tile) r.over_serial = multiple_of(r.what.on("Serial"));
    r.over_bkl = multiple_of(r.what.with(kmc::Method::bkl));
  }
  return results;
}

const Result* find(const std::vector<Result>& results, const std::string& name) {
  for (const Result& r : results)
    if (r.what.name() == name && r.left_out.empty()) return &r;
  return nullptr;
}

}  // namespace tessera::perf
