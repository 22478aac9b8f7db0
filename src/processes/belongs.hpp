// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include "processes/model_file.hpp"

namespace tessera::processes {

/// Whether an action changes the species of its site.
bool changes(const Process& process, const Action& action);

/// The process with offsets relative to its own cell: the cell from which it depends on the fewest other cells; of
/// several, the first in its conditions. Throws InputError if conditions, actions and bystanders do not lie in a cell
/// and its four nearest neighbours, or if the process changes more than two cells, or two cells that are not
/// neighbours.
Process from_its_cell(const ModelFile& model, const Process& process);

}  // namespace tessera::processes
