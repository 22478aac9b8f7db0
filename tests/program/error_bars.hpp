// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <map>
#include <span>
#include <string>
#include <tessera/analysis/moments.hpp>
#include <tessera/io/input_file.hpp>
#include <vector>

#include "run/averager.hpp"
#include "tests/program/averaged_quantities.hpp"

namespace tessera::testing {

/// How the errors of averages compare with their deviations from the truth, whose variance is known.
struct ErrorBars {
  double variance, errors = 0, sum = 0, within = 0, known = 0;

  void add(double deviation, double error) {
    errors += error * error;
    sum += deviation;
    within += std::abs(deviation) <= 2 * error;
    ++known;
  }
  double ratio() const { return std::sqrt(errors / known / variance); }
  double bias() const { return sum / known / std::sqrt(variance); }  ///< in standard deviations
};

/// Of all averages that have errors, and of those that pass the tests.
struct BarsOfAverage {
  ErrorBars all{}, passing{};
  double count = 0;  ///< of averages, with those without an error

  double with_errors() const { return all.known / count; }
  double passed() const { return passing.known / count; }
};
using BarsOfAverages = std::map<std::string, BarsOfAverage>;

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
/// against those of all replicas. At most `most` groups. Their variance is that of the averages of single replicas,
/// which are more than groups and independent, over the number in a group.
inline BarsOfAverages bars_of(const Rows& rows, const AveragedQuantities& quantities, double from, double to,
                              std::size_t replicas, std::size_t most) {
  const auto& [times, values] = rows;
  const std::size_t all = values.begin()->second.size() / times.size();
  const auto averages_of = [&](std::size_t first, std::size_t count) {
    program::Averager averager(from, quantities);
    for (std::size_t i = 0; i < times.size(); ++i)
      for (const auto& [name, of_one] : values)
        if (const double* row = &of_one[i * all + first]; times[i] <= to)
          averager.add(Observable{name, "", {row, row + count}}, {times[i]});
    return averager.averages();
  };
  std::map<std::string, double> exact;
  for (const auto& one : averages_of(0, all).observables) exact[one.name] = one.mean;
  std::map<std::string, std::vector<double>> single;
  for (std::size_t replica = 0; replica < all; ++replica)
    for (const auto& one : averages_of(replica, 1).observables) single[one.name].push_back(one.mean);
  BarsOfAverages bars;
  for (const auto& [name, means] : single) {
    const double error = analysis::mean_with_scatter(means).error;
    const double variance = error * error * static_cast<double>(all) / static_cast<double>(replicas);
    bars[name] = {{variance}, {variance}};
  }
  for (std::size_t group = 0; group < std::min(most, all / replicas); ++group) {
    const io::Averages found = averages_of(group * replicas, replicas);
    std::map<std::string, TestResult> results;
    for (const auto& [name, tested] : found.stationarity) results[name] = tested.result;
    for (const auto& one : found.observables) {
      BarsOfAverage& its = bars[one.name];
      ++its.count;
      if (std::isnan(one.error)) continue;
      its.all.add(one.mean - exact.at(one.name), one.error);
      if (results[one.name] == TestResult::stationary) its.passing.add(one.mean - exact.at(one.name), one.error);
    }
  }
  for (const auto& [name, one] : bars)
    std::printf("| `%s` | %zu | %.2f, %.0f %%, %+.2f | %.2f, %.0f %%, %+.2f | %.2f | %.2f |\n", name.c_str(), replicas,
                one.all.ratio(), 100 * one.all.within / one.all.known, one.all.bias(), one.passing.ratio(),
                100 * one.passing.within / one.passing.known, one.passing.bias(), one.passed(), 1 - one.with_errors());
  return bars;
}

}  // namespace tessera::testing
