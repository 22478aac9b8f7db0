// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <string>
#include <tessera/io/average.hpp>
#include <vector>

#include "run/run_loop.hpp"

namespace tessera::program {

/// What a run tells at its end.
struct Summary {
  std::string method;
  std::string algorithm;
  std::string system;
  std::string backend;
  std::string device;
  std::uint64_t seed = 0;
  double time = 0;            ///< the smallest over the replicas that go on
  std::vector<double> times;  ///< of each replica
  double wall_seconds = 0;    ///< of this call
  double work = 0;            ///< of this call
  double rate = 0;            ///< work per wall second, without the writing of the output file
  std::string rate_unit;
  std::string output;
  Ending ending = Ending::goal_reached;
  std::vector<Observable> observables;  ///< at the end
  io::Averages averages = {};           ///< over the later measurements, if any were asked for
};

/// One JSON object; an observable is its mean over the replicas, with its standard error as `<name>_error` if there are
/// several; `units` has the unit of each. Replicas that were stopped at different times are no sample of anything:
/// their means come without errors, and with `earliest_time` and `latest_time`.
std::string json_summary(const Summary& summary);

/// A few lines for people, the first of them with the method and the system.
std::string text_summary(const Summary& summary, bool with_system = true);

}  // namespace tessera::program
