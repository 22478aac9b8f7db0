// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <tessera/analysis/exact_sums.hpp>
#include <tessera/analysis/moments.hpp>
#include <tessera/core/error.hpp>
#include <tessera/core/host_array.hpp>
#include <tessera/core/observable.hpp>
#include <tessera/kmc/model.hpp>
#include <tessera/kmc/observables/clusters.hpp>
#include <tessera/kmc/observables/order.hpp>
#include <tessera/parallel/array_transfer.hpp>
#include <tessera/parallel/communicator.hpp>
#include <vector>

/// Observables of lattices. Kernels sum integers; the host computes in a fixed order: results are portable to the bit.
namespace tessera::kmc {

/// Ranks over which sums extend. Neighbours beyond the end of a divided direction are in the ghost ring.
struct OverRanks {
  parallel::Communicator ranks = {};
  bool cut_x = false, cut_y = false;
  std::int64_t cells = 0;  ///< cells of the whole lattice; 0: a single rank
};

/// Sum of add(replica, x, y), of type ExactSums, over the nx * ny cells of each replica, in one kernel, and over all
/// ranks.
template <int Words, class ExecutionSpace, class Add>
std::vector<analysis::ExactSums<Words>> sum_over_sites(const ExecutionSpace& space, const std::string& label, int nx,
                                                       int ny, int replicas, const OverRanks& over, const Add& add) {
  // Cells that a team sums: enough to hide its atomic additions, few enough to fill a device.
  constexpr std::uint32_t piece = 8192;
  const std::uint32_t cells = static_cast<std::uint32_t>(nx) * static_cast<std::uint32_t>(ny);
  const std::uint32_t pieces = (cells + piece - 1) / piece;
  const auto width = static_cast<std::uint32_t>(nx);

  const Kokkos::View<std::uint64_t**, Kokkos::LayoutRight, typename ExecutionSpace::memory_space> totals(
      Kokkos::view_alloc(space, label + "_totals"), static_cast<std::size_t>(replicas), Words);
  using Policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>;
  constexpr bool on_host = runs_on_host<ExecutionSpace>;
  const Policy policy(space, static_cast<int>(pieces * static_cast<std::uint32_t>(replicas)), on_host ? 1 : 128);
  Kokkos::parallel_for(
      label, policy, KOKKOS_LAMBDA(const typename Policy::member_type& team) {
        const auto league_rank = static_cast<std::uint32_t>(team.league_rank());
        const int replica = static_cast<int>(league_rank / pieces);
        const std::uint32_t first = league_rank % pieces * piece;
        const std::uint32_t last = first + piece < cells ? first + piece : cells;
        analysis::ExactSums<Words> total;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, first, last),
            [&](std::uint32_t cell, analysis::ExactSums<Words>& part) {
              const std::uint32_t y = cell / width;
              part += add(replica, static_cast<int>(cell - y * width), static_cast<int>(y));
            },
            Kokkos::Sum<analysis::ExactSums<Words>>(total));
        Kokkos::single(Kokkos::PerTeam(team), [&] {
          for (int i = 0; i < Words; ++i) Kokkos::atomic_add(&totals(replica, i), total.value[i]);
        });
      });
  const auto summed = parallel::sum_on_host(space, totals, over.ranks);
  std::vector<analysis::ExactSums<Words>> sums(static_cast<std::size_t>(replicas));
  for (int r = 0; r < replicas; ++r) std::copy_n(&summed(r, 0), Words, sums[static_cast<std::size_t>(r)].value);
  return sums;
}

namespace detail {

/// Number of neighbours that M::observe() takes.
template <class M>
inline constexpr int observed_neighbours = M::neighbours;
template <class M>
requires requires(const M model, const Neighbourhood<typename M::State, 8> n) { model.observe(0, n); }
inline constexpr int observed_neighbours<M> = 8;

/// Whether M::observe() takes a function of offsets.
template <class M>
concept ObservesOffsets = requires(const M model, const Surroundings<typename M::State> n) {
  model.observables();
  model.observe(0, n);
};

/// Number of a model's observables that a kernel sums: all, or four if they are known only at run time.
template <class M>
constexpr int observed_at_once() {
  if constexpr (requires(const M model) { model.observables(); })
    return 4;
  else if constexpr (requires { M::site_observables; })
    return static_cast<int>(std::size(M::site_observables));
  else
    return 0;
}

/// Values of the model's observables `first` to `first` + `Count` - 1 in one cell.
template <Model M, class Lattice, int Count>
struct ObserveSite {
  M model;
  Lattice lattice;
  int nx, ny;
  bool cut_x, cut_y;
  int first = 0;

  KOKKOS_FUNCTION analysis::ExactSums<Count> operator()(int replica, int x, int y) const {
    const auto at = [&](int dx, int dy) {
      return lattice(replica, cut_x ? x + dx : wrapped(x + dx, nx), cut_y ? y + dy : wrapped(y + dy, ny));
    };
    if constexpr (ObservesOffsets<M>)
      return values(at);
    else
      return values(neighbourhood_of<observed_neighbours<M>>(at(0, 0), at));
  }

 private:
  template <class Around>
  KOKKOS_FUNCTION analysis::ExactSums<Count> values(const Around& n) const {
    analysis::ExactSums<Count> all;
    for (int i = 0; i < Count; ++i)
      all.value[i] = static_cast<std::uint64_t>(static_cast<std::int64_t>(model.observe(first + i, n)));
    return all;
  }
};

template <class Lattice>
struct HeightOfSite {
  Lattice lattice;

  KOKKOS_FUNCTION analysis::ExactSums<1> operator()(int replica, int x, int y) const {
    return {{static_cast<std::uint64_t>(static_cast<std::int64_t>(lattice(replica, x, y)))}};
  }
};

/// Largest deviation of a height from the mean, whose fourth power fits into 64 bits.
inline constexpr std::int64_t largest_deviation = 65535;

/// Words: d, d^2, d^3 (high, low), d^4 (high, low), number of heights out of range.
template <class Lattice, class References>
struct PowersOfSite {
  Lattice lattice;
  References references;

  KOKKOS_FUNCTION analysis::PowerWords operator()(int replica, int x, int y) const {
    analysis::PowerWords powers;
    const std::int64_t d = static_cast<std::int64_t>(lattice(replica, x, y)) - references(replica);
    const auto distance = static_cast<std::uint64_t>(d < 0 ? -d : d);
    if (distance > static_cast<std::uint64_t>(largest_deviation)) {
      powers.value[analysis::out_of_range] = 1;
      return powers;
    }
    const std::int64_t cube = d * d * d;
    const std::uint64_t square = distance * distance, fourth = square * square;
    powers.value[0] = static_cast<std::uint64_t>(d);
    powers.value[1] = square;
    powers.value[2] = static_cast<std::uint64_t>(cube >> 32);
    powers.value[3] = static_cast<std::uint64_t>(cube) & 0xffffffffu;
    powers.value[4] = fourth >> 32;
    powers.value[5] = fourth & 0xffffffffu;
    return powers;
  }
};

}  // namespace detail

/// analysis::height_observables() of all replicas, from sums of powers of the heights about the rounded means; see
/// measure().
template <class ExecutionSpace, class Lattice>
std::vector<Observable> measure_heights(const ExecutionSpace& space, const char* unit, const Lattice& lattice, int nx,
                                        int ny, int replicas, const OverRanks& over) {
  const std::int64_t cells = over.cells > 0 ? over.cells : std::int64_t{nx} * ny;
  const auto totals = sum_over_sites<1>(space, "tessera::kmc::sum_heights", nx, ny, replicas, over,
                                        detail::HeightOfSite<Lattice>{lattice});
  using References = Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>;
  const References references(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, "tessera::kmc::mean_heights"),
                              static_cast<std::size_t>(replicas));
  const auto on_host = Kokkos::create_mirror_view(references);
  for (std::size_t r = 0; r < totals.size(); ++r) on_host(r) = analysis::nearest_to_mean(totals[r].as_signed(0), cells);
  Kokkos::deep_copy(space, references, on_host);
  const auto powers = sum_over_sites<7>(space, "tessera::kmc::sum_height_powers", nx, ny, replicas, over,
                                        detail::PowersOfSite<Lattice, References>{lattice, references});
  std::vector<double> means;
  std::vector<analysis::Moments> moments;
  for (std::size_t r = 0; r < powers.size(); ++r) {
    const std::uint64_t too_far = powers[r].value[analysis::out_of_range];
    if (too_far != 0)
      throw RunError("replica " + std::to_string(r) + ": " + std::to_string(too_far) +
                     " heights differ from the mean, " + std::to_string(on_host(r)) + " layers, by more than " +
                     std::to_string(detail::largest_deviation) + "; the moments of such a surface cannot be measured");
    moments.push_back(analysis::moments(analysis::power_sums(cells, powers[r])));
    means.push_back(static_cast<double>(on_host(r)) + moments.back().mean);
  }
  return analysis::height_observables(unit, means, moments);
}

/// Measures all replicas: analysis::height_observables() if the states are heights, the observables of the model, those
/// of its order parameter and, on a single rank, the densities of its clusters. `lattice(replica, x, y)` returns the
/// state of a cell, on the device. Throws RunError if a height differs from the mean by more than 65535 layers.
template <class ExecutionSpace, Model M, class Lattice>
std::vector<Observable> measure(const ExecutionSpace& space, const M& model, const Lattice& lattice, int nx, int ny,
                                int replicas, const OverRanks& over = {}) {
  std::vector<Observable> observables;
  if constexpr (requires { requires M::state_is_height; })
    observables = measure_heights(space, state_unit_of<M>(), lattice, nx, ny, replicas, over);
  if constexpr (constexpr int at_once = detail::observed_at_once<M>(); at_once > 0) {
    const std::vector<NamedObservable> named = named_observables(model);
    const auto cells = static_cast<double>(over.cells > 0 ? over.cells : std::int64_t{nx} * ny);
    for (std::size_t first = 0; first < named.size(); first += at_once) {
      const detail::ObserveSite<M, Lattice, at_once> each{
          model, lattice, nx, ny, over.cut_x, over.cut_y, static_cast<int>(first)};
      const auto sums = sum_over_sites<at_once>(space, "tessera::kmc::observe_sites", nx, ny, replicas, over, each);
      for (std::size_t i = 0; i < at_once && first + i < named.size(); ++i) {
        const auto& [name, unit, factor] = named[first + i];
        Observable& one = observables.emplace_back(Observable{name, unit, {}});
        for (const auto& total : sums)
          one.values.push_back(static_cast<double>(total.as_signed(static_cast<int>(i))) / cells * factor);
      }
    }
    if constexpr (has_order<M>) {
      const auto powers = order_observables<M>(std::span(observables).last(named.size()));
      observables.insert(observables.end(), powers.begin(), powers.end());
    }
  }
  if constexpr (has_clusters<M>)
    if (over.ranks.size() == 1)
      measure_clusters(observables, model,
                       counts_of_clusters(model, all_cluster_sizes(space, model, lattice, nx, ny, replicas)),
                       std::int64_t{nx} * ny);
  return observables;
}

}  // namespace tessera::kmc
