// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "results.hpp"

#include <algorithm>

namespace tessera::perf {
namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

Result median_of(const Case& c, const std::vector<Repetition>& repetitions) {
  Result r;
  r.what = c;
  r.repetitions = static_cast<int>(repetitions.size());
  std::vector<double> rates;
  for (const Repetition& one : repetitions) rates.push_back(one.items / one.seconds * c.unit.per_second);
  r.rate = median(rates);
  r.least = *std::min_element(rates.begin(), rates.end());
  r.most = *std::max_element(rates.begin(), rates.end());
  r.figures = repetitions.front().figures;
  for (std::size_t i = 0; i < r.figures.size(); ++i) {
    std::vector<double> values;
    for (const Repetition& one : repetitions) values.push_back(one.figures[i].value);
    r.figures[i].value = median(values);
  }
  return r;
}

}  // namespace

bool Result::has(const std::string& figure) const {
  return std::any_of(figures.begin(), figures.end(), [&](const Figure& f) { return figure == f.name; });
}

double Result::figure(const std::string& name) const {
  for (const Figure& f : figures)
    if (name == f.name) return f.value;
  return 0;
}

void Results::add(const Case& c, const Repetition& repetition) {
  if (cases_.empty() || cases_.back().what.name != c.name) cases_.push_back({c, {}, ""});
  cases_.back().of.push_back(repetition);
}

void Results::leave_out(const Case& c, const std::string& why, bool failed) { cases_.push_back({c, {}, why, failed}); }

void Results::conclude() {
  results_.clear();
  for (const Repetitions& c : cases_) {
    if (c.left_out.empty()) {
      results_.push_back(median_of(c.what, c.of));
    } else {
      results_.push_back({});
      results_.back().what = c.what;
      results_.back().left_out = c.left_out;
      results_.back().failed = c.failed;
    }
  }
  for (Result& r : results_) {
    const auto multiple_of = [&](const std::string& name) {
      const Result* other = find(name);
      return r.measured() && other ? r.rate / other->rate : 0;
    };
    r.over_serial = multiple_of(r.what.on_serial);
    r.over_reference = multiple_of(r.what.reference);
  }
}

const Result* Results::find(const std::string& name) const {
  for (const Result& r : results_)
    if (r.what.name == name && r.measured()) return &r;
  return nullptr;
}

}  // namespace tessera::perf
