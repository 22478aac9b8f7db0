// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <tessera/io/output_file.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/simulation/simulation_interface.hpp>
#include <vector>

#include "machine/backend.hpp"
#include "machine/machine.hpp"
#include "options/option_table.hpp"
#include "run/method.hpp"
#include "run/schedule.hpp"

/// Reports of a run before its start.
namespace tessera::program {

/// Report at the start of a run: version, host, backend, threads or device, then system, memory and stopping times.
/// `device`: name of the device or processor, as in the provenance.
std::string start_report(const std::string& method_name, const Method& method, const Execution& execution,
                         const std::string& device, const SimulationInterface& simulation);

/// Reports that a large file is read before the run, which takes a while.
void report_reading(const RunOptions& run);

/// "a.h5 has already reached its stopping time", and by how much it exceeds an earlier one.
std::string finished_before(const std::string& file, const SimulationInterface& simulation);

/// `titles` of observables in plots, by name, with formulas as in LaTeX; `counters`, those that plots show on request
/// only: counts of events, and moments, since functions of them tell more; and `other_titles`, of autocorrelations,
/// functions, fields and columns of tables.
Json titles();

/// What the output file tells of the model and of quantities: Method::model() and titles().
std::string model_text(const Method& method);

/// Provenance of a call after the start of Kokkos; `input` is the full input. The end is set later.
io::Provenance begin_provenance(const std::string& command_line, const Method& method, const Execution& execution,
                                const std::string& device, const std::string& input);

/// The present time in the format of provenance.
std::string utc_now();

/// Throws InputError, with `what`, if a text is too long to be read again by a restart.
void require_recordable(const std::string& what, const std::string& text);

/// Collective. The time of the latest change of parameters by this restart, of kmc, or by an earlier one; 0: none.
double time_of_change(const RunOptions& run, const parallel::Communicator& ranks);
/// Records the parameters that this restart changes, at the present time. Throws InputError, at all ranks, if they
/// cannot change here, or if averages would include measurements of other parameters.
void note_changes(const RunOptions& run, const Method& method, const SimulationInterface& simulation,
                  io::Provenance& provenance);

/// A line about each change.
std::vector<std::string> notes_of(const RunOptions& run, const io::Provenance& provenance);

/// Estimated cost of a run from the present state of a simulation to its stopping time.
struct CostEstimate {
  double seconds = 0;   ///< wall time, without the writing of the file
  double rate = 0;      ///< work per wall second, in the unit of the simulation
  double measured = 0;  ///< wall seconds of the measurement
  double spent = 0;     ///< wall seconds of the whole estimate
  double measurements = 0;
  double fields = 0;
  double file_bytes = 0;                                         ///< upper limit: fields are compressed
  double checkpoint_bytes = 0;                                   ///< part of file_bytes
  double row_memory = 0;                                         ///< bytes of rows in memory between checkpoints
  double absorbed_at = std::numeric_limits<double>::infinity();  ///< time after which no event is possible any more
  bool makes_progress = true;                                    ///< false: the time of the run is unknown
};

/// Runs the simulation until its speed is constant, for at most some seconds; stops earlier if keep_going() returns
/// false. `clock`: wall seconds. Called by all ranks.
CostEstimate estimate_cost(SimulationInterface& simulation, const Schedule& schedule,
                           const std::function<bool()>& keep_going, const std::function<double()>& clock,
                           const parallel::Communicator& ranks = {});

/// Results of `--dry-run`.
struct DryRun {
  std::string start;    ///< start_report()
  std::string input;    ///< the full input
  Json model;           ///< Method::model()
  MemoryNeeded memory;  ///< with several ranks, that of rank 0, the largest
  AvailableMemory available;
  Backend backend = Backend::serial;
  CostEstimate cost = {};
  std::string rate_unit;
  int ranks = 1;
  bool started = true;  ///< false: the initial configuration took too long for an estimate
};

/// An input file with all other results as comments.
std::string text_of(const DryRun& dry);

/// One JSON object.
std::string json_of(const DryRun& dry);

}  // namespace tessera::program
