// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <tessera/kmc/sequential/bkl.hpp>
#include <tessera/kmc/sequential/waiting_time.hpp>

#include "simulations/kmc_methods.hpp"

namespace tessera::kmc {

template <Model M>
std::unique_ptr<AnySimulation<M>> make_bkl(const Parameters& parameters, const M& model) {
  return std::make_unique<BklSimulation<M>>(parameters, model);
}
template <Model M>
std::unique_ptr<AnySimulation<M>> make_waiting_time(const Parameters& parameters, const M& model) {
  return std::make_unique<WaitingTimeSimulation<M>>(parameters, model);
}

/// Explicit instantiation for a tuple of models defines both functions.
template <class Models>
struct SequentialMethods;
template <Model... M>
struct SequentialMethods<std::tuple<M...>> {
  static constexpr std::tuple all{&make_bkl<M>..., &make_waiting_time<M>...};
};
template struct SequentialMethods<CompiledModels>;

}  // namespace tessera::kmc
