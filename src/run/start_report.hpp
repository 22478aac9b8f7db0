// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>

#include "machine/backend.hpp"
#include "options/run_options.hpp"
#include "run/method.hpp"

namespace tessera::program {

/// Report at the start of a run: version, host, backend, threads or device, then system, memory and goals. `device`:
/// name of the device or processor, as in the provenance.
std::string start_report(const std::string& method_name, const Method& method, const KokkosSettings& settings,
                         const std::string& device, const SimulationInterface& simulation);

/// Reports that a large file is read before the run, which takes a while.
void report_reading(const RunOptions& run);

/// "time 200 MCS", "time 5/k_2 or 2.621e+06 events".
std::string goals(const SimulationInterface& simulation);

/// "a.h5 has already reached its goal", and by how much it exceeds an earlier goal.
std::string finished_before(const std::string& file, const SimulationInterface& simulation);

}  // namespace tessera::program
