// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <cstdint>
#include <limits>
#include <memory>
#include <tessera/kmc/models.hpp>
#include <tessera/kmc/sequential/bkl.hpp>
#include <tessera/kmc/sequential/waiting_time.hpp>
#include <utility>
#include <vector>

#include "system.hpp"

namespace tessera::perf {
namespace {

using Model = kmc::SolidOnSolid;

/// A sequential method. It has no steps, and asks keep_going every 1e5 events.
template <class Simulation>
class SequentialSystem : public KmcSystem {
 public:
  explicit SequentialSystem(const kmc::Parameters& parameters)
      : simulation_(parameters, kmc::make_model<Model>(parameters.model)) {}

  void run(const std::function<bool()>& keep_going) override {
    simulation_.advance(std::numeric_limits<double>::infinity(), keep_going);
  }

  Counts counts() const override {
    Counts sum;
    for (const std::uint64_t events : simulation_.events()) sum.events += events;
    return sum;
  }

  void save(Archive& archive) const override { simulation_.save(archive); }
  void load(const Archive& surface) override { simulation_.load(surface); }
  std::size_t bytes() const override { return simulation_.bytes(); }
  double tiles() const override { return 0; }

 protected:
  Simulation simulation_;
};

/// The rejection-free method has a generator of its own, which no other method can save: it goes on with the one that
/// it has and takes over the heights, which are all that the future of the surface depends on.
class BklSystem : public SequentialSystem<kmc::BklSimulation<Model>> {
 public:
  using SequentialSystem::SequentialSystem;

  void load(const Archive& surface) override {
    const kmc::Parameters& p = simulation_.parameters();
    const std::vector<std::size_t> shape{static_cast<std::size_t>(p.replicas), static_cast<std::size_t>(p.ny),
                                         static_cast<std::size_t>(p.nx)};
    std::vector<Model::State> heights(shape[0] * shape[1] * shape[2]);
    surface.array("state", heights, shape);
    Archive own;
    simulation_.save(own);
    own.array("state", heights, shape, "");
    simulation_.load(std::as_const(own));
  }
};

}  // namespace

std::unique_ptr<KmcSystem> make_sequential(const kmc::Parameters& parameters) {
  if (parameters.method == kmc::Method::bkl) return std::make_unique<BklSystem>(parameters);
  return std::make_unique<SequentialSystem<kmc::WaitingTimeSimulation<Model>>>(parameters);
}

}  // namespace tessera::perf
