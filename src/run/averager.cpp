// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/averager.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace tessera::program {
namespace {

using Function = std::function<double(std::span<const double>)>;

/// Partial derivatives of function(means), from central differences.
std::vector<double> gradient(const Function& function, std::vector<double> means) {
  std::vector<double> derivatives;
  for (double& mean : means) {
    const double at = mean, step = 1e-5 * (at == 0 ? 1 : std::abs(at));
    mean = at + step;
    const double above = function(means);
    mean = at - step;
    derivatives.push_back((above - function(means)) / (2 * step));
    mean = at;
  }
  return derivatives;
}

/// Of function(means of the series), to first order in the deviations of rows from the means.
Stationarity linearized_stationarity(const Function& function, const std::vector<double>& means,
                                     const std::vector<const analysis::TimeAverages*>& series) {
  const auto linear = analysis::TimeAverages::weighted(series, gradient(function, means));
  Stationarity result = linear.stationarity();
  const double offset = function(means) - linear.mean();
  result.first += offset;
  result.second += offset;
  return result;
}

}  // namespace

Averager::Averager(const AverageFrom& from, std::function<bool(const std::string&)> steady,
                   std::function<RateOfCounter(const std::string&)> rate_of_counter,
                   std::vector<analysis::FunctionOfMeans> functions, SimulationInterface::SampleTable samples)
    : from_(from),
      steady_(std::move(steady)),
      rate_of_counter_(std::move(rate_of_counter)),
      functions_(std::move(functions)),
      sample_table_(std::move(samples)) {}

bool Averager::counts(std::span<const double> times) const {
  return std::ranges::all_of(times, [&](double time) { return time > from_.time && time == times[0]; });
}

void Averager::add(const Observable& measured, const std::vector<double>& times) {
  if (!std::isinf(from_.time)) add(measured.name, measured.unit, times, measured.values);
}

void Averager::add(const std::string& name, const std::string& unit, std::span<const double> times,
                   std::span<const double> row) {
  if (steady_(name)) {
    if (counts(times)) add(name, unit, times[0], row);
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
      add(name + "_rate", rate.unit, times[0], rates);
  }
  last = {{times.begin(), times.end()}, {row.begin(), row.end()}};
}

void Averager::add(const std::string& name, const std::string& unit, double time, std::span<const double> row) {
  series_.try_emplace(name, Series{unit, analysis::TimeAverages(row.size())}).first->second.averages.add(time, row);
}

void Averager::add(const History& table, std::size_t replicas) {
  if (sample_table_.name.empty() || table.name != sample_table_.name) return;
  const auto column = [&](const std::string& name) -> const std::vector<double>& {
    return table.columns.at(static_cast<std::size_t>(std::ranges::find(table.names, name) - table.names.begin()));
  };
  const std::vector<double>&replica = column("replica"), &time = column(sample_table_.time_column);
  for (const auto& [name, mean] : sample_table_.quantities) {
    const std::vector<double>& values = column(name);
    std::vector<double>& row = incomplete_[name];
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (replica[i] == 0) row.clear();
      row.push_back(values[i]);
      if (row.size() == replicas) samples_.try_emplace(name, replicas).first->second.add(time[i], row);
    }
  }
}

void Averager::add(const io::InputFile& file, std::size_t replicas_of_samples, double end) {
  constexpr std::size_t numbers_at_once = 1 << 20;
  if (const std::string group = "/history/" + sample_table_.name; !sample_table_.name.empty() && file.has(group)) {
    History part{sample_table_.name, {"replica", sample_table_.time_column}, {}, {}};
    for (const auto& [name, mean] : sample_table_.quantities) part.names.push_back(name);
    const std::size_t rows = file.shape(group + "/replica").at(0);
    for (std::size_t first = 0; first < rows; first += numbers_at_once) {
      part.columns.clear();
      for (const std::string& name : part.names)
        part.columns.push_back(
            file.read_rows<double>(group + "/" + name, first, std::min(numbers_at_once, rows - first)));
      add(part, replicas_of_samples);
    }
  }
  if (std::isinf(from_.time) || !file.has("/observables")) return;
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
        if (times[row * apart] < end)
          add(name, unit, std::span(times).subspan(row * apart, apart),
              std::span(values).subspan(row * replicas, replicas));
    }
  }
}

io::Averages Averager::averages() const {
  io::Averages result{from_.time};
  result.from_is_chosen = from_.is_chosen;
  // The first rows of a file from an earlier version lack some observables.
  for (const auto& [name, series] : series_) result.rows = std::max(result.rows, series.averages.rows());
  std::map<std::string, Series> complete;
  for (const auto& [name, series] : series_)
    if (series.averages.rows() == result.rows) complete.emplace(name, series);
  if (from_.is_chosen) {
    for (const auto& [name, series] : complete)
      result.from = std::max(result.from, series.averages.settled_after(from_.time));
    for (auto& [name, series] : complete) {
      series.averages = series.averages.after(result.from);
      result.rows = series.averages.rows();
    }
  }
  for (const auto& [name, series] : complete) {
    const Stationarity judged = series.averages.stationarity();
    const auto [mean, error] = series.averages.estimate(judged.verdict());
    result.observables.push_back({name, series.unit, mean, error});
    if (series.averages.replicas() > 1) result.observables.back().values = series.averages.means();
    result.stationarity.emplace_back(name, judged);
  }
  for (const auto& [name, unit, of, value] : functions_) {
    if (std::ranges::any_of(of, [&](const std::string& one) { return !complete.contains(one); })) continue;
    std::vector<double> means;
    std::vector<std::vector<double>> samples;
    std::vector<const analysis::TimeAverages*> series;
    for (const std::string& one : of) {
      series.push_back(&complete.at(one).averages);
      means.push_back(series.back()->mean());
    }
    const Stationarity judged = linearized_stationarity(value, means, series);
    for (const auto* one : series) samples.push_back(one->samples(judged.verdict()));
    result.observables.push_back({name, unit, value(means), analysis::jackknife_error(samples, value)});
    result.stationarity.emplace_back(name, judged);
  }
  for (const auto& [name, mean] : sample_table_.quantities)
    if (const auto found = samples_.find(name); found != samples_.end())
      result.stationarity.emplace_back(name, found->second.stationarity(mean));
  return result;
}

}  // namespace tessera::program
