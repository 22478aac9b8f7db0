// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <tessera/disks/sequential.hpp>
#include <tessera/kpz/sequential.hpp>

namespace tessera::disks {

std::unique_ptr<AnySimulation> make_sequential(const Parameters& parameters) {
  return std::make_unique<SequentialSimulation>(parameters);
}
std::unique_ptr<AnySimulation> make_sequential(const Parameters& parameters,
                                               const std::vector<std::vector<Point>>& points) {
  return std::make_unique<SequentialSimulation>(parameters, points);
}

}  // namespace tessera::disks

namespace tessera::kpz {

std::unique_ptr<AnySimulation> make_sequential(const Parameters& parameters) {
  Parameters sequential = parameters;
  sequential.method = Method::sequential;
  return std::make_unique<Sequential>(sequential);
}

}  // namespace tessera::kpz
