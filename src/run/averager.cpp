// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run/averager.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <tessera/analysis/estimate.hpp>

namespace tessera::program {
namespace {

using analysis::TimeAverages;
using Function = std::function<double(std::span<const double>)>;

/// Whether an observable is an even power of another one: its slow fluctuations are harder to detect.
bool is_power(const std::string& name, const std::string& of) {
  return name == of + "_abs" || name == of + "_2" || name == of + "_4";
}

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
  if (simulation_.steady(name)) {
    if (counts(times)) add(name, unit, times[0], row);
  } else if (is_slow_mode(name)) {
    if (counts(times)) tested_only_.try_emplace(name, row.size()).first->second.add(times[0], row);
  } else if (const RateOfCounter rate = simulation_.rate_of_counter(name); rate.per > 0) {
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
      add(*rates_.insert(name + "_rate").first, rate.unit, times[0], rates);
  }
  last = {{times.begin(), times.end()}, {row.begin(), row.end()}};
}

void Averager::add(const std::string& name, const std::string& unit, double time, std::span<const double> row) {
  series_.try_emplace(name, Series{unit, analysis::TimeAverages(row.size())}).first->second.averages.add(time, row);
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
      if (one[0] == 0) incomplete_[q].clear();
      incomplete_[q].push_back(of_row(one));
      if (incomplete_[q].size() < replicas) continue;
      if (mean)
        tested_only_.try_emplace(name, replicas).first->second.add(one[1], incomplete_[q]);
      else
        add(name, unit, one[1], incomplete_[q]);
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
            file.read_rows<double>(group + "/" + name, first, std::min(numbers_at_once, rows - first)));
      add(part, replicas_of_samples);
    }
  }
  if (std::isinf(from_.time) || !file.has("/observables")) return;
  for (const std::string& name : file.names("/observables")) {
    if (!simulation_.steady(name) && !is_slow_mode(name) && !(simulation_.rate_of_counter(name).per > 0)) continue;
    const std::string group = "/observables/" + name, value = group + "/value";
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

io::Averages Averager::averages() const {
  io::Averages result{from_.time};
  result.from_is_chosen = from_.is_chosen;
  // The first rows of a file from an earlier version lack some observables.
  for (const auto& [name, series] : series_) result.rows = std::max(result.rows, series.averages.rows());
  std::map<std::string, Series> complete;
  std::map<std::string, Stationarity> tested;
  for (const auto& [name, series] : series_)
    if (series.averages.rows() == result.rows) complete.emplace(name, series);
  if (from_.is_chosen) {
    for (const auto& [name, series] : complete) {
      const auto settled = series.averages.settled_after(from_.time);
      result.from = std::max(result.from, settled.after);
      if (settled.at_bound) tested[name].least = TestResult::none_found;
    }
    for (auto& [name, series] : complete) {
      series.averages = series.averages.after(result.from);
      result.rows = series.averages.rows();
    }
  }
  for (const auto& quantity : sample_table_.quantities)
    if (const auto found = tested_only_.find(quantity.name); found != tested_only_.end())
      result.stationarity.emplace_back(quantity.name, found->second.after(result.from).stationarity(quantity.mean));
  const std::size_t replicas = complete.empty() ? 0 : complete.begin()->second.averages.replicas();
  if (result.rows * replicas < TimeAverages::fewest_samples) return result;
  for (const auto& [name, series] : complete) {
    const TestResult least = tested[name].least;
    (tested[name] = series.averages.stationarity()).least = least;
  }
  // Observables that depend on others: rates, powers, and functions of averages.
  TestResult of_all = TestResult::stationary, of_functions = of_all;
  for (const auto& [name, one] : tested) {
    if (!rates_.contains(name)) of_all = std::max(of_all, one.result());
    const bool is_base = std::ranges::any_of(tested, [&](const auto& other) { return is_power(other.first, name); });
    if (one.is_short() && !is_base) of_functions = TestResult::too_short;
  }
  for (auto& [name, one] : tested) {
    if (rates_.contains(name)) one.least = std::max(one.least, of_all);
    for (const auto& [other, of] : tested)
      if (is_power(name, other) && of.is_short(Stationarity::fewest_times / 2))
        one.least = std::max(one.least, TestResult::too_short);
  }
  // And observables that share the slow fluctuations of another one, through a significant correlation.
  for (const auto slow = tested; auto& [name, one] : tested)
    for (const auto& [other, of] : slow) {
      if (other == name || of.result() != TestResult::too_short) continue;
      const double square = std::pow(complete.at(name).averages.correlation(complete.at(other).averages), 2);
      if (4 * square * of.autocorrelation_rows > one.autocorrelation_rows &&
          square * static_cast<double>(result.rows * replicas) > 4 * one.autocorrelation_rows)
        one.least = std::max(one.least, TestResult::too_short);
    }
  for (const auto& [name, series] : complete) {
    const auto [mean, error] = series.averages.estimate(tested[name]);
    result.observables.push_back({name, series.unit, mean, error, 0, 0, {}});
    if (series.averages.replicas() > 1) result.observables.back().values = series.averages.means();
  }
  for (const auto& [name, unit, of, value] : simulation_.functions_of_averages()) {
    if (std::ranges::any_of(of, [&](const std::string& one) { return !complete.contains(one); })) continue;
    std::vector<double> means;
    std::vector<std::vector<double>> of_replicas;
    std::vector<const TimeAverages*> series;
    for (const std::string& one : of) {
      series.push_back(&complete.at(one).averages);
      means.push_back(series.back()->mean());
      of_replicas.push_back(series.back()->means());
    }
    // To first order in the deviations of rows from the means.
    const auto linear = TimeAverages::weighted(series, gradient(value, means));
    Stationarity& one = tested[name] = linear.stationarity();
    const double at_means = value(means), offset = at_means - linear.mean();
    one.first += offset;
    one.second += offset;
    one.least = of_functions;
    for (const std::string& argument : of) one.least = std::max(one.least, tested[argument].result());
    const double error =
        linear.has_error_of_scatter(one) ? analysis::jackknife_error(of_replicas, value) : linear.estimate(one).error;
    result.observables.push_back({name, unit, linear.is_rounding(at_means) ? 0 : at_means, error, 0, 0, {}});
  }
  for (io::Average& one : result.observables) {
    const Stationarity& found = tested[one.name];
    one.tau = found.autocorrelation_time();
    one.tau_error = found.autocorrelation_time_error();
    result.stationarity.emplace_back(one.name, found);
  }
  return result;
}

}  // namespace tessera::program
