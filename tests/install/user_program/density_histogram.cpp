#include <Kokkos_Core.hpp>
#include <algorithm>
#include <iostream>
#include <tessera/disks/simulation.hpp>
#include <vector>

namespace disks = tessera::disks;

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  disks::Parameters parameters;
  parameters.particles = 1024;
  parameters.packing_fraction = 0.6;
  parameters.replicas = 4;
  parameters.sweeps = 2000;
  disks::Simulation<Kokkos::DefaultExecutionSpace> simulation(Kokkos::DefaultExecutionSpace(), parameters);

  // How many of the 8 x 8 parts of the box have so many disks; 16 on average.
  std::vector<int> histogram(33);
  const auto [width, height] = simulation.box();
  for (int sweeps = 500; sweeps <= 2000; sweeps += 100) {
    simulation.advance(sweeps);
    for (const auto& replica : simulation.points()) {
      std::vector<std::size_t> counts(64);
      for (const auto& [x, y] : replica) {
        const int column = std::min(static_cast<int>(8 * x / width), 7),
                  row = std::min(static_cast<int>(8 * y / height), 7);
        ++counts[static_cast<std::size_t>(8 * row + column)];
      }
      for (const std::size_t disks : counts) ++histogram.at(disks);
    }
  }
  for (std::size_t disks = 10; disks <= 22; ++disks) std::cout << disks << " disks: " << histogram[disks] << '\n';
}
