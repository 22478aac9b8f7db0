// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <tessera/core/kokkos_ext/runs_on_host.hpp>
#include <tessera/core/kokkos_ext/scratch.hpp>
#include <tessera/kpz/decomposition.hpp>
#include <tessera/kpz/kernels/block_layer.hpp>
#include <tessera/kpz/kernels/domains_in_bytes.hpp>
#include <tessera/kpz/kernels/window.hpp>
#include <tessera/kpz/rates.hpp>
#include <tessera/kpz/state.hpp>
#include <type_traits>

/// The device layer: an asynchronous interval, domain by domain.
namespace tessera::kpz {

/// Thread cells of a lane, at most.
inline constexpr int most_cells_of_lane = 1;

/// Lanes of a team, for speed alone: they show in no result.
inline int lanes_of_team(const Decomposition& d) {
  constexpr int warp = 32;
  return std::max(warp, d.cells / most_cells_of_lane);
}

/// Lanes of a team whose kernel is of a common kind, at most.
inline constexpr int common_lanes = 256;

/// Bounds the registers of a lane of such a kernel, to 32 or to 40, so that a multiprocessor holds 8 or 6 teams of 256.
/// (Stated as 8 teams at least, the bound would be refused by GPUs that hold fewer lanes.)
template <Rule rule>
using CommonBounds = Kokkos::LaunchBounds<rule == Rule::both ? 768 : 1024, 2>;

/// Whether the kernels of a common kind (see Kind) can do with this decomposition.
inline bool is_common(const Decomposition& d) {
  const int lanes = lanes_of_team(d);
  return d.sums_take_four_bits() && lanes <= common_lanes && d.cells == lanes * most_cells_of_lane;
}

/// One set of domains of all replicas on a GPU: a team for each domain takes it into its scratch, does the collective
/// updates of an interval, and writes it back.
template <class ExecutionSpace, class Kind, class Probe>
struct UpdateDomains {
  using MemorySpace = typename ExecutionSpace::memory_space;
  using Policy = std::conditional_t<Kind::common, Kokkos::TeamPolicy<ExecutionSpace, CommonBounds<Kind::rule>>,
                                    Kokkos::TeamPolicy<ExecutionSpace>>;
  using Team = typename Policy::member_type;
  using Copy = Window<Kind::dead_border, Kokkos::View<std::uint32_t*, MemorySpace>>;

  Lattice lattice;
  Decomposition d;
  Rates rates;
  Kokkos::View<std::uint32_t*, MemorySpace> words;
  StreamPool<MemorySpace> streams;
  Kokkos::View<std::uint64_t*, MemorySpace> accepted;
  std::uint64_t seed;      ///< of replica 0
  std::uint64_t interval;  ///< intervals before this one
  int turn;                ///< sets of domains before this one
  Probe probe;

  /// What the lanes of a team share.
  struct Shared {
    std::uint64_t drawn[2];
    Corner corner;
  };
  static std::size_t scratch(const Decomposition& d) {
    const auto width = static_cast<std::size_t>(Copy::width(d));
    return sizeof(Shared) + width * width * sizeof(std::uint32_t) + alignof(Shared);
  }

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const int domain = static_cast<int>(team.league_rank()) % d.domains;
    const int replica = static_cast<int>(team.league_rank()) / d.domains;
    const DomainStreams its(d, replica, domain);

    auto* shared = scratch_array<Shared>(team, 1);
    const auto width = static_cast<std::size_t>(Copy::width(d));
    auto* copy = scratch_array<std::uint32_t>(team, width * width);
    const bool leads = team.team_rank() == 0;
    Stream shifts(1);
    if (leads) {
      shared->corner = domain_corner(lattice, d, seed + static_cast<std::uint64_t>(replica), interval, turn, domain);
      shifts = streams.get(its.own);
      shared->drawn[0] = shifts.draw();
    }
    team.team_barrier();

    const Copy window(lattice, d, words, replica, shared->corner, copy);
    window.read(team);
    team.team_barrier();
    using InDomain = ProbeInDomain<Probe>;
    CollectiveUpdates<Kind, Team, InDomain> updates(team, d, rates, window.begin(), Copy::width(d),
                                                    InDomain{probe, replica, shared->corner, lattice});
    updates.run(streams, its.first_cell, shifts, shared->drawn);
    window.write(team);
    if (leads) streams.put(its.own, shifts);
    count(team, replica, updates);
  }

 private:
  template <class Updates>
  KOKKOS_FORCEINLINE_FUNCTION void count(const Team& team, int replica, const Updates& updates) const {
    std::uint32_t depositions = updates.depositions(), removals = updates.removals();
    if (team.team_size() > 1) {
      team.team_reduce(Kokkos::Sum<std::uint32_t>(depositions));
      if constexpr (Kind::rule == Rule::both) team.team_reduce(Kokkos::Sum<std::uint32_t>(removals));
    }
    if (team.team_rank() != 0) return;
    const bool swapped = Kind::rule != Rule::both && rates.open == open_to_removal;
    Kokkos::atomic_add(&accepted(2 * replica + (swapped ? 1 : 0)), static_cast<std::uint64_t>(depositions));
    if constexpr (Kind::rule == Rule::both)
      Kokkos::atomic_add(&accepted(2 * replica + 1), static_cast<std::uint64_t>(removals));
  }
};

/// Advances all replicas by one asynchronous interval, of number `interval`. Launches only; the caller fences.
template <class ExecutionSpace, class Probe = NoProbe>
class Sweeps {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;

  Sweeps(const ExecutionSpace& space, const State<MemorySpace>& state, const Parameters& p, Probe probe = {})
      : space_(space),
        state_(state),
        d_(state.lattice, p),
        rates_(p.p, p.q),
        block_(p.block_layer),
        seed_(p.seed),
        common_(is_common(d_)),
        probe_(probe) {}

  const Decomposition& decomposition() const { return d_; }

  void interval(std::uint64_t number) const {
    for (int turn = 0; turn < d_.sets; ++turn) {
      if (d_.border > 0) {
        with_block<true>(number, turn);
      } else {
        with_block<false>(number, turn);
      }
    }
  }

 private:
  template <bool dead_border>
  void with_block(std::uint64_t number, int turn) const {
    if (block_ == BlockLayer::dead_border) {
      with_rule<dead_border, BlockLayer::dead_border>(number, turn);
    } else {
      with_rule<dead_border, BlockLayer::double_tiling>(number, turn);
    }
  }
  template <bool dead_border, BlockLayer block>
  void with_rule(std::uint64_t number, int turn) const {
    if (rates_.rule == Rule::one_certain) {
      with_cells<dead_border, block, Rule::one_certain>(number, turn);
    } else if (rates_.rule == Rule::one) {
      with_cells<dead_border, block, Rule::one>(number, turn);
    } else {
      with_cells<dead_border, block, Rule::both>(number, turn);
    }
  }
  template <bool dead_border, BlockLayer block, Rule rule>
  void with_cells(std::uint64_t number, int turn) const {
    if constexpr (runs_on_host<ExecutionSpace>) {
      constexpr bool in_classes = rule == Rule::both && block == BlockLayer::dead_border;
      if (d_.domain <= 128) {
        in_bytes<HostKind<dead_border, rule, in_classes, 128>>(number, turn);
      } else {
        in_bytes<HostKind<dead_border, rule, in_classes, largest_domain>>(number, turn);
      }
    } else if (common_) {
      launch<Kind<dead_border, block, rule, most_cells_of_lane, true>>(number, turn);
    } else {
      launch<Kind<dead_border, block, rule, most_cells_of_lane, false>>(number, turn);
    }
  }
  template <class Kind>
  void in_bytes(std::uint64_t number, int turn) const {
    update_domains_in_bytes<Kind>(space_, state_, d_, rates_, seed_, number, turn, probe_);
  }
  template <class Kind>
  void launch(std::uint64_t number, int turn) const {
    using Update = UpdateDomains<ExecutionSpace, Kind, Probe>;
    const Update update{state_.lattice,  d_,    rates_, state_.words, state_.streams,
                        state_.accepted, seed_, number, turn,         probe_};
    const typename Update::Policy policy(space_, d_.domains * state_.lattice.replicas, lanes_of_team(d_));
    Kokkos::parallel_for("tessera::kpz::update_domains", with_scratch(policy, Update::scratch(d_), 0), update);
  }

  ExecutionSpace space_;
  State<MemorySpace> state_;
  Decomposition d_;
  Rates rates_;
  BlockLayer block_;
  std::uint64_t seed_;
  bool common_;
  Probe probe_;
};

}  // namespace tessera::kpz
