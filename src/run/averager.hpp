// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <map>
#include <span>
#include <string>
#include <tessera/analysis/time_averages.hpp>
#include <tessera/core/observable.hpp>
#include <tessera/io/input_file.hpp>
#include <tessera/io/output_file.hpp>
#include <tessera/simulation/simulation_interface.hpp>
#include <utility>
#include <vector>

#include "run/schedule.hpp"

namespace tessera::program {

/// Means over the measurements after a time at which all replicas have the same time, with the errors and tests of
/// TestedMean. There are none for fewer than 32 measurements of all replicas. Slow modes make the window too short for
/// all averages. Results depend on the rows of the output file only.
class Averager {
 public:
  using RateOfCounter = SimulationInterface::RateOfCounter;

  /// Averages measurements after `from`; infinity: none. If the time is chosen, a quarter of the run is left out, or
  /// half of it if an average then drifts. Averages the steady observables of the simulation; rates of its counters,
  /// NAME_rate, from the counts at the begin and at the end; functions of averages; and the quantities of its samples
  /// like observables.
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
    bool is_averaged;  ///< or only tested
  };
  /// The last row of a counter.
  struct Counter {
    std::vector<double> times, values;
  };

  bool counts(std::span<const double> times) const;
  bool is_slow_mode(const std::string& name) const;
  void add(const std::string& name, const std::string& unit, std::span<const double> times,
           std::span<const double> row);
  void add_to_counter(const std::string& name, const RateOfCounter& rate, std::span<const double> times,
                      std::span<const double> row);
  analysis::TimeAverages& series_of(const std::string& name, const std::string& unit, std::size_t replicas,
                                    bool is_averaged);
  /// Of the mode for which the windows are shortest: by how many times, 0 if they are not, and its name.
  std::pair<double, std::string> slowest(const std::map<std::string, analysis::Window>& windows) const;

  AverageFrom from_;
  const SimulationInterface& simulation_;
  SimulationInterface::SampleTable sample_table_ = simulation_.sample_table();
  std::vector<SimulationInterface::SlowMode> slow_modes_ = simulation_.slow_modes();
  std::map<std::string, Series> series_;
  std::vector<std::vector<double>> incomplete_;  ///< of each quantity, samples at a time, of the first replicas
  std::map<std::string, Counter> counters_;
};

}  // namespace tessera::program
