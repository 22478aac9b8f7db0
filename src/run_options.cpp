// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "run_options.hpp"

namespace tessera::program {

void RunOptions::add_options(OptionTable& table) {
  table.group("Files");
  table.add("config", "FILE", "input file: lines `key = value`, the keys are these options", Role::session, config);
  table.add("output", "FILE", "HDF5 file to write [the input file's name with .h5, or METHOD.h5]", Role::machine,
            output);
  table.add_switch("overwrite", "replace the output file if it exists", Role::session, overwrite);
  table.add("restart", "FILE", "continue the run of this output file, and append to it", Role::session, restart);
  table.add_switch("dry-run", "check all, tell memory, file size and cost, and write nothing", Role::session, dry_run);
  table.add("checkpoint-every", "WALL",
            "write file and checkpoint this often, in a tenth of the time at most; 0: at the end only", Role::course,
            checkpoint_every);
  table.add("wall-limit", "WALL", "stop with a checkpoint before so much wall time is over; 0: none", Role::machine,
            wall_limit);

  table.group("Machine");
  table.add("backend", "serial|openmp|cuda", "where to compute [cuda if there is a device, else openmp or serial]",
            Role::machine, backend);
  table.add("threads", "N", "OpenMP threads, up to 512; 0: OMP_NUM_THREADS, or else the cores that there are",
            Role::machine, threads);
  table.add("device", "N", "number of the CUDA device; of several ranks each has its own", Role::machine, device);

  table.group("Terminal");
  table.add_choice<std::string>("progress", "a line on a terminal, lines in a log; always: a line", Role::session,
                                progress, {{"auto", "auto"}, {"always", "always"}, {"never", "never"}});
  table.add_switch("quiet", "no start lines, progress and summary", Role::session, quiet);
  table.add_switch("json", "the summary as one JSON object on standard output", Role::session, json);
}

}  // namespace tessera::program
