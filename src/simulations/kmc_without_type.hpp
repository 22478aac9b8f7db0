// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>
#include <tessera/kmc/models.hpp>
#include <tessera/kmc/simulation.hpp>
#include <tuple>

#include "simulations/kmc.hpp"

namespace tessera::kmc {

/// A simulation behind the interface Any: AnySimulation<M>, or one derived from it.
template <class Simulation, Model M, class Any = AnySimulation<M>>
class WithoutType : public Any {
 public:
  template <class... Arguments>
  explicit WithoutType(const Arguments&... arguments) : simulation_(arguments...) {}

  void advance(double until, const std::function<bool()>& keep_going) override {
    simulation_.advance(until, keep_going);
  }
  bool finished() const override { return simulation_.finished(); }
  double time() const override { return simulation_.time(); }
  std::vector<double> times() const override { return simulation_.times(); }
  std::vector<std::uint64_t> events() const override { return simulation_.events(); }
  const Parameters& parameters() const override { return simulation_.parameters(); }
  std::size_t bytes() const override { return simulation_.bytes(); }
  std::vector<Observable> measure() const override { return simulation_.measure(); }
  History drain_history() override { return simulation_.drain_history(); }
  std::vector<typename M::State> states() const override { return simulation_.states(); }
  std::function<void(std::size_t first, std::span<typename M::State> part)> state_parts() const override {
    if constexpr (requires { simulation_.state_parts(); }) {
      return simulation_.state_parts();
    } else {
      return [this](std::size_t first, std::span<typename M::State> part) { simulation_.read_states(first, part); };
    }
  }
  void serve_states() const override {
    if constexpr (requires { simulation_.state_parts(); }) simulation_.state_parts().serve();
  }
  void save(io::CheckpointWriter& checkpoint) const override { simulation_.save(checkpoint); }
  void save(io::MemoryArchive& archive) const override { simulation_.save(archive); }
  void load(const io::CheckpointReader& checkpoint) override { simulation_.load(checkpoint); }
  void load(const io::MemoryArchive& archive) override { simulation_.load(archive); }

 protected:
  Simulation simulation_;
};

template <class Space, Model M>
class TileMethodWithoutType final : public WithoutType<Simulation<Space, M>, M, AnyTileMethod<M>> {
 public:
  TileMethodWithoutType(const Parameters& parameters, const M& model, const parallel::Communicator& ranks,
                        const std::optional<parallel::GridShape>& grid)
      : WithoutType<Simulation<Space, M>, M, AnyTileMethod<M>>(Space(), parameters, model, ranks, grid) {}

  const std::vector<StepState>& step_states() const override { return this->simulation_.step_states(); }
  const TileSizes& tile_sizes() const override { return this->simulation_.tile_sizes(); }
  std::vector<double> waiting_times() const override { return this->simulation_.waiting_times(); }
  std::vector<std::uint64_t> streams() const override { return this->simulation_.streams(); }
  void begin_in_order(EventOrder order) override { this->simulation_.steps().begin_in_order(order); }
  void check_only(unsigned side_mask) override { this->simulation_.steps().check_only(side_mask); }
};

template <class Space, Model M>
std::unique_ptr<AnyTileMethod<M>> make_tile_method(const Parameters& parameters, const M& model,
                                                   const parallel::Communicator& ranks,
                                                   const std::optional<parallel::GridShape>& grid) {
  return std::make_unique<TileMethodWithoutType<Space, M>>(parameters, model, ranks, grid);
}

/// Its explicit instantiation defines make_tile_method() for tuples of execution spaces and of models.
template <class Spaces, class Models>
struct TileMethods;
template <class... Spaces, class Models>
struct TileMethods<std::tuple<Spaces...>, Models> {
  template <class Space, class... M>
  static constexpr auto on(std::tuple<M...>*) {
    return std::tuple(&make_tile_method<Space, M>...);
  }
  static constexpr std::tuple all{on<Spaces>(static_cast<Models*>(nullptr))...};
};

}  // namespace tessera::kmc
