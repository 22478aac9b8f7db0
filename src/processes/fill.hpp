// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <vector>

#include "processes/compile.hpp"

namespace tessera::processes {

/// Whether any rate depends on a cell (0), always true, and on its neighbours (1 to 4).
std::array<bool, 5> cells_read(const std::vector<Compiled>& processes);

/// Fills the rates and the outcomes of all neighbourhoods, whose numbers are given. Throws InputError about a rate that
/// is negative or not finite.
void fill(const ModelFile& model, const Values& values, CompiledModel& compiled);

}  // namespace tessera::processes
