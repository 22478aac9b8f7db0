// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <tessera/core/host_array.hpp>
#include <tessera/disks/observables/correlations.hpp>
#include <tessera/disks/observables/pair_distribution.hpp>
#include <tessera/disks/observables/structure_factor.hpp>
#include <tessera/disks/state/subdomains.hpp>
#include <tessera/parallel/ghosts.hpp>
#include <vector>

namespace tessera::disks {

/// psi_6 of a rank's disks as a distributed table of cells.
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

/// Computes samples of a CorrelationPlan on an execution space. Collective: all ranks get those of the whole system.
template <class ExecutionSpace>
class CorrelationSampler {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;

  /// `part`: geometry of the states of this rank.
  CorrelationSampler(const ExecutionSpace& space, const CorrelationPlan& plan, const Geometry& part,
                     const parallel::Distribution& distribution)
      : space_(space),
        plan_(plan),
        ranks_(distribution.ranks),
        ghosts_(space, distribution.ranks, distribution.grid),
        orders_("tessera::disks::orders",
                plan.with_orders ? static_cast<std::size_t>(part.all_cells()) * most_in_a_cell : 0),
        pairs_(part.replicas, plan.rings, plan.with_orders),
        waves_("tessera::disks::waves", plan.waves.size()),
        sums_("tessera::disks::density_waves", static_cast<std::size_t>(part.replicas), plan.waves.size()),
        pair_teams_{space.concurrency() / (runs_on_host<ExecutionSpace> ? 1 : 128), plan.rings.count > 0 ? 1 : 0},
        wave_teams_{pair_teams_.at_once, plan.waves.empty() ? 0 : 1} {
    Kokkos::deep_copy(space_, waves_, host_array(plan_.waves));
    space_.fence("tessera::disks::waves");
  }

  /// psi_6 of the rank's own disks, which Sampler writes before begin(); empty if the plan does not need it.
  const BondOrders<MemorySpace>& orders() const { return orders_; }

  /// Begins a sample of each replica; the state must not change until it is complete.
  void begin(const State<MemorySpace>& state) {
    Kokkos::deep_copy(space_, pairs_.pairs, std::uint64_t{0});
    Kokkos::deep_copy(space_, pairs_.products, std::int64_t{0});
    Kokkos::deep_copy(space_, sums_, std::int64_t{0});
    if (plan_.with_orders)
      ghosts_.exchange(table_of_cells(state.geometry()), SharedOrders<MemorySpace>{state.cells, orders_});
    pair_teams_.next = wave_teams_.next = 0;
  }

  /// Computes for about 0.1 s. Returns the samples, of `particles` disks each, when they are complete.
  std::optional<std::vector<std::vector<double>>> go_on(const State<MemorySpace>& state, std::int64_t particles) {
    for (const Kokkos::Timer timer; pair_teams_.are_left() || wave_teams_.are_left();) {
      launch_some(pair_teams_.are_left() ? pair_teams_ : wave_teams_, state);
      if (timer.seconds() >= 0.5 * seconds_at_once) break;
    }
    if (!ranks_.all(!pair_teams_.are_left() && !wave_teams_.are_left())) return std::nullopt;
    std::vector<std::vector<double>> samples(pairs_.pairs.extent(0));
    const auto append = [&](const auto& view, const auto& value) {
      if (view.size() == 0) return;
      const auto sums = parallel::sum_on_host(space_, view, ranks_);
      for (std::size_t r = 0; r < samples.size(); ++r)
        for (std::size_t i = 0; i < sums.extent(1); ++i) samples[r].push_back(value(sums, r, i));
    };
    append(pairs_.pairs, [](const auto& n, auto r, auto i) { return static_cast<double>(n(r, i)); });
    append(pairs_.products, [](const auto& n, auto r, auto i) { return static_cast<double>(n(r, i)) * order_unit; });
    append(sums_, [=](const auto& n, auto r, auto k) {
      return intensity(n(r, k, 0), n(r, k, 1), static_cast<double>(particles));
    });
    return samples;
  }

  /// Wall seconds of a sample, extrapolated from a part of each kernel. Call begin() next.
  double seconds_of_sample(const State<MemorySpace>& state) {
    double all = 0;
    for (Teams* const teams : {&pair_teams_, &wave_teams_}) {
      teams->next = 0;
      if (!teams->are_left()) continue;
      const Kokkos::Timer timer;
      launch_some(*teams, state);
      space_.fence("tessera::disks::part_of_sample");
      all += timer.seconds() * teams->all / teams->next;
    }
    return all;
  }

 private:
  static constexpr double seconds_at_once = 0.1;

  /// The teams of a kernel, launched in groups that can be interrupted. `all`: 1 before the first launch; 0: none.
  struct Teams {
    int at_once, all, next = 0;
    bool are_left() const { return next < all; }
  };

  /// Launches the next group of teams, and waits for it unless it is the last one.
  void launch_some(Teams& teams, const State<MemorySpace>& state) {
    const Kokkos::Timer timer;
    const int first = teams.next, most = std::max(1, teams.at_once);
    if (&teams == &wave_teams_)
      teams.all = add_density_waves<ExecutionSpace, MemorySpace>(space_, state, waves_, sums_, first, most);
    else if (plan_.with_orders)
      teams.all = count_pairs<true>(space_, state.cells, orders_, plan_.rings, pairs_, first, most);
    else
      teams.all = count_pairs<false>(space_, state.cells, orders_, plan_.rings, pairs_, first, most);
    teams.next = std::min(first + most, teams.all);
    if (teams.next == teams.all) return;
    space_.fence("tessera::disks::part_of_sample");
    teams.at_once = static_cast<int>(std::clamp(seconds_at_once / timer.seconds(), 0.5, 2.0) * most);
  }

  ExecutionSpace space_;
  CorrelationPlan plan_;
  parallel::Communicator ranks_;
  parallel::Ghosts<ExecutionSpace> ghosts_;
  BondOrders<MemorySpace> orders_;
  PairSums<MemorySpace> pairs_;
  Kokkos::View<WaveNumber*, MemorySpace> waves_;
  Kokkos::View<std::int64_t** [2], Kokkos::LayoutRight, MemorySpace> sums_;
  Teams pair_teams_, wave_teams_;
};

}  // namespace tessera::disks
