// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <tessera/core/host_array.hpp>
#include <tessera/disks/observables/correlations.hpp>
#include <tessera/disks/observables/density_waves.hpp>
#include <tessera/disks/observables/pair_distribution.hpp>
#include <tessera/disks/state/subdomains.hpp>
#include <tessera/parallel/ghosts.hpp>
#include <type_traits>
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
        waves_(space, plan.waves, part.replicas),
        pair_parts_{std::max(1, space.concurrency() / (runs_on_host<ExecutionSpace> ? 1 : 128))},
        wave_parts_{pair_parts_.at_once} {}

  /// psi_6 of the rank's own disks, which Sampler writes before begin(); empty if the plan does not need it.
  const BondOrders<MemorySpace>& orders() const { return orders_; }

  /// Begins a sample of each replica; the state must not change until it is complete.
  void begin(const State<MemorySpace>& state) {
    Kokkos::deep_copy(space_, pairs_.pairs, std::uint64_t{0});
    Kokkos::deep_copy(space_, pairs_.products, std::int64_t{0});
    if (plan_.with_orders)
      ghosts_.exchange(table_of_cells(state.geometry()), SharedOrders<MemorySpace>{state.cells, orders_});
    pair_parts_.next = wave_parts_.next = 0;
    pair_parts_.all = plan_.rings.count > 0 ? 1 : 0;  // until the first launch
    wave_parts_.all = waves_.begin(state);
  }

  /// Computes for about 0.1 s. Returns the samples, of `particles` disks each, when they are complete.
  std::optional<std::vector<std::vector<double>>> go_on(const State<MemorySpace>& state, std::int64_t particles) {
    for (const Kokkos::Timer timer; pair_parts_.are_left() || wave_parts_.are_left();) {
      launch_some(pair_parts_.are_left() ? pair_parts_ : wave_parts_, state);
      if (timer.seconds() >= 0.5 * seconds_at_once) break;
    }
    if (!ranks_.all(!pair_parts_.are_left() && !wave_parts_.are_left())) return std::nullopt;
    std::vector<std::vector<double>> samples(pairs_.pairs.extent(0));
    const auto append = [&](const auto& view, const auto& value) {
      if (view.size() == 0) return;
      const auto sums = parallel::sum_on_host(space_, view, ranks_);
      for (std::size_t r = 0; r < samples.size(); ++r)
        for (std::size_t i = 0; i < sums.extent(1); ++i) samples[r].push_back(value(sums, r, i));
    };
    append(pairs_.pairs, [](const auto& n, auto r, auto i) { return static_cast<double>(n(r, i)); });
    append(pairs_.products, [](const auto& n, auto r, auto i) { return static_cast<double>(n(r, i)) * order_unit; });
    waves_.append_to(samples, particles, ranks_);
    return samples;
  }

  /// Wall seconds of a sample, extrapolated from parts of it. Call begin() next.
  double seconds_of_sample(const State<MemorySpace>& state) {
    begin(state);
    double all = 0;
    for (Parts* const parts : {&pair_parts_, &wave_parts_}) {
      double seconds = 0;
      std::int64_t done = 0;
      for (int launch = 0; launch < 2 && parts->are_left(); ++launch) {  // the first one may start a library
        done = parts->next;
        const Kokkos::Timer timer;
        launch_some(*parts, state);
        space_.fence("tessera::disks::part_of_sample");
        seconds = timer.seconds();
      }
      if (seconds > 0) all += seconds * static_cast<double>(parts->all) / static_cast<double>(parts->next - done);
    }
    return all;
  }

 private:
  static constexpr double seconds_at_once = 0.1;

  /// The parts of a sum, launched in groups that can be interrupted.
  struct Parts {
    std::int64_t at_once, all = 0, next = 0;
    bool are_left() const { return next < all; }
  };

  /// Launches the next group of parts, and waits for it unless it is the last one.
  void launch_some(Parts& parts, const State<MemorySpace>& state) {
    const Kokkos::Timer timer;
    const std::int64_t first = parts.next, most = parts.at_once;
    const auto count = [&](auto with_orders) {
      return count_pairs<with_orders()>(space_, state.cells, orders_, plan_.rings, pairs_, static_cast<int>(first),
                                        static_cast<int>(most));
    };
    if (&parts == &wave_parts_)
      waves_.add(first, std::min(most, parts.all - first));
    else
      parts.all = plan_.with_orders ? count(std::true_type()) : count(std::false_type());
    parts.next = std::min(first + most, parts.all);
    if (parts.next == parts.all) return;
    space_.fence("tessera::disks::part_of_sample");
    parts.at_once = std::max<std::int64_t>(
        1,
        static_cast<std::int64_t>(std::clamp(seconds_at_once / timer.seconds(), 0.5, 2.0) * static_cast<double>(most)));
  }

  ExecutionSpace space_;
  CorrelationPlan plan_;
  parallel::Communicator ranks_;
  parallel::Ghosts<ExecutionSpace> ghosts_;
  BondOrders<MemorySpace> orders_;
  PairSums<MemorySpace> pairs_;
  DensityWaves<ExecutionSpace> waves_;
  Parts pair_parts_, wave_parts_;
};

}  // namespace tessera::disks
