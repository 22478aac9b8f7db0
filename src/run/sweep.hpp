// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

namespace tessera::program {

/// Replaces this process by `python3 -m tessera_io.sweeps`, which runs this program for each point; `arguments` are
/// those of main(). Throws InputError if Python cannot be started.
int run_sweep(const std::vector<std::string>& arguments);

/// Text of `tessera sweep --help`.
std::string sweep_help();

// Queries by tessera_io.sweeps; each one prints a JSON object on standard output.

/// `tessera sweep --words METHOD WORDS...`: prints `options`, those of the method and of a sweep, each with its `value`
/// (for an option that may vary, the default), and `given`, the words of the call and of its input file. Throws
/// InputError for an invalid word, and for an option that a sweep does not have.
void answer_words(const std::vector<std::string>& words);

/// `tessera sweep --check METHOD`: checks points like single runs. Standard input contains the key, the value and the
/// place of each option of a point, each terminated by a zero byte, and an empty key after each point. Prints `points`,
/// with their normalised options, backend and memory, and `machine`, with the available resources. Throws InputError
/// for the first invalid point.
void answer_check(const std::vector<std::string>& words);

}  // namespace tessera::program
