// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/averager.hpp"

#include <algorithm>
#include <cmath>
#include <tessera/analysis/estimate.hpp>

namespace tessera::program {
namespace {

using analysis::TimeAverages;

/// Whether an observable relaxes as slowly as any average does.
bool relaxes_slowly(const std::string& name) {
  return name == "roughness" || name == "magnetisation" || name == "order" || name.starts_with("coverage");
}

}  // namespace

bool Averager::counts(std::span<const double> times) const {
  return std::ranges::all_of(times, [&](double time) { return time > from_.time && time == times[0]; });
}

bool Averager::is_slow_mode(const std::string& name) const {
  return std::ranges::any_of(slow_modes_, [&](const auto& one) { return std::ranges::count(one.of, name) > 0; });
}

void Averager::add(const Observable& measured, const std::vector<double>& times) {
  if (!std::isinf(from_.time)) add(measured.name, measured.unit, times, measured.values);
}

void Averager::add(const std::string& name, const std::string& unit, std::span<const double> times,
                   std::span<const double> row) {
  const bool is_slow = is_slow_mode(name), is_averaged = !is_slow && simulation_.steady(name);
  if (is_averaged || is_slow) {
    if (counts(times)) series_of(name, unit, row.size(), is_averaged).add(times[0], row);
  } else if (const RateOfCounter rate = simulation_.rate_of_counter(name); rate.per > 0) {
    add_to_counter(name, rate, times, row);
  }
}

void Averager::add_to_counter(const std::string& name, const RateOfCounter& rate, std::span<const double> times,
                              std::span<const double> row) {
  Counter& last = counters_[name];
  if (counts(times) && !last.values.empty()) {
    const double begin = analysis::mean_with_scatter(last.times).value;
    std::vector<double> growth;
    for (std::size_t r = 0; r < row.size(); ++r) {
      const double before = last.times[last.times.size() == 1 ? 0 : r], span = times[0] - before;
      growth.push_back((row[r] - last.values[r]) * (before == begin ? 1 : span > 0 ? (times[0] - begin) / span : 0));
    }
    const Series its{rate.unit, TimeAverages(row.size(), rate.per, begin), true};
    series_.try_emplace(name + "_rate", its).first->second.averages.add(times[0], growth);
  }
  last = {{times.begin(), times.end()}, {row.begin(), row.end()}};
}

TimeAverages& Averager::series_of(const std::string& name, const std::string& unit, std::size_t replicas,
                                  bool is_averaged) {
  return series_.try_emplace(name, Series{unit, TimeAverages(replicas), is_averaged}).first->second.averages;
}

void Averager::add(const History& table, std::size_t replicas) {
  if (sample_table_.name.empty() || table.name != sample_table_.name) return;
  std::vector<double> one(table.columns.size());
  incomplete_.resize(sample_table_.quantities.size());
  for (std::size_t i = 0; i < table.columns[0].size(); ++i) {
    for (std::size_t c = 0; c < one.size(); ++c) one[c] = table.columns[c][i];
    if (!counts(std::span(one).subspan(1, 1))) continue;
    for (std::size_t q = 0; q < incomplete_.size(); ++q) {
      const auto& [name, unit, of_row, mean] = sample_table_.quantities[q];
      const double value = of_row(one);
      if (std::isnan(value)) continue;  // of an earlier version
      if (one[0] == 0) incomplete_[q].clear();
      incomplete_[q].push_back(value);
      if (incomplete_[q].size() < replicas) continue;
      series_of(name, unit, replicas, !mean).add(one[1], incomplete_[q]);
    }
  }
}

void Averager::add(const io::InputFile& file, std::size_t replicas_of_samples, double end) {
  constexpr std::size_t numbers_at_once = 1 << 20;
  if (const std::string group = "/history/" + sample_table_.name; !sample_table_.name.empty() && file.has(group)) {
    History part{sample_table_.name, sample_table_.columns, {}, {}};
    const std::size_t rows = file.shape(group + "/replica").at(0);
    for (std::size_t first = 0; first < rows; first += numbers_at_once) {
      part.columns.clear();
      for (const std::string& name : part.names)
        part.columns.push_back(
            file.has(group + "/" + name)
                ? file.read_rows<double>(group + "/" + name, first, std::min(numbers_at_once, rows - first))
                : std::vector(std::min(numbers_at_once, rows - first), std::nan("")));
      add(part, replicas_of_samples);
    }
  }
  if (std::isinf(from_.time)) return;
  std::vector<std::string> measured;
  for (const std::string parent : {"/observables", "/slow_modes"})
    if (file.has(parent))
      for (const std::string& name : file.names(parent)) measured.push_back(parent + "/" + name);
  for (const std::string& group : measured) {
    const std::string name = group.substr(group.rfind('/') + 1), value = group + "/value";
    if (!simulation_.steady(name) && !is_slow_mode(name) && !(simulation_.rate_of_counter(name).per > 0)) continue;
    const std::string unit = file.unit(value);
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

void Averager::leave_out_until(double time) {
  from_.time = std::max(from_.time, time);
  series_.clear();
}

std::pair<double, std::string> Averager::slowest(const std::map<std::string, analysis::Window>& windows) const {
  auto modes = slow_modes_;
  SimulationInterface::SlowMode by_symmetry{"", {}, 1};
  for (const auto& quantity : sample_table_.quantities)
    if (quantity.mean && !is_slow_mode(quantity.name)) by_symmetry.of.push_back(quantity.name);
  for (const std::string& one : by_symmetry.of) by_symmetry.name += (by_symmetry.name.empty() ? "" : ", ") + one;
  modes.push_back(by_symmetry);
  for (const auto& [name, window] : windows)
    if (relaxes_slowly(name) && !is_slow_mode(name)) modes.push_back({name, {name}, 1});
  std::pair<double, std::string> found;
  for (const auto& mode : modes) {
    analysis::SlowSeries series{{}, 1, mode.slower};
    double count = 0;
    for (const std::string& one : mode.of)
      if (const auto at = windows.find(one); at != windows.end()) {
        series.deviations.push_back(at->second.bins);
        series.replicas = at->second.replicas();
        count = static_cast<double>(at->second.count());
      }
    if (!(count > 0)) continue;
    const bool has_few = count < analysis::fewest_rows(series.replicas, mode.slower);
    found = std::max(found, {analysis::missing_length(series), has_few ? "" : mode.name});
  }
  return found;
}

io::Averages Averager::averages() const {
  io::Averages result{from_.time};
  result.from_is_chosen = from_.is_chosen;
  // The first rows of a file from an earlier version lack some observables.
  for (const auto& [name, one] : series_)
    if (one.is_averaged) result.rows = std::max(result.rows, one.averages.rows());
  std::map<std::string, analysis::Window> windows;
  std::map<std::string, analysis::TestedMean> found;
  for (const double part : from_.is_chosen ? std::vector{0.25, 0.5} : std::vector{0.0}) {
    bool drifts = false;
    for (const auto& [name, one] : series_) {
      if (one.averages.rows() != result.rows && one.is_averaged) continue;
      const auto& window = windows[name] = one.averages.last_part(part);
      const auto& mean = found[name] = tested_mean(window, name);
      drifts = drifts || (one.is_averaged && mean.drifts());
    }
    if (!drifts) break;
  }
  const auto is_average = [&](const std::string& name) {
    return windows.contains(name) && series_.at(name).is_averaged;
  };
  for (const auto& [name, window] : windows) {
    if (!is_average(name)) continue;
    const bool has_enough = static_cast<double>(window.rows * window.replicas()) >= TimeAverages::fewest_samples;
    result.rows = window.rows;
    if (from_.is_chosen) result.from = std::max(from_.time, window.begin);
    if (has_enough) result.observables.push_back({name, series_.at(name).unit});
    if (has_enough && window.replicas() > 1) result.observables.back().values = window.means;
  }
  for (const auto& function :
       result.observables.empty() ? std::vector<analysis::FunctionOfMeans>() : simulation_.functions_of_averages()) {
    if (!std::ranges::all_of(function.of, is_average)) continue;
    std::vector<const analysis::Window*> of;
    for (const std::string& one : function.of) of.push_back(&windows.at(one));
    found[function.name] = tested_mean(function, of);
    result.observables.push_back({function.name, function.unit});
  }
  const auto [longer, slow] = slowest(windows);
  for (auto& [name, one] : found) one.judge(longer, slow);
  for (const auto& quantity : sample_table_.quantities)
    if (quantity.mean && found.contains(quantity.name) && !is_slow_mode(quantity.name))
      result.stationarity.emplace_back(quantity.name, found[quantity.name].tested);
  for (io::Average& one : result.observables) {
    const auto& [value, error, tested, differ, replicas] = found.at(one.name);
    one.mean = value;
    one.error = error;
    one.tau = tested.autocorrelation_time;
    one.tau_error = tested.autocorrelation_time_error;
    result.stationarity.emplace_back(one.name, tested);
  }
  return result;
}

}  // namespace tessera::program
