// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <tessera/disks/sequential.hpp>

#include "simulations/disks_simulation.hpp"

namespace tessera::disks {

std::vector<program::Field> AnySimulation::fields() {
  std::vector<program::Field> fields(1);
  fields[0] = {"pair_distribution", "", {static_cast<std::size_t>(snapshot_rings.count)}, pair_distribution()};
  return fields;
}

std::unique_ptr<AnySimulation> make_sequential(const Parameters& parameters) {
  return std::make_unique<DisksSimulation<SequentialSimulation>>(parameters);
}
std::unique_ptr<AnySimulation> make_sequential(const Parameters& parameters,
                                               const std::vector<std::vector<Point>>& points) {
  return std::make_unique<DisksSimulation<SequentialSimulation>>(parameters, points);
}

}  // namespace tessera::disks
