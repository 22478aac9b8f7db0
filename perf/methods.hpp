// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <vector>

#include "method.hpp"
#include "options.hpp"
#include "spaces.hpp"

namespace tessera::perf {

/// Exact kinetic Monte Carlo: the tile method with both step controls, and the two sequential methods.
std::vector<Case> kmc_method(const Options& options, const std::vector<Space>& spaces);
/// The octahedron model: decomposition schemes, and sequential dynamics.
std::vector<Case> kpz_method(const Options& options, const std::vector<Space>& spaces);
/// Hard disks: the parallel method, and the sequential one.
std::vector<Case> disks_method(const Options& options, const std::vector<Space>& spaces);
/// Whole short runs of the program, on the fastest space.
std::vector<Case> program_method(const Options& options, const std::vector<Space>& spaces);

}  // namespace tessera::perf
