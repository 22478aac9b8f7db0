// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>

namespace tessera::program {

/// From now on standard output is print()'s alone: what libraries write to it, such as Kokkos, its tools, MPI and NCCL,
/// goes to standard error. Called before the first of them starts.
void reserve_standard_output();

/// Undoes that, for a program that takes the place of this one.
void release_standard_output();

/// Writes to standard output; a reader that has gone away, as in `tessera ... | head`, is no error. False, and a line
/// on standard error, if it cannot be written.
bool print(const std::string& text);

/// Whether it is where standard error is, too: the same terminal, or the same log.
bool output_is_with_errors();

}  // namespace tessera::program
