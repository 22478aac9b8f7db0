// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <tessera/disks/sequential.hpp>

#include "simulations/disks_without_type.hpp"

namespace tessera::disks {

std::unique_ptr<AnySimulation> make_sequential(const Parameters& parameters) {
  return std::make_unique<WithoutType<SequentialSimulation>>(parameters);
}
std::unique_ptr<AnySimulation> make_sequential(const Parameters& parameters,
                                               const std::vector<std::vector<Point>>& points) {
  return std::make_unique<WithoutType<SequentialSimulation>>(parameters, points);
}

}  // namespace tessera::disks
