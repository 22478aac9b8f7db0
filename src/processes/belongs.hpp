// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <tessera/kmc/model.hpp>
#include <vector>

#include "processes/model_file.hpp"
#include "processes/tables.hpp"

namespace tessera::processes {

/// Whether an action changes the species of its site.
bool changes(const Process& process, const Action& action);

/// Names in the expressions of a process besides parameters: dE (empty without energies), `energy` if it has one.
std::vector<std::string> names_of_energy(const ModelFile& model, const Process& process);
/// Whether its rate depends on dE.
bool depends_on_change(const Process& process);

/// Number of the cell at an offset: 0 for the cell itself, k + 1 for neighbour k of 12, most_cells for others.
std::size_t cell_of(const LatticeSite& at);

/// The offset of such a cell.
kmc::Offset offset_of(std::size_t cell);

/// The process with all offsets increased.
Process shifted(Process process, int dx, int dy, int dz = 0);

/// Copies of a process by its `orientations`, without those that differ by a translation only. Copies are rotated about
/// the site of the first condition by multiples of 360 degrees over 2, 3, 4 or 6; 8 and 12 are 4 and 6 with
/// reflections; 24 are the rotations of a cube, 48 these and reflections. Throws InputError if a site of a copy is not
/// a site of the lattice.
std::vector<Process> oriented(const ModelFile& model, const Process& process);

/// For each process, given by its copies, the number of its reverse, whose conditions are its result and vice versa;
/// that may be the process itself, such as diffusion in all directions. Nothing if there is none, or each has another
/// one.
std::vector<std::optional<std::size_t>> reverses(const std::vector<std::vector<Process>>& copies);

/// A set of cells of a neighbourhood, by number.
using CellSet = std::array<bool, most_cells>;

/// Adds the cells on which a process depends, if its offsets are relative to its own cell.
void add_cells(const Process& process, CellSet& cells);

/// The process with offsets relative to its own cell: the cell from which it depends on the fewest other cells beyond
/// those in `known`, then on the fewest; of several, the first in its conditions. With 4 neighbours it depends on the
/// cell and its nearest neighbours, and changes at most the cell and one neighbour; with 8 it depends on 3 x 3 cells,
/// and may change all of them; with 12 also on the cells two to the west, east, south and north, and changes at most
/// the cell and one of its nearest neighbours, if possible the cell alone. Nothing if there is no such cell.
std::optional<Process> from_its_cell(const Process& process, int neighbours, const CellSet& known = {});

/// The process with offsets relative to a cell from which it depends on cells at most `reads` away, in x, y and z, and
/// changes cells at most `writes` away: the first such cell of its conditions, or any; with dE, the first
/// of those that change, from west to east. Nothing if there is none.
std::optional<Process> from_a_cell(const Process& process, int reads, int writes);

/// Throws InputError: a process or configuration depends on cells that are too far apart.
[[noreturn]] void refuse_cells(const ModelFile& model, const Process& process);

}  // namespace tessera::processes
