// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <tessera/kmc/simulation.hpp>

#include "tests/kmc/exactness_method.hpp"

namespace tessera::kmc {

template <class Space, Model M>
class AnyTileMethodOn final : public AnyTileMethod<M> {
 public:
  using Archive = typename AnyTileMethod<M>::Archive;

  AnyTileMethodOn(const Parameters& parameters, const M& model) : simulation_(Space(), parameters, model) {}

  void advance(double until, const std::function<bool()>& keep_going) override {
    simulation_.advance(until, keep_going);
  }
  bool finished() const override { return simulation_.finished(); }
  double time() const override { return simulation_.time(); }
  std::vector<double> times() const override { return simulation_.times(); }
  std::vector<std::uint64_t> events() const override { return simulation_.events(); }
  const std::vector<StepState>& step_states() const override { return simulation_.step_states(); }
  std::size_t bytes() const override { return simulation_.bytes(); }
  std::vector<Observable> measure() const override { return simulation_.measure(); }
  History drain_history() override { return simulation_.drain_history(); }
  std::vector<typename M::State> states() const override { return simulation_.states(); }
  std::vector<double> waiting_times() const override { return simulation_.waiting_times(); }
  std::vector<std::uint64_t> streams() const override { return simulation_.streams(); }
  void save(Archive& archive) const override { simulation_.save(archive); }
  void load(const Archive& archive) override { simulation_.load(archive); }
  void begin_in_order(EventOrder order) override { simulation_.steps().begin_in_order(order); }
  void read_streams_lazily_below(int events) override { simulation_.steps().read_streams_lazily_below(events); }
  void write_sparingly(bool sparingly) override { simulation_.steps().write_sparingly(sparingly); }
  void check_only(unsigned side_mask) override { simulation_.steps().check_only(side_mask); }

 private:
  Simulation<Space, M> simulation_;
};

template <class Space, Model M>
std::unique_ptr<AnyTileMethod<M>> make_tile_method(const Parameters& parameters, const M& model) {
  return std::make_unique<AnyTileMethodOn<Space, M>>(parameters, model);
}

}  // namespace tessera::kmc

#ifdef KOKKOS_ENABLE_SERIAL
#define TESSERA_TEST_ON_SERIAL(M) \
  template std::unique_ptr<AnyTileMethod<M>> make_tile_method<Kokkos::Serial>(const Parameters&, const M&);
#else
#define TESSERA_TEST_ON_SERIAL(M)
#endif
#ifdef KOKKOS_ENABLE_OPENMP
#define TESSERA_TEST_ON_OPENMP(M) \
  template std::unique_ptr<AnyTileMethod<M>> make_tile_method<Kokkos::OpenMP>(const Parameters&, const M&);
#else
#define TESSERA_TEST_ON_OPENMP(M)
#endif
#ifdef KOKKOS_ENABLE_CUDA
#define TESSERA_TEST_ON_CUDA(M) \
  template std::unique_ptr<AnyTileMethod<M>> make_tile_method<Kokkos::Cuda>(const Parameters&, const M&);
#else
#define TESSERA_TEST_ON_CUDA(M)
#endif
/// Defines make_tile_method() for a model on every execution space.
#define TESSERA_TEST_ON_EVERY_SPACE(M) TESSERA_TEST_ON_SERIAL(M) TESSERA_TEST_ON_OPENMP(M) TESSERA_TEST_ON_CUDA(M)
