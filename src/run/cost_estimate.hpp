// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <functional>
#include <limits>

#include "run/schedule.hpp"
#include "run/simulation_interface.hpp"

namespace tessera::program {

/// What a run from the present state of a simulation to its goal will take.
struct CostEstimate {
  double seconds = 0;   ///< of wall time, without the writing of the file
  double rate = 0;      ///< work per wall second, in the simulation's unit
  double measured = 0;  ///< wall seconds that it was measured for
  double spent = 0;     ///< wall seconds that the estimate took in all
  double measurements = 0;
  double fields = 0;
  double file_bytes = 0;         ///< at most: fields are compressed
  double checkpoint_bytes = 0;   ///< of these
  bool reaches_its_goal = true;  ///< false: it does not get on at all
};

/// Runs the simulation for a few tenths of a second to tell; keep_going() ends that earlier.
CostEstimate estimate_cost(SimulationInterface& simulation, const Schedule& schedule,
                           const std::function<bool()>& keep_going);

/// The part of its goal that a simulation has done, 0 to 1.
double fraction_done(const SimulationInterface& simulation);

/// The number of times 0, every, 2 every, ... and the end, in a run to the time `end`; those of `times` if there are
/// any.
double stops(double every, const std::vector<double>& times, bool at_start, double end);

}  // namespace tessera::program
