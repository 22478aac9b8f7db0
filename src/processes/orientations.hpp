// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <vector>

#include "processes/model_file.hpp"

namespace tessera::processes {

/// Copies of a process by its `orientations`, without those that differ by a translation only. Copies are rotated about
/// the site of the first condition by multiples of 360 degrees over 2, 3, 4 or 6; 8 and 12 are 4 and 6 with
/// reflections. Throws InputError if a site of a copy is not a site of the lattice.
std::vector<Process> oriented(const ModelFile& model, const Process& process);

}  // namespace tessera::processes
