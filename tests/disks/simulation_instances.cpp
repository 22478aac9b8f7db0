// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tests/disks/simulation_instances.hpp"

#include <tessera/disks/simulation.hpp>

namespace tessera::disks {
namespace {

template <class Space>
class SimulationOn : public AnySimulation {
 public:
  template <class... Points>
  explicit SimulationOn(const Parameters& p, const Points&... points) : simulation_(Space(), p, points...) {}

  void advance(double until, const std::function<bool()>& keep_going) override {
    simulation_.advance(until, keep_going);
  }
  bool start(const std::function<bool()>& keep_going) override { return simulation_.start(keep_going); }
  bool finished() const override { return simulation_.finished(); }
  double time() const override { return simulation_.time(); }
  Geometry geometry() const override { return simulation_.geometry(); }
  Configuration configuration() const override { return simulation_.configuration(); }
  std::vector<std::vector<Point>> points() const override { return simulation_.points(); }
  std::vector<double> pair_distribution() const override { return simulation_.pair_distribution(); }
  std::vector<Observable> measure() const override { return simulation_.measure(); }
  History drain_history() override { return simulation_.drain_history(); }
  std::vector<Sample> sample() const override { return simulation_.sample(); }
  void save(MemoryArchive& archive) const override { simulation_.save(archive); }
  void load(const MemoryArchive& archive) override { simulation_.load(archive); }

 private:
  Simulation<Space> simulation_;
};

}  // namespace

template <class Space>
std::unique_ptr<AnySimulation> make_simulation(const Parameters& p) {
  return std::make_unique<SimulationOn<Space>>(p);
}
template <class Space>
std::unique_ptr<AnySimulation> make_simulation(const Parameters& p, const std::vector<std::vector<Point>>& points) {
  return std::make_unique<SimulationOn<Space>>(p, points);
}

#if defined(KOKKOS_ENABLE_SERIAL)
template std::unique_ptr<AnySimulation> make_simulation<Kokkos::Serial>(const Parameters&);
template std::unique_ptr<AnySimulation> make_simulation<Kokkos::Serial>(const Parameters&,
                                                                        const std::vector<std::vector<Point>>&);
#endif
#if defined(KOKKOS_ENABLE_OPENMP)
template std::unique_ptr<AnySimulation> make_simulation<Kokkos::OpenMP>(const Parameters&);
template std::unique_ptr<AnySimulation> make_simulation<Kokkos::OpenMP>(const Parameters&,
                                                                        const std::vector<std::vector<Point>>&);
#endif
#if defined(KOKKOS_ENABLE_CUDA)
template std::unique_ptr<AnySimulation> make_simulation<Kokkos::Cuda>(const Parameters&);
template std::unique_ptr<AnySimulation> make_simulation<Kokkos::Cuda>(const Parameters&,
                                                                      const std::vector<std::vector<Point>>&);
#endif

}  // namespace tessera::disks
