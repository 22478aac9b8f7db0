// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

namespace tessera::perf {

/// Options of kinetic Monte Carlo; 0: default of the space.
struct KmcOptions {
  double relax = 50;  ///< events per site from the flat surface to the one that is measured
  int settle = 60;    ///< steps for the step control to settle before the first repetition
  int tile = 0, halo = 0, repair_halo = 0;
  double repair_fraction = 0;
};

/// Options of the octahedron model, as those of tessera kpz.
struct KpzOptions {
  int domain = 0;  ///< 0: the default
  int thread_cell_x = 1, thread_cell_y = 1;  ///< of all earlier measurements; not the program's default
};

/// Options of the program, in addition to those of google-benchmark.
struct Options {
  bool help = false;
  std::vector<std::string> methods{"program", "kpz", "disks", "kmc"};
  std::string program = TESSERA_PROGRAM;  ///< path of the program to run
  bool preset_h200 = false;               ///< only the cases of the targets
  double limit = 10;                      ///< limit of a case in seconds
  double budget = 600;                    ///< limit of the run in seconds
  KmcOptions kmc;
  KpzOptions kpz;

  // Options of google-benchmark that the cases also use.
  double window = 0.3;  ///< --benchmark_min_time: seconds of a repetition of kmc and kpz
  int repetitions = 0;  ///< repetitions of a case; 0: default of the case
  bool only_list = false;
  bool json_in_file = false;
};

/// Reads and removes its options from the words; the remaining ones are those of Kokkos and google-benchmark. Throws
/// InputError.
Options read_options(std::vector<std::string>& words);

/// Text of --help.
const char* help_text();

}  // namespace tessera::perf
