// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

namespace tessera::perf {

/// Options of kinetic Monte Carlo; what is 0 is left to the space.
struct KmcOptions {
  double relax = 50;  ///< events per site from the flat surface to the one that is measured
  int settle = 60;    ///< steps for the step control to settle before the first repetition
  int tile = 0, halo = 0, repair_halo = 0;
  int lanes = 0;  ///< of a team on a GPU; 0: the default
  double repair_fraction = 0;
};

/// Options of the octahedron model, as those of tessera kpz.
struct KpzOptions {
  int domain = 0;  ///< 0: the default
  int thread_cell_x = 1, thread_cell_y = 1;
};

/// What the user asked for, beside google-benchmark's own options.
struct Options {
  bool help = false;
  std::vector<std::string> methods{"program", "kpz", "disks", "kmc"};
  std::string program = TESSERA_PROGRAM;  ///< the file that is run
  bool preset_h200 = false;               ///< only what the targets ask for
  double limit = 10;                      ///< seconds for a case
  double budget = 600;                    ///< seconds for the run
  KmcOptions kmc;
  KpzOptions kpz;

  // google-benchmark's, which the cases use too.
  double window = 0.3;  ///< --benchmark_min_time: seconds of a repetition of kmc and kpz
  int repetitions = 0;  ///< of a case; 0: as many as the case has by default
  bool only_list = false;
  bool json_in_file = false;
};

/// Takes its options out of the words; what it leaves is Kokkos' and google-benchmark's. Throws InputError.
Options read_options(std::vector<std::string>& words);

/// The text for --help.
const char* help_text();

}  // namespace tessera::perf
