// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <tessera/analysis/time_averages.hpp>
#include <tessera/core/observable.hpp>
#include <tessera/io/input_file.hpp>
#include <tessera/io/output_file.hpp>
#include <tessera/simulation/simulation_interface.hpp>
#include <vector>

#include "run/schedule.hpp"

namespace tessera::program {

/// Means over the measurements after a time at which all replicas have the same time. Errors account for the
/// autocorrelation of measurements and for replicas that differ. There are none for fewer than 32 measurements of all
/// replicas. A rate is at most as stationary as all observables, a function as its arguments. Results depend on the
/// rows of the output file only.
class Averager {
 public:
  using RateOfCounter = SimulationInterface::RateOfCounter;

  /// Averages measurements after `from`; infinity: none. If the time is chosen, it is the latest of the times that the
  /// observables have, from all rows so far. Averages the steady observables of the simulation; rates of its counters,
  /// NAME_rate, the means of their increments between measurements; functions of averages, with the errors of their
  /// linear parts; and the quantities of its samples like observables.
  Averager(const AverageFrom& from, const SimulationInterface& simulation) : from_(from), simulation_(simulation) {}

  /// Adds a row.
  void add(const Observable& measured, const std::vector<double>& times);

  /// Adds samples of this number of replicas, if `table` is the table of samples.
  void add(const History& table, std::size_t replicas);

  /// Adds all samples of a file, and its measurements before `end`. Throws InputError if they cannot be read.
  void add(const io::InputFile& file, std::size_t replicas, double end);

  /// Leaves out the measurements until this time, which were at other intervals.
  void leave_out_until(double time);

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
  bool is_slow_mode(const std::string& name) const;
  void add(const std::string& name, const std::string& unit, std::span<const double> times,
           std::span<const double> row);
  void add(const std::string& name, const std::string& unit, double time, std::span<const double> row);
  void add_to_counter(const std::string& name, const RateOfCounter& rate, std::span<const double> times,
                      std::span<const double> row);

  AverageFrom from_;
  const SimulationInterface& simulation_;
  SimulationInterface::SampleTable sample_table_ = simulation_.sample_table();
  std::vector<SimulationInterface::SlowMode> slow_modes_ = simulation_.slow_modes();
  std::map<std::string, Series> series_;
  std::set<std::string> rates_;  ///< names of those that are rates
  std::map<std::string, analysis::TimeAverages> tested_only_;
  std::vector<std::vector<double>> incomplete_;  ///< of each quantity, samples at a time, of the first replicas
  std::map<std::string, Counter> counters_;
};

}  // namespace tessera::program
