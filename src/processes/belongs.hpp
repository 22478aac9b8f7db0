// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include "processes/model_file.hpp"

namespace tessera::processes {

/// Whether an action changes the species of its site.
bool changes(const Process& process, const Action& action);

/// Number of the cell at an offset: 0 for the cell itself, k + 1 for neighbour k of kmc::Neighbourhood::around.
std::size_t cell_of(const LatticeSite& at);

/// The process with offsets relative to its own cell: the cell from which it depends on the fewest other cells; of
/// several, the first in its conditions. Throws InputError if conditions, actions and bystanders do not lie in a cell
/// and its four nearest neighbours, or if the process changes more than two cells, or two cells that are not
/// neighbours. The conditions of a configuration, which has no actions, may lie in 3 x 3 cells.
Process from_its_cell(const ModelFile& model, const Process& process);

}  // namespace tessera::processes
