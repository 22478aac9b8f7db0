// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "sweep/sweep_options.hpp"

#include <tessera/core/error.hpp>

namespace tessera::program {

void SweepOptions::add_options(OptionTable& table) {
  table.group("Sweep");
  table.add("folder", "FOLDER", "where the files of the sweep are [the input file's name, or METHOD_sweep]",
            Role::session, folder);
  table.add("jobs", "N", "runs at a time; 0: as many as there are cores, memory and devices for", Role::session, jobs);
  table.add("index", "I", "of an array job: make points I, I + N, I + 2 N, ... alone", Role::session, index);
  table.add("of", "N", "the number of jobs in the array", Role::session, of);
}

void check(const SweepOptions& options) {
  if (options.jobs < 0 || options.jobs > 4096)
    throw InputError("--jobs " + write_value(options.jobs) + ": must lie in 0 to 4096");
  if (options.of < 1) throw InputError("--of " + write_value(options.of) + ": must be 1 or more");
  if (options.index < 0 || options.index >= options.of)
    throw InputError("--index " + write_value(options.index) + ": must lie in 0 to " + write_value(options.of - 1) +
                     ", one less than --of");
}

}  // namespace tessera::program
