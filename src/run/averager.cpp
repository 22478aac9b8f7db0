// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/averager.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace tessera::program {

Averager::Averager(double from, std::function<bool(const std::string&)> steady,
                   std::function<RateOfCounter(const std::string&)> rate_of_counter,
                   std::vector<analysis::FunctionOfMeans> functions)
    : from_(from),
      steady_(std::move(steady)),
      rate_of_counter_(std::move(rate_of_counter)),
      functions_(std::move(functions)) {}

bool Averager::counts(std::span<const double> times) const {
  return std::ranges::all_of(times, [&](double time) { return time > from_ && time == times[0]; });
}

void Averager::add(const Observable& measured, const std::vector<double>& times) {
  if (!std::isinf(from_)) add(measured.name, measured.unit, times, measured.values);
}

void Averager::add(const std::string& name, const std::string& unit, std::span<const double> times,
                   std::span<const double> row) {
  if (steady_(name)) {
    if (counts(times)) add(name, unit, row);
  } else if (const RateOfCounter rate = rate_of_counter_(name); rate.per > 0) {
    add_to_counter(name, rate, times, row);
  }
}

void Averager::add_to_counter(const std::string& name, const RateOfCounter& rate, std::span<const double> times,
                              std::span<const double> row) {
  Counter& last = counters_[name];
  const auto of = [](const auto& all, std::size_t replica) { return all[all.size() == 1 ? 0 : replica]; };
  if (counts(times) && !last.values.empty()) {
    std::vector<double> rates;
    for (std::size_t r = 0; r < row.size(); ++r)
      rates.push_back((row[r] - last.values[r]) / (of(times, r) - of(last.times, r)) / rate.per);
    if (std::ranges::all_of(rates, [](double one) { return std::isfinite(one); }))
      add(name + "_rate", rate.unit, rates);
  }
  last = {{times.begin(), times.end()}, {row.begin(), row.end()}};
}

void Averager::add(const std::string& name, const std::string& unit, std::span<const double> row) {
  series_.try_emplace(name, Series{unit, analysis::TimeAverages(row.size())}).first->second.averages.add(row);
}

void Averager::add(const io::InputFile& file) {
  if (std::isinf(from_) || !file.has("/observables")) return;
  constexpr std::size_t numbers_at_once = 1 << 20;
  for (const std::string& name : file.names("/observables")) {
    if (!steady_(name) && !(rate_of_counter_(name).per > 0)) continue;
    const std::string group = "/observables/" + name, value = group + "/value";
    const std::string unit = file.has_attribute(value, "unit") ? file.text_attribute(value, "unit") : "";
    const auto shape = file.shape(value);
    const std::size_t rows = shape.at(0), replicas = shape.size() > 1 ? shape[1] : 1;
    const std::size_t apart = file.shape(group + "/time").size() > 1 ? replicas : 1;
    const std::size_t batch = std::max<std::size_t>(1, numbers_at_once / std::max<std::size_t>(1, replicas));
    for (std::size_t first = 0; first < rows; first += batch) {
      const std::size_t count = std::min(batch, rows - first);
      const auto times = file.read_rows<double>(group + "/time", first, count);
      const auto values = file.read_rows<double>(value, first, count);
      for (std::size_t row = 0; row < count; ++row)
        add(name, unit, std::span(times).subspan(row * apart, apart),
            std::span(values).subspan(row * replicas, replicas));
    }
  }
}

io::Averages Averager::averages() const {
  io::Averages result{from_};
  for (const auto& [name, series] : series_) result.rows = std::max(result.rows, series.averages.rows());
  // The first rows of a file from an earlier version lack some observables.
  const auto complete = [&](const std::string& name) {
    const auto found = series_.find(name);
    return found != series_.end() && found->second.averages.rows() == result.rows ? &found->second : nullptr;
  };
  for (const auto& [name, series] : series_) {
    if (complete(name) == nullptr) continue;
    const auto [mean, error] = series.averages.estimate();
    result.observables.push_back({name, series.unit, mean, error});
    if (series.averages.replicas() > 1) result.observables.back().values = series.averages.means();
  }
  for (const auto& [name, unit, of, value] : functions_) {
    if (std::ranges::any_of(of, [&](const std::string& one) { return complete(one) == nullptr; })) continue;
    std::vector<double> means;
    std::vector<std::vector<double>> samples;
    for (const std::string& one : of) {
      means.push_back(complete(one)->averages.mean());
      samples.push_back(complete(one)->averages.samples());
    }
    result.observables.push_back({name, unit, value(means), analysis::jackknife_error(samples, value)});
  }
  return result;
}

}  // namespace tessera::program
