// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <tessera/io/output_file.hpp>
#include <tessera/io/provenance.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/simulation/simulation_interface.hpp>
#include <vector>

#include "options/run_options.hpp"
#include "run/method.hpp"

/// Parameters that restarts change (--change).
namespace tessera::program {

/// Records the parameters that this restart changes, at the present time. Throws InputError, at all ranks, if they
/// cannot change here, or if averages would include measurements of other parameters.
void note_changes(const RunOptions& run, const Method& method, const SimulationInterface& simulation,
                  const io::OutputFile* output, const parallel::Communicator& ranks, io::Provenance& provenance);

/// A line about each change.
std::vector<std::string> notes_of(const RunOptions& run, const io::Provenance& provenance);

}  // namespace tessera::program
