// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "options/json.hpp"
#include "run/known_bias.hpp"
#include "run/run_loop.hpp"

namespace tessera::program {

/// Summary of a run at its end.
struct Summary {
  std::string method;
  std::string algorithm;
  std::string system;
  std::string backend;
  std::string device;
  std::uint64_t seed = 0;
  double time = 0;  ///< smallest time of the replicas that have not finished
  std::string time_unit = {};
  std::vector<double> times;  ///< time of each replica
  double wall_seconds = 0;    ///< of this call
  double rate = 0;            ///< work per wall second, without the writing of the output file
  std::string rate_unit;
  std::string output;
  Ending ending = Ending::stopping_time;
  std::vector<Observable> observables;  ///< at the end
  io::Averages averages = {};           ///< time averages, if requested
  std::vector<double> absorbed = {};    ///< times of the last events of replicas in which none is possible any more
  double fraction = 1;                  ///< of the run that was completed
  std::vector<KnownBias> known_biases = {};
  Json model = {};  ///< Method::model()
};

/// One JSON object. Each observable is its mean over the replicas, with the standard error as `<name>_error` if there
/// are several; `units` contains the units. If replicas were stopped at different times, the means have no errors, and
/// there are `earliest_time` and `latest_time`; where no event is possible any more, `absorbed_replicas` and
/// `absorbed_at`.
std::string json_summary(const Summary& of_run);

/// A row of measurements as a JSON object in one line.
std::string json_row(const std::vector<Observable>& measured, std::int64_t step, const std::vector<double>& times);

/// Text of a few lines; the first one, if `with_system`, describes the method and the system. Events of processes are a
/// table with a line for a process and its reverse, the most frequent ones first; rates of others are left out.
std::string text_summary(const Summary& of_run, bool with_system = true);

}  // namespace tessera::program
