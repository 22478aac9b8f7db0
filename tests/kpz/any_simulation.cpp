// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tests/kpz/any_simulation.hpp"

#include <tessera/kpz/sequential.hpp>
#include <tessera/kpz/simulation.hpp>

namespace tessera::testing {
namespace {

template <class Simulation>
class Any : public AnySimulation {
 public:
  template <class... Arguments>
  explicit Any(const Arguments&... arguments) : simulation_(arguments...) {}
  void advance(double until, const std::function<bool()>& keep_going) override {
    simulation_.advance(until, keep_going);
  }
  double time() const override { return simulation_.time(); }
  double attempts() const override { return simulation_.attempts(); }
  std::vector<kpz::Observable> measure() override { return simulation_.measure(); }
  std::vector<kpz::EffectiveExponent> drain_exponents() override { return simulation_.drain_exponents(); }
  std::vector<std::uint32_t> words() const override { return simulation_.words(); }
  std::vector<std::int32_t> heights() const override { return simulation_.heights(); }
  std::uint64_t inconsistencies() const override { return simulation_.inconsistencies(); }
  std::size_t bytes() const override { return simulation_.bytes(); }
  void save(MemoryArchive& archive) const override { simulation_.save(archive); }
  void load(const MemoryArchive& archive) override { simulation_.load(archive); }

 private:
  Simulation simulation_;
};

/// Counts the attempts at each site.
struct CountAttempts {
  Kokkos::View<std::uint32_t*, Kokkos::HostSpace> counts;
  int nx = 0;
  KOKKOS_FUNCTION void attempt(int, int x, int y) const { Kokkos::atomic_inc(&counts(y * nx + x)); }
};

}  // namespace

template <class Space>
std::unique_ptr<AnySimulation> make_simulation(const kpz::Parameters& p) {
  return std::make_unique<Any<kpz::Simulation<Space>>>(Space(), p);
}

std::unique_ptr<AnySimulation> make_sequential(const kpz::Parameters& p) {
  kpz::Parameters sequential = p;
  sequential.method = kpz::Method::sequential;
  return std::make_unique<Any<kpz::Sequential>>(sequential);
}

std::pair<std::vector<std::uint32_t>, double> attempts_of_sites(const kpz::Parameters& p, int intervals) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  const CountAttempts count{
      Kokkos::View<std::uint32_t*, Kokkos::HostSpace>("attempts", static_cast<std::size_t>(p.nx * p.ny)), p.nx};
  kpz::Simulation<Space, CountAttempts> simulation(Space(), p, count);
  const double interval =
      simulation.decomposition().attempts_an_interval() / static_cast<double>(simulation.state().lattice.sites());
  simulation.advance((intervals - 0.5) * interval);
  return {{count.counts.data(), count.counts.data() + count.counts.size()}, simulation.time()};
}

#ifdef KOKKOS_ENABLE_SERIAL
template std::unique_ptr<AnySimulation> make_simulation<Kokkos::Serial>(const kpz::Parameters&);
#endif
#ifdef KOKKOS_ENABLE_OPENMP
template std::unique_ptr<AnySimulation> make_simulation<Kokkos::OpenMP>(const kpz::Parameters&);
#endif
#ifdef KOKKOS_ENABLE_CUDA
template std::unique_ptr<AnySimulation> make_simulation<Kokkos::Cuda>(const kpz::Parameters&);
#endif

}  // namespace tessera::testing
