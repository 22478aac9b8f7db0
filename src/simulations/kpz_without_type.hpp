// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include "simulations/kpz.hpp"

namespace tessera::kpz {

template <class Simulation>
class WithoutType final : public AnySimulation {
 public:
  template <class... Arguments>
  explicit WithoutType(const Arguments&... arguments) : simulation_(arguments...) {}

  void advance(double until, const std::function<bool()>& keep_going) override {
    simulation_.advance(until, keep_going);
  }
  double time() const override { return simulation_.time(); }
  double attempts() const override { return simulation_.attempts(); }
  std::size_t bytes() const override { return simulation_.bytes(); }
  std::vector<Observable> measure() override { return simulation_.measure(); }
  std::vector<EffectiveExponent> drain_exponents() override { return simulation_.drain_exponents(); }
  std::vector<QuantityChange> drain_changes() override { return simulation_.drain_changes(); }
  std::uint64_t inconsistencies() const override { return simulation_.inconsistencies(); }
  std::vector<std::uint32_t> words() const override { return simulation_.words(); }
  std::vector<std::int32_t> heights() const override { return simulation_.heights(); }
  std::function<void(std::size_t first, std::span<std::int32_t> part)> height_parts() const override {
    return simulation_.height_parts();
  }
  void serve_heights() const override {
    if constexpr (requires { simulation_.height_parts().serve(); }) simulation_.height_parts().serve();
  }
  void save(io::CheckpointWriter& checkpoint) const override { simulation_.save(checkpoint); }
  void save(io::MemoryArchive& archive) const override { simulation_.save(archive); }
  void load(const io::CheckpointReader& checkpoint) override { simulation_.load(checkpoint); }
  void load(const io::MemoryArchive& archive) override { simulation_.load(archive); }

 private:
  Simulation simulation_;
};

}  // namespace tessera::kpz
