// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "io/averages.hpp"

#include <algorithm>
#include <cmath>
#include <tessera/analysis/estimate.hpp>

#include "io/hdf5_dataset.hpp"
#include "io/names.hpp"

namespace tessera::io {
namespace {

void write_numbers(hid_t group, const char* name, const hdf5::Shape& shape, const double* numbers,
                   const std::string& unit) {
  hdf5::write_unit(hdf5::write_array(group, name, ElementType::float64, shape, numbers).get(), unit);
}

/// Removes what is not in `names`.
template <class Items, class Name>
void keep_only(hid_t group, const Items& items, Name name) {
  for (const auto& present : hdf5::names_in(group))
    if (std::ranges::find(items, present, name) == items.end()) hdf5::unlink(group, present);
}

void write_stationarity(hid_t file, const Averages& averages, const std::string& time_unit) {
  const auto& all = averages.stationarity;
  if (all.empty()) return hdf5::unlink_any(file, "stationarity");
  const auto group = hdf5::require_group(file, "stationarity");
  keep_only(group.get(), all, [](const auto& one) { return one.first; });
  for (const auto& [name, judged] : all) {
    require_name(name, "stationarity");
    const auto of_one = hdf5::require_group(group.get(), name);
    hdf5::write_attribute(of_one.get(), "verdict", std::string(verdict_text(judged.verdict())));
    hdf5::write_attribute(of_one.get(), "rows", ElementType::uint64, {}, &judged.rows);
    for (const auto& [of, number] : judged.numbers())
      hdf5::write_attribute(of_one.get(), of, ElementType::float64, {}, &number);
    if (!time_unit.empty()) hdf5::write_attribute(of_one.get(), "time_unit", time_unit);
  }
}

void write_observables(hid_t group, const Averages& averages, const std::string& time_unit) {
  write_numbers(group, "from", {}, &averages.from, time_unit);
  hdf5::write_attribute(group, "from_chosen_by", std::string(averages.from_is_chosen ? "MSER-5" : "user"));
  hdf5::write_array(group, "rows", ElementType::uint64, {}, &averages.rows);
  const auto observables = hdf5::require_group(group, "observables");
  keep_only(observables.get(), averages.observables, &Average::name);
  for (const Average& average : averages.observables) {
    require_name(average.name, "average");
    const auto of_one = hdf5::require_group(observables.get(), average.name);
    write_numbers(of_one.get(), "mean", {}, &average.mean, average.unit);
    write_numbers(of_one.get(), "error", {}, &average.error, average.unit);
    write_numbers(of_one.get(), "autocorrelation_time", {}, &average.tau, time_unit);
    write_numbers(of_one.get(), "autocorrelation_time_error", {}, &average.tau_error, time_unit);
    if (!average.values.empty())
      write_numbers(of_one.get(), "value", {average.values.size()}, average.values.data(), average.unit);
  }
}

/// With several replicas mean and error are those over the replicas; the error is larger by the uncertainty of so few
/// ones' scatter, as Autocorrelation::error_of_mean().
void write_function(hid_t group, const AveragedFunction& function, const std::string& time_unit) {
  const std::size_t count = function.arguments.at(0).values.size(), replicas = function.values.size() / count;
  std::vector<double> mean = function.values, error = function.errors;
  if (replicas > 1) {
    error.resize(count);
    std::vector<double> values(replicas);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t r = 0; r < replicas; ++r) values[r] = function.values[r * count + i];
      const auto estimate = analysis::mean_of(values);
      mean[i] = estimate.value;
      error[i] = estimate.error * std::sqrt(1 + 2 / (static_cast<double>(replicas) - 1));
    }
  }
  for (const auto& argument : function.arguments) {
    require_name(argument.name, "argument");
    write_numbers(group, argument.name.c_str(), {count}, argument.values.data(), argument.unit);
  }
  hdf5::write_attribute(group, "from", ElementType::float64, {}, &function.from);
  hdf5::write_attribute(group, "time_unit", time_unit);
  hdf5::write_attribute(group, "samples", ElementType::uint64, {}, &function.samples);
  write_numbers(group, "mean", {count}, mean.data(), function.unit);
  if (!error.empty()) write_numbers(group, "error", {count}, error.data(), function.unit);
  if (replicas > 1) write_numbers(group, "value", {replicas, count}, function.values.data(), function.unit);
}

}  // namespace

void write_averages(hid_t file, const Averages& averages, const std::string& time_unit) {
  write_stationarity(file, averages, time_unit);
  if (averages.observables.empty() && averages.functions.empty()) return hdf5::unlink_any(file, "averages");
  const auto group = hdf5::require_group(file, "averages");
  if (averages.observables.empty()) {
    for (const char* name : {"from", "rows", "observables"}) hdf5::unlink_any(group.get(), name);
  } else {
    write_observables(group.get(), averages, time_unit);
  }
  if (averages.functions.empty()) return hdf5::unlink_any(group.get(), "functions");
  const auto functions = hdf5::require_group(group.get(), "functions");
  keep_only(functions.get(), averages.functions, &AveragedFunction::name);
  for (const AveragedFunction& function : averages.functions) {
    require_name(function.name, "function");
    write_function(hdf5::require_group(functions.get(), function.name).get(), function, time_unit);
  }
}

}  // namespace tessera::io
