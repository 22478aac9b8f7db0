// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>

namespace tessera::perf {

/// What the user asked for, beside google-benchmark's own options.
struct Options {
  bool help = false;
  bool preset_h200 = false;  ///< h200_cases() instead of all_cases()
  double budget = 120;       ///< seconds for the whole run
  double relax = 50;         ///< events per site from the flat surface to the one that is measured
  double window = 0.3;       ///< seconds of a repetition, at most
  int repetitions = 5;
  int settle = 60;  ///< steps for the step control to settle before the first repetition
  int tile = 0, halo = 0, repair_halo = 0;
  double repair_fraction = 0;  ///< 0: the default
  std::string summary;         ///< file, .md or .json
  bool check_targets = false;
  bool strict = false;  ///< a missed target is a failure

  // Of google-benchmark, as it gets them too.
  std::string filter;
  bool only_list = false;
  std::string format = "console";
  bool json_in_file = false;
};

/// Takes its options out of argv; what it leaves is Kokkos' and google-benchmark's. Throws InputError.
Options read_options(int& argc, char** argv);

/// The text for --help.
const char* help_text();

}  // namespace tessera::perf
