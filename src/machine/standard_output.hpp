// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>

namespace tessera::program {

/// Reserves standard output for print(): output of libraries (Kokkos, its tools, MPI, NCCL) goes to standard error.
/// Call it before the first of them starts.
void reserve_standard_output();

/// Restores standard output for a program that replaces this one.
void release_standard_output();

/// Writes to standard output. A closed pipe, as of `head`, is not an error. Returns false, and prints a line on
/// standard error, if the write fails.
bool print(const std::string& text);

/// Whether standard output is the same terminal or file as standard error.
bool output_is_with_errors();

}  // namespace tessera::program
