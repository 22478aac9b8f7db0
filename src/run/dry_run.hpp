// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <tessera/core/memory.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/simulation/simulation_interface.hpp>

#include "machine/backend.hpp"
#include "machine/memory_check.hpp"
#include "run/schedule.hpp"

namespace tessera::program {

/// Estimated cost of a run from the present state of a simulation to its goal.
struct CostEstimate {
  double seconds = 0;   ///< wall time, without the writing of the file
  double rate = 0;      ///< work per wall second, in the unit of the simulation
  double measured = 0;  ///< wall seconds of the measurement
  double spent = 0;     ///< wall seconds of the whole estimate
  double measurements = 0;
  double fields = 0;
  double file_bytes = 0;                                         ///< upper limit: fields are compressed
  double checkpoint_bytes = 0;                                   ///< part of file_bytes
  double absorbed_at = std::numeric_limits<double>::infinity();  ///< time after which no event is possible any more
  bool reaches_its_goal = true;                                  ///< false: the simulation makes no progress
};

/// Runs the simulation until its speed is constant, for at most some seconds; stops earlier if keep_going() returns
/// false. `clock`: wall seconds. Called by all ranks.
CostEstimate estimate_cost(SimulationInterface& simulation, const Schedule& schedule,
                           const std::function<bool()>& keep_going, const std::function<double()>& clock,
                           const parallel::Communicator& ranks = {});

/// Results of `--dry-run`.
struct DryRun {
  std::string start;        ///< start_report()
  std::string input;        ///< the full input
  std::string description;  ///< Method::description()
  MemoryNeeded memory;      ///< with several ranks, that of rank 0, the largest
  AvailableMemory available;
  Backend backend = Backend::serial;
  CostEstimate cost = {};
  std::string rate_unit;
  int ranks = 1;
  bool started = true;  ///< false: the start took too long for an estimate
};

/// An input file with all other results as comments.
std::string text_of(const DryRun& dry);

/// One JSON object.
std::string json_of(const DryRun& dry);

}  // namespace tessera::program
