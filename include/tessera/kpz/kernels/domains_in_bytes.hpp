// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <tessera/kpz/decomposition.hpp>
#include <tessera/kpz/kernels/attempt_probe.hpp>
#include <tessera/kpz/kernels/updates_in_bytes.hpp>
#include <tessera/kpz/rates.hpp>
#include <tessera/kpz/state.hpp>

/// The device layer on a host: an asynchronous interval, domain by domain.
namespace tessera::kpz {

/// Updates the domains of the set that comes as number `turn` in interval `interval`, a thread each.
template <class Kind, class ExecutionSpace, class MemorySpace, class Probe>
void update_domains_in_bytes(const ExecutionSpace& space, const State<MemorySpace>& state, const Decomposition& d,
                             const Rates& rates, std::uint64_t seed, std::uint64_t interval, int turn,
                             const Probe& probe) {
  Kokkos::parallel_for(
      "tessera::kpz::update_domains", Kokkos::RangePolicy<ExecutionSpace>(space, 0, d.domains * state.lattice.replicas),
      [=](int index) {
        const int replica = index / d.domains, domain = index % d.domains;
        const DomainStreams streams(d, replica, domain);
        const Corner corner =
            domain_corner(state.lattice, d, seed + static_cast<std::uint64_t>(replica), interval, turn, domain);
        const bool removes = Kind::rule != Rule::both && rates.open == open_to_removal;
        SiteBytes<Kind::dead_border, Kind::largest_side> sites(state.lattice, d, state.words.data(), replica, corner,
                                                               removes);
        sites.read();
        using InDomain = ProbeInDomain<Probe>;
        UpdatesInBytes<Kind, InDomain> updates(d, rates, sites, InDomain{probe, replica, corner, state.lattice});
        Stream shifts = state.streams.get(streams.own);
        updates.run(state.streams.states().data() + streams.first_cell, shifts);
        state.streams.put(streams.own, shifts);
        sites.write();
        Kokkos::atomic_add(&state.accepted(2 * replica + (removes ? 1 : 0)),
                           static_cast<std::uint64_t>(updates.depositions()));
        if constexpr (Kind::rule == Rule::both)
          Kokkos::atomic_add(&state.accepted(2 * replica + 1), static_cast<std::uint64_t>(updates.removals()));
      });
}

}  // namespace tessera::kpz
