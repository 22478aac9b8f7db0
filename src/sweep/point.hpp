// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <tessera/core/memory.hpp>
#include <vector>

#include "method.hpp"
#include "run_options.hpp"
#include "sweep/grid.hpp"

namespace tessera::program {

/// What a run of a point of a sweep is given, and takes.
struct Point {
  std::string name;                    ///< of its files
  std::string title;                   ///< for people
  std::vector<std::string> arguments;  ///< its options on a command line, without those that have no effect in it
  std::string course;                  ///< its goal, and what else a restart may change, as an input text
  Backend backend = Backend::serial;
  bool sequential = false;
  MemoryNeeded memory;
};

/// The points of a grid, each of them checked as a run of its own would be. Throws InputError if one of them cannot be
/// run, for an option that has no effect in any of them, and for one with several values that has none in some.
std::vector<Point> check_points(const MethodEntry& entry, const Grid& grid, const RunOptions& run);

}  // namespace tessera::program
