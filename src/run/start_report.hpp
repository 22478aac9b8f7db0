// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <tessera/io/output_file.hpp>
#include <tessera/io/provenance.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/simulation/simulation_interface.hpp>
#include <vector>

#include "machine/backend.hpp"
#include "options/run_options.hpp"
#include "run/method.hpp"

namespace tessera::program {

/// Report at the start of a run: version, host, backend, threads or device, then system, memory and goals. `device`:
/// name of the device or processor, as in the provenance.
std::string start_report(const std::string& method_name, const Method& method, const Execution& execution,
                         const std::string& device, const SimulationInterface& simulation);

/// Reports that a large file is read before the run, which takes a while.
void report_reading(const RunOptions& run);

/// "a.h5 has already reached its goal", and by how much it exceeds an earlier goal.
std::string finished_before(const std::string& file, const SimulationInterface& simulation);

/// Provenance of a call after the start of Kokkos; `input` is the full input. The end is set later.
io::Provenance begin_provenance(const std::string& command_line, const Method& method, const Execution& execution,
                                const std::string& device, const std::string& input);

/// The present time in the format of provenance.
std::string utc_now();

/// Throws InputError, with `what`, if a text is too long to be read again by a restart.
void require_recordable(const std::string& what, const std::string& text);

/// Records the parameters that this restart changes, at the present time. Throws InputError, at all ranks, if they
/// cannot change here, or if averages would include measurements of other parameters.
void note_changes(const RunOptions& run, const Method& method, const SimulationInterface& simulation,
                  const io::OutputFile* output, const parallel::Communicator& ranks, io::Provenance& provenance);

/// A line about each change.
std::vector<std::string> notes_of(const RunOptions& run, const io::Provenance& provenance);

}  // namespace tessera::program
