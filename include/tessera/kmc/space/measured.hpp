// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tessera/core/host_array.hpp>
#include <tessera/core/observable.hpp>
#include <tessera/kmc/space/box.hpp>
#include <tessera/kmc/space/models.hpp>
#include <vector>

/// Observables of models in three dimensions.
namespace tessera::kmc::space {

/// Sums over the sites of a replica.
struct Sums {
  std::int64_t bonds = 0;             ///< M::bond() over all pairs of neighbours
  std::vector<std::int64_t> sites{};  ///< number of sites in each state
};

/// The sums of states [nz, ny, nx], without ghosts; of a model of lists, those of its observables.
template <class ExecutionSpace, ListsChanges M>
Sums sums_of(const ExecutionSpace& space, const M& model, const Box& box, const std::uint8_t* states) {
  const Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space> counts("tessera::kmc::observed",
                                                                                  model.observables().size());
  const int nx = box.sides[0];
  const std::int64_t first_row = box.first_own() / nx;
  Kokkos::parallel_for(
      "tessera::kmc::observe_in_space", Indices<ExecutionSpace>(space, first_row, first_row + box.own_sites() / nx),
      KOKKOS_LAMBDA(const std::int64_t row) {
        for (int i = 0; i < counts.extent_int(0); ++i) {
          std::int64_t sum = 0;
          for (int x = 0; x < nx; ++x)
            sum +=
                model.observe(i, Around<M, const std::uint8_t*>(states, box, static_cast<std::uint32_t>(row * nx + x)));
          if (sum != 0) Kokkos::atomic_add(&counts(i), sum);
        }
      });
  Sums sums;
  sums.sites = to_host(space, counts);
  return sums;
}
template <class ExecutionSpace, HasKinds M>
Sums sums_of(const ExecutionSpace& space, const M& model, const Box& box, const std::uint8_t* states) {
  using Counts = Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>;
  const Counts counts("tessera::kmc::sites", static_cast<std::size_t>(model.states()));
  const bool counts_each = model.states() > 2;
  Sums sums;
  std::int64_t in_state_1 = 0;  // of two states
  const int nx = box.sides[0];
  const std::int64_t first_row = box.first_own() / nx;
  Kokkos::parallel_reduce(
      "tessera::kmc::sum_in_space", Indices<ExecutionSpace>(space, first_row, first_row + box.own_sites() / nx),
      KOKKOS_LAMBDA(const std::int64_t row, std::int64_t& bonds, std::int64_t& ones) {
        int last = 0, run = 0;  // neighbours in the row that have the same state
        for (int x = 0; x < nx; ++x) {
          const auto site = static_cast<std::uint32_t>(row * nx + x);
          const Around<M, const std::uint8_t*> at(states, box, site);
          const int state = states[site];
          for (int k = 1; k < M::Lattice::neighbours; k += 2) bonds += model.bond(state, at(k));
          ones += state == 1 ? 1 : 0;
          if (!counts_each) continue;
          if (state != last && run > 0) Kokkos::atomic_add(&counts(last), std::int64_t{run});
          run = state == last ? run + 1 : 1;
          last = state;
        }
        if (counts_each) Kokkos::atomic_add(&counts(last), std::int64_t{run});
      },
      sums.bonds, in_state_1);
  sums.sites =
      counts_each ? to_host(space, counts) : std::vector<std::int64_t>{box.own_sites() - in_state_1, in_state_1};
  return sums;
}

/// Appends the powers of an order parameter m and of the energy e of each replica: |m|, m^2, m^4 and e^2.
template <Model M>
void add_powers(std::vector<Observable>& all, const std::vector<double>& m) {
  const std::vector<double> energy = all.front().values;
  const auto add = [&](const std::string& name, const std::string& unit, const std::vector<double>& of, auto power) {
    Observable& one = all.emplace_back(Observable{name, unit, {}});
    for (const double value : of) one.values.push_back(power(value));
  };
  add(M::order_names[0], "", m, [](double x) { return std::abs(x); });
  add(M::order_names[1], "", m, [](double x) { return x * x; });
  add(M::order_names[2], "", m, [](double x) { return x * x * x * x; });
  add("energy_2", "J^2", energy, [](double x) { return x * x; });
}

/// Energy and magnetisation per site.
template <class L>
std::vector<Observable> observables_of(const Ising<L>&, const std::vector<Sums>& replicas, double sites) {
  std::vector<Observable> all{{"energy", "J", {}}, {"magnetisation", "", {}}};
  for (const Sums& one : replicas) {
    all[0].values.push_back(static_cast<double>(one.bonds) / sites);
    all[1].values.push_back(static_cast<double>(one.sites[1] - one.sites[0]) / sites);
  }
  add_powers<Ising<L>>(all, std::vector<double>(all[1].values));
  return all;
}

/// Appends the fractions of sites in the states, if there are at most 8.
inline void add_fractions(std::vector<Observable>& all, const std::vector<Sums>& replicas, double sites) {
  const std::size_t states = replicas.front().sites.size();
  for (std::size_t s = 0; states <= 8 && s < states; ++s) {
    Observable& fraction = all.emplace_back(Observable{"fraction_" + std::to_string(s), "", {}});
    for (const Sums& one : replicas) fraction.values.push_back(static_cast<double>(one.sites[s]) / sites);
  }
}

/// Energy per site, and the order parameter (q f - 1) / (q - 1), where f is the largest fraction of sites in a state;
/// with at most 8 states all fractions.
template <class L>
std::vector<Observable> observables_of(const Potts<L>& model, const std::vector<Sums>& replicas, double sites) {
  std::vector<Observable> all{{"energy", "J", {}}};
  std::vector<double> order;
  const auto q = model.states();
  for (const Sums& one : replicas) {
    all[0].values.push_back(static_cast<double>(one.bonds) / sites);
    const double largest = static_cast<double>(*std::ranges::max_element(one.sites)) / sites;
    order.push_back((q * largest - 1) / (q - 1));
  }
  add_fractions(all, replicas, sites);
  add_powers<Potts<L>>(all, order);
  return all;
}

/// Of user-defined models: bonds per site, and the fractions of sites in the states, if there are at most 8.
template <HasKinds M>
std::vector<Observable> observables_of(const M&, const std::vector<Sums>& replicas, double sites) {
  std::vector<Observable> all{{"bonds", "", {}}};
  for (const Sums& one : replicas) all[0].values.push_back(static_cast<double>(one.bonds) / sites);
  add_fractions(all, replicas, sites);
  return all;
}

/// Those of the model, per site.
template <ListsChanges M>
std::vector<Observable> observables_of(const M& model, const std::vector<Sums>& replicas, double sites) {
  std::vector<Observable> all;
  for (const NamedObservable& named : model.observables()) {
    Observable& one = all.emplace_back(Observable{named.name, named.unit, {}});
    for (const Sums& sums : replicas)
      one.values.push_back(named.factor * static_cast<double>(sums.sites[all.size() - 1]) / sites);
  }
  return all;
}

/// Coverage, and bonds per site.
template <class L>
std::vector<Observable> observables_of(const Hopping<L>&, const std::vector<Sums>& replicas, double sites) {
  std::vector<Observable> all{{"coverage", "", {}}, {"bonds", "", {}}};
  for (const Sums& one : replicas) {
    all[0].values.push_back(static_cast<double>(one.sites[1]) / sites);
    all[1].values.push_back(static_cast<double>(one.bonds) / sites);
  }
  return all;
}

}  // namespace tessera::kmc::space
