// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <tessera/analysis/estimate.hpp>
#include <tessera/analysis/time_averages.hpp>
#include <tessera/core/observable.hpp>
#include <tessera/io/average.hpp>
#include <tessera/io/input_file.hpp>
#include <vector>

#include "run/simulation_interface.hpp"

namespace tessera::program {

/// Means over the measurements after a time at which all replicas have the same time. Errors account for the
/// autocorrelation of measurements. Results depend on the rows of the output file only.
class Averager {
 public:
  using RateOfCounter = SimulationInterface::RateOfCounter;

  /// Averages measurements after `from`; infinity: none. `steady` returns whether the observable of a name is averaged.
  /// `rate_of_counter` returns the normalisation of a counter's rate, NAME_rate, the mean of its increments between
  /// measurements. `functions`
  /// of averages have jackknife errors.
  Averager(
      double from, std::function<bool(const std::string&)> steady,
      std::function<RateOfCounter(const std::string&)> rate_of_counter =
          [](const std::string&) { return RateOfCounter{}; },
      std::vector<analysis::FunctionOfMeans> functions = {});

  /// Adds a row.
  void add(const Observable& measured, const std::vector<double>& times);

  /// Adds the rows of a file. Throws InputError if they cannot be read.
  void add(const io::InputFile& file);

  io::Averages averages() const;

 private:
  struct Series {
    std::string unit;
    analysis::TimeAverages averages;
  };
  /// The last row of a counter.
  struct Counter {
    std::vector<double> times, values;
  };

  bool counts(std::span<const double> times) const;
  void add(const std::string& name, const std::string& unit, std::span<const double> times,
           std::span<const double> row);
  void add(const std::string& name, const std::string& unit, std::span<const double> row);
  void add_to_counter(const std::string& name, const RateOfCounter& rate, std::span<const double> times,
                      std::span<const double> row);

  double from_;
  std::function<bool(const std::string&)> steady_;
  std::function<RateOfCounter(const std::string&)> rate_of_counter_;
  std::vector<analysis::FunctionOfMeans> functions_;
  std::map<std::string, Series> series_;
  std::map<std::string, Counter> counters_;
};

}  // namespace tessera::program
