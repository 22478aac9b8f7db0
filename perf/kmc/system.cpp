// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "system.hpp"

#include <limits>
#include <tessera/core/kokkos_ext/visit_backend.hpp>
#include <utility>
#include <vector>

#include "../spaces.hpp"

namespace tessera::perf {

KmcSystem::KmcSystem(const KmcCase& c, const kmc::Parameters& parameters) {
  const auto model = kmc::make_model<kmc::SolidOnSolid>(parameters.model);
  if (const auto backend = backend_called(c.space)) {
    auto tiles = visit_backend(*backend, [&]<class Space>(std::type_identity<Space>) {
      return kmc::make_tile_method<Space>(parameters, model);
    });
    tiles_ = tiles.get();
    simulation_ = std::move(tiles);
  } else if (parameters.method == kmc::Method::bkl) {
    simulation_ = kmc::make_bkl(parameters, model);
  } else {
    simulation_ = kmc::make_waiting_time(parameters, model);
  }
}

void KmcSystem::run(const std::function<bool()>& keep_going) {
  simulation_->advance(std::numeric_limits<double>::infinity(), keep_going);
}

Counts KmcSystem::counts() const {
  Counts sum;
  if (tiles_ == nullptr) {
    for (const std::uint64_t events : simulation_->events()) sum.events += events;
    return sum;
  }
  for (const kmc::StepState& s : tiles_->step_states()) {
    sum.events += s.events;
    sum.steps += s.accepted + s.rejected;
    sum.rejected += s.rejected;
    sum.repaired += s.repaired;
  }
  return sum;
}

void KmcSystem::load(const Archive& surface) {
  const kmc::Parameters& p = simulation_->parameters();
  if (p.method != kmc::Method::bkl) {
    simulation_->load(surface);
    return;
  }
  // The rejection-free method has a generator of its own, which no other method can save: it goes on with the one that
  // it has and takes over the heights, which are all that the future of the surface depends on.
  const std::vector<std::size_t> shape{static_cast<std::size_t>(p.replicas), static_cast<std::size_t>(p.ny),
                                       static_cast<std::size_t>(p.nx)};
  std::vector<kmc::SolidOnSolid::State> heights(shape[0] * shape[1] * shape[2]);
  surface.array("state", heights, shape);
  Archive own;
  simulation_->save(own);
  own.array("state", heights, shape, "");
  simulation_->load(own);
}

double KmcSystem::tiles() const {
  if (tiles_ == nullptr) return 0;
  const kmc::Parameters& p = tiles_->parameters();
  const int tile = tiles_->tile_sizes().tile;
  return static_cast<double>(p.nx / tile) * (p.ny / tile) * p.replicas;
}

}  // namespace tessera::perf
