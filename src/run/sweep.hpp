// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

namespace tessera::program {

/// Becomes `python3 -m tessera_io.sweeps`, which makes a sweep by runs of this program; `arguments` are those of
/// main(). Throws InputError if there is no such Python.
int run_sweep(const std::vector<std::string>& arguments);

/// What `tessera sweep --help` says.
std::string sweep_help();

// Questions of tessera_io.sweeps, each of which is answered by one JSON object on standard output.

/// `tessera sweep --words METHOD WORDS...`: the options of a method and of a sweep, `options`, with `value`, the value
/// in force or, of an option that may vary, the default; and `given`, the words of the call and of its input file.
/// Throws InputError for a word that cannot be read, and for one that is not for a sweep.
void answer_words(const std::vector<std::string>& words);

/// `tessera sweep --check METHOD`: checks points as single runs are. Standard input has, each ended by a zero byte, the
/// key, the value and the place of each option of a point, and after the last one an empty key. `points` are their
/// options as the program writes them, backend and memory; `machine` is what there is to share. Throws InputError for
/// the first point that cannot be run.
void answer_check(const std::vector<std::string>& words);

}  // namespace tessera::program
