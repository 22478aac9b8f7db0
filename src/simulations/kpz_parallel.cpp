// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <tessera/kpz/simulation.hpp>

namespace tessera::kpz {

template <class Space>
std::unique_ptr<AnySimulation> make_simulation(const Parameters& parameters, const parallel::Communicator& ranks,
                                               const std::optional<parallel::GridShape>& grid) {
  return std::make_unique<Simulation<Space>>(Space(), parameters, ranks, grid);
}
template std::unique_ptr<AnySimulation> make_simulation<TESSERA_EXECUTION_SPACE>(
    const Parameters&, const parallel::Communicator&, const std::optional<parallel::GridShape>&);

}  // namespace tessera::kpz
