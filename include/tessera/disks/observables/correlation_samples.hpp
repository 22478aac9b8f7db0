// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <span>
#include <tessera/core/host_array.hpp>
#include <tessera/disks/impl/pair_distribution.hpp>
#include <tessera/disks/impl/shared_cells.hpp>
#include <tessera/disks/impl/subdomains.hpp>
#include <tessera/disks/observables/correlations.hpp>
#include <tessera/disks/observables/structure_factor.hpp>
#include <tessera/parallel/ghosts.hpp>
#include <vector>

namespace tessera::disks {

/// The orders of a rank's disks as a distributed table, cell by cell.
template <class MemorySpace>
struct SharedOrders {
  Cells<MemorySpace> cells;
  BondOrders<MemorySpace> orders;

  KOKKOS_FORCEINLINE_FUNCTION DisksOfCell get(int replica, int x, int y) const {
    DisksOfCell values{};
    for (int slot = 0; slot < most_in_a_cell; ++slot)
      values.of[slot] = orders(cells.index(slot, cells.geometry.index(replica, x, y)));
    return values;
  }
  KOKKOS_FORCEINLINE_FUNCTION void put(int replica, int x, int y, const DisksOfCell& values) const {
    for (int slot = 0; slot < most_in_a_cell; ++slot)
      orders(cells.index(slot, cells.geometry.index(replica, x, y))) = values.of[slot];
  }
};

/// Computes samples of a CorrelationPlan on an execution space. All ranks that share the grid take each sample, and get
/// that of the whole system.
template <class ExecutionSpace>
class CorrelationSampler {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;

  /// For the cells of this rank, of which there is a state with this geometry.
  CorrelationSampler(const ExecutionSpace& space, const CorrelationPlan& plan, const Geometry& part,
                     const Subdomains& subdomains)
      : space_(space),
        plan_(plan),
        ranks_(subdomains.communicator),
        ghosts_(space, subdomains.communicator, subdomains.grid),
        orders_("tessera::disks::orders",
                plan.with_orders ? static_cast<std::size_t>(part.all_cells()) * most_in_a_cell : 0),
        pairs_(part.replicas, plan.rings, plan.with_orders),
        waves_("tessera::disks::waves", plan.waves.size()),
        sums_("tessera::disks::density_waves", static_cast<std::size_t>(part.replicas), plan.waves.size()) {
    Kokkos::deep_copy(space_, waves_, host_array(plan_.waves));
    space_.fence("tessera::disks::waves");
  }

  /// Where the sample that is taken first writes psi_6 of the rank's own disks; empty if the plan does not need it.
  const BondOrders<MemorySpace>& orders() const { return orders_; }

  /// Bytes allocated on the device.
  std::size_t bytes() const {
    return orders_.size() * sizeof(Position) + pairs_.pairs.size() * sizeof(std::uint64_t) +
           pairs_.products.size() * sizeof(std::int64_t) + waves_.size() * sizeof(WaveNumber) +
           sums_.size() * sizeof(std::int64_t) + ghosts_.bytes();
  }

  /// A sample of each replica of `particles` disks.
  std::vector<std::vector<double>> operator()(const State<MemorySpace>& state, std::int64_t particles) {
    std::vector<std::vector<double>> samples(pairs_.pairs.extent(0));
    if (plan_.rings.count > 0) add_pairs(state.cells, samples);
    if (!plan_.waves.empty()) add_waves(state, static_cast<double>(particles), samples);
    return samples;
  }

 private:
  template <class View>
  auto on_host(const View& view) const {
    const auto host = Kokkos::create_mirror_view(view);
    Kokkos::deep_copy(space_, host, view);
    space_.fence("tessera::disks::correlations");
    ranks_.sum(std::span(host.data(), host.size()));
    return host;
  }

  void add_pairs(const Cells<MemorySpace>& cells, std::vector<std::vector<double>>& samples) {
    Kokkos::deep_copy(space_, pairs_.pairs, std::uint64_t{0});
    Kokkos::deep_copy(space_, pairs_.products, std::int64_t{0});
    if (plan_.with_orders) {
      ghosts_.exchange(table_of_cells(cells.geometry), SharedOrders<MemorySpace>{cells, orders_});
      count_pairs<true>(space_, cells, orders_, plan_.rings, pairs_);
    } else {
      count_pairs<false>(space_, cells, orders_, plan_.rings, pairs_);
    }
    const auto pairs = on_host(pairs_.pairs);
    for (std::size_t r = 0; r < samples.size(); ++r)
      for (std::size_t i = 0; i < pairs.extent(1); ++i) samples[r].push_back(static_cast<double>(pairs(r, i)));
    if (!plan_.with_orders) return;
    const auto products = on_host(pairs_.products);
    for (std::size_t r = 0; r < samples.size(); ++r)
      for (std::size_t i = 0; i < products.extent(1); ++i)
        samples[r].push_back(static_cast<double>(products(r, i)) * order_unit);
  }

  void add_waves(const State<MemorySpace>& state, double particles, std::vector<std::vector<double>>& samples) {
    Kokkos::deep_copy(space_, sums_, std::int64_t{0});
    add_density_waves<ExecutionSpace, MemorySpace>(space_, state, waves_, sums_);
    const auto sums = on_host(sums_);
    for (std::size_t r = 0; r < samples.size(); ++r)
      for (std::size_t k = 0; k < sums.extent(1); ++k)
        samples[r].push_back(intensity(sums(r, k, 0), sums(r, k, 1), particles));
  }

  ExecutionSpace space_;
  CorrelationPlan plan_;
  parallel::Communicator ranks_;
  parallel::Ghosts<ExecutionSpace> ghosts_;
  BondOrders<MemorySpace> orders_;
  PairSums<MemorySpace> pairs_;
  Kokkos::View<WaveNumber*, MemorySpace> waves_;
  Kokkos::View<std::int64_t** [2], Kokkos::LayoutRight, MemorySpace> sums_;
};

}  // namespace tessera::disks
