// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "disks_adapter.hpp"

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <tessera/core/kokkos_ext/visit_backend.hpp>
#include <tessera/disks/memory.hpp>
#include <tessera/disks/observables/bond_order.hpp>
#include <utility>
#include <vector>

#include "simulation_adapter.hpp"
#include "simulations/disks.hpp"

namespace tessera::program {
namespace {

/// Any of the simulations of disks, parallel or sequential, behind the interface that the run loop drives.
class DisksAdapter : public SimulationAdapter<disks::AnySimulation> {
 public:
  DisksAdapter(const disks::Parameters& parameters, const MemoryNeeded& memory,
               std::unique_ptr<disks::AnySimulation> simulation)
      : SimulationAdapter(std::move(simulation)), parameters_(parameters), memory_(memory) {}

  bool start(const std::function<bool()>& keep_going) override { return simulation_->start(keep_going); }

  bool finished() const override { return simulation_->finished(); }
  std::vector<double> times() const override {
    return std::vector<double>(static_cast<std::size_t>(parameters_.replicas), time());
  }
  std::string time_unit() const override { return "sweeps"; }
  double time_goal() const override { return parameters_.sweeps; }

  double work() const override {
    double sum = 0;
    for (const auto& moves : simulation_->moves()) sum += static_cast<double>(moves.tried);
    return sum;
  }
  double work_goal() const override { return std::numeric_limits<double>::infinity(); }
  std::string rate_unit() const override { return "trial moves/s"; }

  /// g(r) of the disks as they are now, in rings of width 0.02.
  std::vector<Field> fields() override {
    std::vector<Field> fields;
    fields.push_back({"pair_distribution", "", {disks::rings}, simulation_->pair_distribution()});
    return fields;
  }

  /// It is of all disks, and the same at all ranks; all of them are needed.
  void serve_fields() override { simulation_->pair_distribution(); }

  std::vector<ParticleFrame> particles() override {
    return {{"disks", "sigma", simulation_->box(), simulation_->points()}};
  }
  std::size_t particles_of_replica() const override { return static_cast<std::size_t>(parameters_.particles); }

  std::vector<History> drain_history() override { return drain_only_history(); }

  std::optional<std::size_t> replica_dimension(const std::string& entry) const override {
    if (entry == "sweeps") return std::nullopt;
    return 0;
  }
  bool has_one_time() const override { return true; }

  std::size_t bytes_on_device() const override { return memory_.device > 0 ? memory_.device : memory_.host; }

 private:
  disks::Parameters parameters_;
  MemoryNeeded memory_;
};

}  // namespace

std::unique_ptr<SimulationInterface> make_disks_sequential(const disks::Parameters& parameters) {
  return std::make_unique<DisksAdapter>(parameters, disks::memory_needed(parameters),
                                        disks::make_sequential(parameters, {}));
}

std::unique_ptr<SimulationInterface> make_disks_parallel(const disks::Parameters& parameters, Backend backend) {
  return make_disks_shared(parameters, {backend, {}, {}}, disks::memory_needed(parameters));
}

std::unique_ptr<SimulationInterface> make_disks_shared(const disks::Parameters& parameters, const Sharing& sharing,
                                                       const MemoryNeeded& memory) {
  auto simulation = visit_backend(sharing.backend, [&]<class Space>(std::type_identity<Space>) {
    return disks::make_simulation<Space>(parameters, {}, sharing.ranks, sharing.grid);
  });
  return std::make_unique<DisksAdapter>(parameters, memory, std::move(simulation));
}

}  // namespace tessera::program
