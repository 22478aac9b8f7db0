// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <vector>

#include "processes/compile.hpp"

namespace tessera::processes {

/// Whether any rate depends on each cell: the cell itself (0), always true, and its neighbours (1 to 4).
std::array<bool, 5> cells_read(const std::vector<Compiled>& processes);

/// Fills the rates and outcomes of all neighbourhoods, which are numbered already. Throws InputError if a rate is
/// negative or not finite.
void fill(const ModelFile& model, const Values& values, CompiledModel& compiled);

}  // namespace tessera::processes
