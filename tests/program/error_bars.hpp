// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iostream>
#include <map>
#include <span>
#include <string>
#include <tessera/analysis/moments.hpp>
#include <tessera/io/input_file.hpp>
#include <vector>

#include "run/averager.hpp"
#include "tests/program/averaged_quantities.hpp"

namespace tessera::testing {

/// How the errors of averages compare with deviations: of averages with the result `stationary`, and of the others.
struct ErrorBars {
  double errors = 0, deviations = 0, beyond = 0, count = 0;

  void add(double deviation, double error) {
    errors += error * error;
    deviations += deviation * deviation;
    beyond += std::abs(deviation) > 2 * error;
    ++count;
  }
  double ratio() const { return std::sqrt(errors / deviations); }
};
using BarsOfAverages = std::map<std::string, std::map<bool, ErrorBars>>;

/// Observables of the Ising model, and functions of their averages with N sites.
inline const std::vector<std::string> names_of_ising{"energy",          "magnetisation",   "magnetisation_abs",
                                                     "magnetisation_2", "magnetisation_4", "energy_2"};
inline std::vector<analysis::FunctionOfMeans> functions_of_ising(double coupling, double sites) {
  const auto variance = [](double factor) {
    return [factor](std::span<const double> mean) { return factor * (mean[1] - mean[0] * mean[0]); };
  };
  return {{"binder_cumulant",
           "",
           {"magnetisation_2", "magnetisation_4"},
           [](std::span<const double> mean) { return 1 - mean[1] / (3 * mean[0] * mean[0]); }},
          {"susceptibility", "1/J", {"magnetisation_abs", "magnetisation_2"}, variance(coupling * sites)},
          {"specific_heat", "k_B", {"energy", "energy_2"}, variance(coupling * coupling * sites)}};
}

/// Rows of a run: their times, and of each quantity the values of all replicas, row by row.
struct Rows {
  std::vector<double> times;
  std::map<std::string, std::vector<double>> values = {};
};

inline Rows rows_of(const io::InputFile& file, const std::vector<std::string>& names) {
  Rows rows{file.read<double>("/observables/" + names[0] + "/time")};
  for (const auto& name : names) rows.values[name] = file.read<double>("/observables/" + name + "/value");
  return rows;
}

/// The averages over rows in (from, to] of groups of `replicas` of the replicas in a file, as the program has them,
/// against those of all replicas. At most `most` groups.
inline BarsOfAverages bars_of(const Rows& rows, const std::vector<analysis::FunctionOfMeans>& functions, double from,
                              double to, std::size_t replicas, std::size_t most) {
  const auto& [times, values] = rows;
  const std::size_t all = values.begin()->second.size() / times.size();
  const auto averages_of = [&](std::size_t first, std::size_t count) {
    AveragedQuantities quantities;
    quantities.functions_of_means = functions;
    program::Averager averager(from, quantities);
    for (std::size_t i = 0; i < times.size(); ++i)
      for (const auto& [name, of_one] : values)
        if (const double* row = &of_one[i * all + first]; times[i] <= to)
          averager.add(Observable{name, "", {row, row + count}}, {times[i]});
    return averager.averages();
  };
  std::map<std::string, double> exact;
  for (const auto& one : averages_of(0, all).observables) exact[one.name] = one.mean;
  BarsOfAverages bars;
  for (std::size_t group = 0; group < std::min(most, all / replicas); ++group) {
    const io::Averages found = averages_of(group * replicas, replicas);
    for (std::size_t i = 0; i < found.observables.size(); ++i) {
      const auto& one = found.observables[i];
      const bool stationary = found.stationarity[i].second.result == TestResult::stationary;
      if (!std::isnan(one.error)) bars[one.name][stationary].add(one.mean - exact.at(one.name), one.error);
    }
  }
  for (const auto& [name, by] : bars)
    for (const auto& [stationary, one] : by)
      std::cout << replicas << " replicas, " << name << (stationary ? ", stationary: " : ", others: ") << one.count
                << " averages, errors over deviations " << one.ratio() << ", beyond two " << one.beyond / one.count
                << "\n";
  return bars;
}

}  // namespace tessera::testing
