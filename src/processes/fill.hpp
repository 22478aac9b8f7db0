// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include "processes/compile.hpp"

namespace tessera::processes {

/// Fills the rates and outcomes of all neighbourhoods, which are numbered already. Throws InputError if a rate is
/// negative or not finite.
void fill(const ModelFile& model, const Values& values, CompiledModel& compiled);

}  // namespace tessera::processes
