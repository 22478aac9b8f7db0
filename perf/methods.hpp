// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <vector>

#include "method.hpp"
#include "options.hpp"
#include "spaces.hpp"

namespace tessera::perf {

/// Exact kinetic Monte Carlo: the tile method with both step controls, and the two sequential methods.
Method kmc_method(const Options& options, const std::vector<Space>& spaces);
/// The octahedron model: decomposition schemes, and sequential dynamics.
Method kpz_method(const Options& options, const std::vector<Space>& spaces);
/// Hard disks: the parallel method, and the sequential one.
Method disks_method(const Options& options, const std::vector<Space>& spaces);
/// Whole short runs of the program, on the fastest space.
Method program_method(const Options& options, const std::vector<Space>& spaces);

/// Those that the options ask for. Kinetic Monte Carlo is the last, since it has most cases and takes the time that the
/// others leave.
std::vector<Method> methods(const Options& options, const std::vector<Space>& spaces);

/// Names, slowest first.
std::vector<std::string> names_of(const std::vector<Space>& spaces);

}  // namespace tessera::perf
