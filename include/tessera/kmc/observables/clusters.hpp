// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/core/host_array.hpp>
#include <tessera/core/observable.hpp>
#include <tessera/kmc/model.hpp>
#include <utility>
#include <vector>

/// Clusters of occupied sites, such as the islands of a submonolayer.
///
/// Connected components by a parallel union-find (J. Jaiganesh and M. Burtscher, HPDC 2018): parent[i] < i points
/// towards the root of the tree of site i, the smallest site of its cluster. A root is linked to a smaller one by
/// compare-and-swap, which succeeds only while it is a root. Concurrent stores that shorten paths replace pointers by
/// pointers to ancestors, so that the components do not depend on their order.
namespace tessera::kmc {

/// Number of clusters by their number of sites.
using ClusterSizes = std::map<std::uint32_t, std::uint64_t>;

namespace detail {

template <class Parents>
KOKKOS_FUNCTION std::uint32_t root_of(const Parents& parent, std::uint32_t site) {
  for (;;) {
    const std::uint32_t above = Kokkos::atomic_load(&parent(site));
    if (above == site) return site;
    const std::uint32_t next = Kokkos::atomic_load(&parent(above));
    if (next != above) Kokkos::atomic_store(&parent(site), next);
    site = next;
  }
}

template <class Parents>
KOKKOS_FUNCTION void unite(const Parents& parent, std::uint32_t a, std::uint32_t b) {
  for (;;) {
    a = root_of(parent, a);
    b = root_of(parent, b);
    if (a == b) return;
    const std::uint32_t high = a > b ? a : b, low = a > b ? b : a;
    if (Kokkos::atomic_compare_exchange(&parent(high), high, low) == high) return;
  }
}

}  // namespace detail

/// Sizes of the clusters of kind `which` of a periodic lattice of nx * ny cells. `lattice(replica, x, y)` returns the
/// state of a cell, and is called on the device, which needs 12 bytes per site.
template <class ExecutionSpace, Model M, class Lattice>
ClusterSizes cluster_sizes(const ExecutionSpace& space, const M& model, const Lattice& lattice, int which, int replica,
                           int nx, int ny) {
  const ClusterKind kind = model.clusters()[static_cast<std::size_t>(which)];
  using SiteNumbers = Kokkos::View<std::uint32_t*, typename ExecutionSpace::memory_space>;
  constexpr std::uint32_t empty = std::numeric_limits<std::uint32_t>::max();
  const std::int64_t cells = std::int64_t{nx} * ny, nodes = cells * kind.sites;
  if (nodes >= std::int64_t{empty}) throw RunError("clusters of more than " + std::to_string(empty - 1) + " sites");
  const auto sites = static_cast<std::uint32_t>(kind.sites);
  const auto uninitialized = [&](const std::string& label, std::int64_t size) {
    return SiteNumbers(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, label), static_cast<std::size_t>(size));
  };
  const SiteNumbers parent = uninitialized("tessera::kmc::cluster_parents", nodes);
  const SiteNumbers size = uninitialized("tessera::kmc::cluster_sizes", nodes);
  Kokkos::parallel_for(
      "tessera::kmc::find_occupied_sites", Indices<ExecutionSpace>(space, 0, nodes), KOKKOS_LAMBDA(std::int64_t node) {
        const auto cell = node / sites;
        const auto state = lattice(replica, static_cast<int>(cell % nx), static_cast<int>(cell / nx));
        const bool occupied = model.in_cluster(which, static_cast<int>(node % sites), state);
        parent(node) = occupied ? static_cast<std::uint32_t>(node) : empty;
        size(node) = 0;
      });
  for (const ClusterLink& link : kind.links)
    Kokkos::parallel_for(
        "tessera::kmc::join_clusters", Indices<ExecutionSpace>(space, 0, cells), KOKKOS_LAMBDA(std::int64_t cell) {
          const auto x = (cell % nx + link.dx % nx + nx) % nx, y = (cell / nx + link.dy % ny + ny) % ny;
          const auto a = static_cast<std::uint32_t>(cell) * sites + static_cast<std::uint32_t>(link.site);
          const auto b = static_cast<std::uint32_t>(y * nx + x) * sites + static_cast<std::uint32_t>(link.other);
          if (Kokkos::atomic_load(&parent(a)) != empty && Kokkos::atomic_load(&parent(b)) != empty)
            detail::unite(parent, a, b);
        });
  Kokkos::parallel_for(
      "tessera::kmc::count_cluster_sites", Indices<ExecutionSpace>(space, 0, nodes), KOKKOS_LAMBDA(std::int64_t node) {
        if (parent(node) != empty) Kokkos::atomic_inc(&size(detail::root_of(parent, static_cast<std::uint32_t>(node))));
      });
  const SiteNumbers found = uninitialized("tessera::kmc::clusters", nodes);
  std::uint32_t count = 0;
  Kokkos::parallel_scan(
      "tessera::kmc::list_clusters", Indices<ExecutionSpace>(space, 0, nodes),
      KOKKOS_LAMBDA(std::int64_t node, std::uint32_t & before, bool last) {
        if (size(node) == 0) return;
        if (last) found(before) = size(node);
        ++before;
      },
      count);
  const auto list = Kokkos::create_mirror_view_and_copy(
      Kokkos::HostSpace(), Kokkos::subview(found, std::make_pair(std::size_t{0}, std::size_t{count})));
  ClusterSizes sizes;
  for (std::uint32_t i = 0; i < count; ++i) ++sizes[list(i)];
  return sizes;
}

/// Sizes of all clusters of all replicas, [kinds][replicas]; none if the model has no clusters.
template <class ExecutionSpace, Model M, class Lattice>
std::vector<std::vector<ClusterSizes>> all_cluster_sizes(const ExecutionSpace& space, const M& model,
                                                         const Lattice& lattice, int nx, int ny, int replicas) {
  std::vector<std::vector<ClusterSizes>> all;
  if constexpr (has_clusters<M>)
    for (int which = 0; which < static_cast<int>(model.clusters().size()); ++which)
      for (auto& of_kind = all.emplace_back(); static_cast<int>(of_kind.size()) < replicas;)
        of_kind.push_back(cluster_sizes(space, model, lattice, which, static_cast<int>(of_kind.size()), nx, ny));
  return all;
}

/// Number of clusters of at least ClusterKind::least sites, for each kind and replica.
template <Model M>
std::vector<std::uint64_t> counts_of_clusters(const M& model, const std::vector<std::vector<ClusterSizes>>& sizes) {
  std::vector<std::uint64_t> counts;
  for (std::size_t kind = 0; kind < sizes.size(); ++kind)
    for (const ClusterSizes& of_replica : sizes[kind]) {
      counts.push_back(0);
      for (const auto& [size, number] : of_replica)
        if (size >= static_cast<std::uint32_t>(model.clusters()[kind].least)) counts.back() += number;
    }
  return counts;
}

/// Adds the density of each kind of clusters, their number per cell of a lattice of `cells` cells.
template <Model M>
void measure_clusters(std::vector<Observable>& observables, const M& model, const std::vector<std::uint64_t>& counts,
                      std::int64_t cells) {
  if constexpr (has_clusters<M>) {
    const std::vector<ClusterKind> kinds = model.clusters();
    const std::size_t replicas = kinds.empty() ? 0 : counts.size() / kinds.size();
    for (auto count = counts.begin(); const ClusterKind& kind : kinds) {
      Observable& density = observables.emplace_back(Observable{kind.density, "", {}});
      for (std::size_t r = 0; r < replicas; ++r)
        density.values.push_back(static_cast<double>(*count++) / static_cast<double>(cells));
    }
  }
}

/// The distribution of the sizes of clusters at the times of the replicas: per kind a table, per size a row.
template <Model M>
std::vector<History> tables_of_clusters(const M& model, const std::vector<std::vector<ClusterSizes>>& sizes,
                                        const std::vector<double>& times) {
  std::vector<History> tables;
  if constexpr (has_clusters<M>)
    for (std::size_t kind = 0; kind < sizes.size(); ++kind) {
      History& table = tables.emplace_back(History{model.clusters()[kind].sizes,
                                                   {"replica", "time", "size", "clusters"},
                                                   {"", time_unit_of(model), "", ""},
                                                   std::vector<std::vector<double>>(4)});
      for (std::size_t r = 0; r < times.size(); ++r)
        for (const auto& [size, number] : sizes[kind][r]) {
          const double row[] = {double(r), times[r], double(size), double(number)};
          for (std::size_t c = 0; c < 4; ++c) table.columns[c].push_back(row[c]);
        }
    }
  return tables;
}

}  // namespace tessera::kmc
