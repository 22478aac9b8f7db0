// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include "processes/model_file.hpp"

namespace tessera::processes {

/// Whether an action changes what is on its site.
bool changes(const Process& process, const Action& action);

/// The process with its offsets counted from the cell to which it belongs: the cell from which it reaches the fewest
/// other cells, of several the one that comes first in its conditions. Throws InputError where conditions, actions and
/// bystanders do not lie in a cell and its four nearest neighbours, or where it changes more than two cells, or two
/// that are no neighbours of each other.
Process from_its_cell(const ModelFile& model, const Process& process);

}  // namespace tessera::processes
