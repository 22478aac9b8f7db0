// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>

#include "option_table.hpp"

namespace tessera::program {

/// The options that a sweep has besides those of its method.
struct SweepOptions {
  std::string folder;  ///< empty: the input file's name, or METHOD_sweep
  int jobs = 0;        ///< runs at a time; 0: as many as cores, memory and devices carry
  int index = 0;       ///< this call makes points index, index + of, index + 2 of, ...
  int of = 1;

  void add_options(OptionTable& table);
};

/// Throws InputError for a number that is out of range.
void check(const SweepOptions& options);

}  // namespace tessera::program
