// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

#include "sweep/machine_share.hpp"
#include "sweep/point.hpp"

namespace tessera::program {

/// What `tessera sweep METHOD --dry-run` tells of points that were checked: the memory, files and time that all of them
/// take, from short runs of some. As comments of an input file.
std::string dry_sweep(const MethodEntry& entry, const Grid& grid, const std::vector<Point>& points,
                      const RunOptions& run, const MachineShare& share);

}  // namespace tessera::program
