// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "options/json.hpp"
#include "processes/model_file.hpp"
#include "processes/tables.hpp"

namespace tessera::processes {

/// Species that can occur on a site. They are a digit of the cell's state.
struct Digit {
  std::vector<std::size_t> species;  ///< by value of the digit
  std::int64_t weight = 1, base = 1;

  SpeciesSet all() const {
    SpeciesSet set = 0;
    for (const std::size_t one : species) set |= SpeciesSet{1} << one;
    return set;
  }
  /// Value of this digit in a state.
  std::size_t of(std::int64_t state) const { return static_cast<std::size_t>(state / weight % base); }
  /// Contribution of a species to the state.
  std::int64_t state(std::size_t one) const { return (std::ranges::find(species, one) - species.begin()) * weight; }
};

/// Numbers of cells of a lattice.
struct Lattice {
  int nx = 0, ny = 0, nz = 0;  ///< nz = 0: in two dimensions
  int rows() const { return ny * std::max(1, nz); }
  bool operator==(const Lattice&) const = default;
};

/// Energies of the clusters of a file, in all orientations, as whole numbers of a unit.
struct ClusterEnergies {
  double unit = 1;                ///< in eV
  std::vector<Process> clusters;  ///< each with its conditions and energy as the only pattern of `change`
};
/// Throws InputError if an energy changes with time, is not finite, or has too many digits.
ClusterEnergies cluster_energies(const ModelFile& model, Values& values);

/// dE of a copy of a process, with patterns of the sites whose species it leaves open. `found`: species that can occur
/// on each site.
Change change_of(const std::vector<Process>& clusters, const std::vector<SpeciesSet>& found, const Process& copy);

/// Factors of rates, by name or pattern of a process.
using Scales = std::map<std::string, double>;

/// A process of the file ready for the tables: its rate, and its copies with offsets relative to their cells.
struct Compiled : Process {
  std::vector<Process> copies;
  Value rate;                               ///< of rate_constant at the begin
  double scale = 1;                         ///< factor of the rates, by --scale-processes
  std::optional<std::size_t> reverse = {};  ///< index in CompiledModel::processes of the reverse process (reverses())
  bool possible = true;                     ///< whether the species in its conditions can occur on their sites
};

/// A model with its tables, and the data for its description.
struct CompiledModel {
  double begin = 0;                                  ///< time from which on rates are known
  std::vector<Value> parameters;                     ///< values at the begin by index of the parameter
  std::vector<std::string> expressions;              ///< of these, from the file or the settings
  std::vector<Digit> digits;                         ///< by index of the site
  std::vector<Compiled> processes;                   ///< enabled processes
  std::vector<std::vector<Process>> configurations;  ///< orientations of each
  ClusterEnergies energies;
  Tables tables;
};

/// `scales`: factors by which --scale-processes multiplies the rates of processes and of their reverses; `rate_window`:
/// how far the bound of a rate may lie above it in a window of time (Rates); `lattice`: for `where`. Throws InputError
/// if a rate is negative or not finite, if a process changes or reads cells that tables cannot describe, or if the
/// tables would be too large.
CompiledModel compile(const ModelFile& model, const Settings& settings, const Scales& scales = {},
                      double rate_window = 0.1, double begin = 0, const Lattice& lattice = {});

/// Its unit cell, which io::UnitCell reads: the sides, and the sites with their positions and species.
program::Json cell_data(const ModelFile& model, const CompiledModel& compiled);
/// The species of these names in the cells of a model; of a planar one without heights.
std::vector<kmc::TrackedSpecies> tracked_species(const Tables& all, const std::vector<std::string>& names);

/// The same, with the colours of species, and of each process its step, its reverse, the sites of its conditions, and
/// whether it can happen.
program::Json model_data(const ModelFile& model, const CompiledModel& compiled);

/// Description of the model in a few lines: species, sites, parameters, processes with their rates, size of the tables.
std::string description(const ModelFile& model, const CompiledModel& compiled);

/// Fills the rates and outcomes of all neighbourhoods, which are numbered already, with those of the first window of
/// time. Throws InputError if a rate is negative or not finite.
void fill(const ModelFile& model, Values values, double rate_window, CompiledModel& compiled);

/// Whether the rate of a process depends on dE.
bool depends_on_change(const Process& process);

/// Number of the cell of a site: 0 for that without offset, k + 1 for neighbour k of 12, most_cells for others.
std::size_t cell_of(const LatticeSite& at);

/// Site 0 of such a cell.
LatticeSite site_in(std::size_t cell);

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

// The states at time 0 by sections [Initial].

/// Adds a section to the model. Throws InputError.
void read_initial(const Section& section, const TermReader& terms, ModelFile& model);

/// Adds what sites hold at time 0 apart from the species of the sites. Throws InputError.
void add_start(const ModelFile& model, Values& values, const Lattice& lattice, CompiledModel& compiled);

/// Throws InputError if a lattice has too few cells for a section.
void check_start(const ModelFile& model, const Tables& tables, const Lattice& lattice);

}  // namespace tessera::processes
