// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <tessera/disks/simulation.hpp>

namespace tessera::disks {

template <class Space>
std::unique_ptr<AnyParallelSimulation> make_simulation(const Parameters& parameters) {
  return std::make_unique<Simulation<Space>>(Space(), parameters);
}
template <class Space>
std::unique_ptr<AnyParallelSimulation> make_simulation(const Parameters& parameters,
                                                       const std::vector<std::vector<Point>>& points,
                                                       const parallel::Communicator& ranks,
                                                       const std::optional<parallel::GridShape>& grid) {
  return std::make_unique<Simulation<Space>>(Space(), parameters, points, ranks, grid);
}

template std::unique_ptr<AnyParallelSimulation> make_simulation<TESSERA_EXECUTION_SPACE>(const Parameters&);
template std::unique_ptr<AnyParallelSimulation> make_simulation<TESSERA_EXECUTION_SPACE>(
    const Parameters&, const std::vector<std::vector<Point>>&, const parallel::Communicator&,
    const std::optional<parallel::GridShape>&);

}  // namespace tessera::disks
