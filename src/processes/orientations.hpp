// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <vector>

#include "processes/model_file.hpp"

namespace tessera::processes {

/// The copies of a process that its `orientations` make, without those that are the same but for a shift by whole unit
/// cells: turned about the site of its first condition by multiples of 360 degrees over 2, 3, 4 or 6, of which 8 and 12
/// are 4 and 6, and mirrored. Throws InputError if a copy has a site where the lattice has none.
std::vector<Process> oriented(const ModelFile& model, const Process& process);

}  // namespace tessera::processes
