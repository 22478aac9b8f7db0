// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <vector>

#include "processes/model_file.hpp"

namespace tessera::processes {

/// The copies of a process that its `orientations` make, without those that are the same but for a shift by whole unit
/// cells: turned by multiples of 180 (2) or 90 degrees (4 and 8) about the site of its first condition, and mirrored
/// (8). Throws InputError if a copy has a site where the lattice has none.
std::vector<Process> oriented(const ModelFile& model, const Process& process);

}  // namespace tessera::processes
