// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

#include "processes/model_file.hpp"
#include "processes/values.hpp"

namespace tessera::processes {

/// Names in the expressions of a process besides parameters: dE (empty without energies), `energy` if it has one.
std::vector<std::string> names_of_energy(const ModelFile& model, const Process& process);
/// Whether its rate depends on dE.
bool depends_on_change(const Process& process);

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

}  // namespace tessera::processes
