// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <functional>
#include <string>
#include <tessera/parallel/world.hpp>
#include <vector>

#include "run/method.hpp"

namespace tessera::program {

inline constexpr int exit_done = 0;
inline constexpr int exit_failed = 1;
inline constexpr int exit_bad_input = 2;
inline constexpr int exit_wall_limit = 3;  ///< unfinished, with a checkpoint
inline constexpr int exit_signal = 128;    ///< plus the signal's number: stopped with a checkpoint

inline constexpr const char* exit_status_help =
    "Exit status: 0 done, 1 failed while running, 2 bad input (nothing was written), 3 unfinished because\n"
    "of --wall-limit, 128 + N stopped by signal N (SIGHUP, SIGINT, SIGTERM, SIGXCPU), with a checkpoint.\n";

/// A call of the program.
struct Call {
  std::string command_line;         ///< as the user typed it
  std::vector<std::string> words;   ///< after the name of the method
  std::function<double()> elapsed;  ///< wall seconds since the program started
};

/// `tessera METHOD ...`: reads the options, runs, and returns the exit status. Throws InputError before anything is
/// computed or written, RunError afterwards.
///
/// All ranks call this and read the same options; rank 0 has the output file and the terminal.
int run_method(const MethodEntry& entry, const Call& call, const parallel::World& world);

/// Replaces this process by Python: tessera_io.sweeps, which runs this program for each point of a sweep, or
/// tessera_io.models.run, which runs it once with converted input of Zacros. `arguments` are those of main(). Throws
/// InputError if Python cannot be started.
int run_python(const std::vector<std::string>& arguments);

// Queries by tessera_io.sweeps; each one prints a JSON object on standard output.

/// `tessera sweep --words METHOD WORDS...`: prints `options`, those of the method and of a sweep, each with its `value`
/// (for an option that may vary, the default), and `given`, the words of the call and of its input file. Standard input
/// contains name, name of the value and default of each option of a sweep, each terminated by a zero byte. Throws
/// InputError for an invalid word, and for an option that a sweep does not have.
void answer_words(const std::vector<std::string>& words);

/// `tessera sweep --check METHOD`: checks points like single runs. Standard input contains key, value and place of each
/// option of a point, each terminated by a zero byte, and an empty key after each point. Prints `points`, with their
/// normalised options, backend and memory, and `machine`, its resources. Throws InputError for the first invalid point.
void answer_check(const std::vector<std::string>& words);

}  // namespace tessera::program
