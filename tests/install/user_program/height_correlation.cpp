#include <Kokkos_Core.hpp>
#include <cstdint>
#include <iostream>
#include <tessera/kpz/simulation.hpp>
#include <vector>

namespace kpz = tessera::kpz;

/// The height-difference correlation function along x, <(h(x + r, y) - h(x, y))^2>, over all sites and replicas.
double height_correlation(const std::vector<std::int32_t>& heights, std::size_t nx, std::size_t r) {
  double sum = 0;
  for (std::size_t row = 0; row < heights.size(); row += nx) {
    for (std::size_t x = 0; x < nx; ++x) {
      const double difference = heights[row + (x + r) % nx] - heights[row + x];
      sum += difference * difference;
    }
  }
  return sum / static_cast<double>(heights.size());
}

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  kpz::Parameters parameters;
  parameters.nx = parameters.ny = 256;
  parameters.replicas = 2;
  parameters.steps = 100;
  kpz::Simulation simulation(Kokkos::DefaultExecutionSpace(), parameters);
  for (const double time : {1, 10, 100}) {
    simulation.advance(time);
    const std::vector<std::int32_t> heights = simulation.heights();  // [replicas, ny, nx]
    std::cout << "time " << simulation.time();
    for (const std::size_t r : {2, 8, 32}) std::cout << "  " << height_correlation(heights, 256, r);
    std::cout << '\n';
  }
}
