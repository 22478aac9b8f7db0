// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <tessera/core/host_array.hpp>
#include <tessera/core/kokkos_ext/team_scratch.hpp>
#include <tessera/kpz/kernels/block_layer.hpp>
#include <tessera/kpz/kernels/byte_cells.hpp>
#include <tessera/kpz/kernels/lane_cells.hpp>
#include <tessera/kpz/kernels/window.hpp>
#include <tessera/kpz/state/decomposition.hpp>
#include <tessera/kpz/state/rates.hpp>
#include <tessera/kpz/state/state.hpp>
#include <tessera/kpz/state/subdomains.hpp>
#include <tessera/kpz/steps/shifted_subdomains.hpp>
#include <type_traits>

/// The device layer: an asynchronous interval, domain by domain.
namespace tessera::kpz {

/// Mapping to GPUs, which affects speed, not results. `cells_of_lane`: maximum number per lane; `common`: see
/// LaneCells. Common kernels limit the registers of a lane so that a multiprocessor holds 1280 lanes. (GPUs that
/// hold fewer lanes would fail with a minimum number of teams.)
template <int cells_of_lane, bool common>
struct OnLanes {
  template <class ExecutionSpace>
  using Policy = std::conditional_t<common, Kokkos::TeamPolicy<ExecutionSpace, Kokkos::LaunchBounds<640, 2>>,
                                    Kokkos::TeamPolicy<ExecutionSpace>>;
  template <class Scheme, class Team>
  using Cells = LaneCells<Scheme, cells_of_lane, common, Team>;

  static int lanes(const Decomposition& d) { return std::max(int{warp_lanes}, d.cells / cells_of_lane); }
};

/// Mapping to CPUs: a thread has all cells of a domain of up to this side.
template <int largest_side>
struct InBytes {
  template <class ExecutionSpace>
  using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
  template <class Scheme, class Team>
  using Cells = ByteCells<Scheme, largest_side, Team>;

  static int lanes(const Decomposition&) { return 1; }
};

/// Update of one set of domains of all replicas, by collective updates of each domain in the scratch memory of a team.
template <class ExecutionSpace, class Scheme, class Mapping>
struct UpdateDomains {
  using MemorySpace = typename ExecutionSpace::memory_space;
  using Policy = typename Mapping::template Policy<ExecutionSpace>;
  using Team = typename Policy::member_type;
  template <class T>
  using CellsOf = typename Mapping::template Cells<Scheme, T>;
  using Cells = CellsOf<Team>;

  Lattice lattice;
  Decomposition d;
  Rates rates;
  Kokkos::View<std::uint32_t*, MemorySpace> words;
  Kokkos::View<std::uint64_t*, MemorySpace> streams;
  Kokkos::View<std::uint64_t*, MemorySpace> accepted;
  std::uint64_t seed;      ///< of replica 0
  std::uint64_t interval;  ///< number of earlier intervals
  int turn;                ///< number of earlier sets of domains

  /// Data of a domain, shared by the lanes of a team to save registers.
  struct Domain {
    Corner corner;
    DomainStreams streams;
    int replica;
  };
  static std::size_t scratch(const Decomposition& d) { return sizeof(Domain) + Cells::scratch(d) + alignof(Domain); }

  KOKKOS_FUNCTION void operator()(const Team& team) const { update(team); }

  /// The same for a team of any kind.
#if defined(__NVCC__)
#pragma nv_exec_check_disable  // a mapping to CPUs runs on CPUs alone
#endif
  template <class AnyTeam>
  KOKKOS_FORCEINLINE_FUNCTION void update(const AnyTeam& team) const {
    CellsOf<AnyTeam> cells(team, d, rates);
    auto* its = scratch_array<Domain>(team, 1, alignof(Domain), Cells::scratch_level);
    {
      const int replica = d.replica_of(static_cast<int>(team.league_rank()));
      const int domain = static_cast<int>(team.league_rank()) - replica * d.domains;
      const DomainStreams its_streams(d, replica, domain);
      cells.load(streams, its_streams.first_cell, its_streams.of_domain);
      if (team.team_rank() == 0)
        *its = {domain_corner(d, seed + static_cast<std::uint64_t>(replica), interval, turn, domain), its_streams,
                replica};
    }
    team.team_barrier();

    using Window = typename CellsOf<AnyTeam>::Window;
    const auto window = [&] { return Window(lattice, d, words.data(), its->replica, its->corner, rates.removes); };
    cells.read(window());
    team.team_barrier();
    collective_updates<Scheme>(d, cells);
    cells.write(window());
    cells.store(streams, its->streams.first_cell, its->streams.of_domain);
    team.team_barrier();
    if (team.team_rank() == 0) count(its->replica, cells.depositions(), cells.removals());
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void count(int replica, std::uint64_t depositions, std::uint64_t removals) const {
    Kokkos::atomic_add(&accepted(2 * replica + (rates.removes ? 1 : 0)), depositions);
    if constexpr (Scheme::both) Kokkos::atomic_add(&accepted(2 * replica + 1), removals);
  }
};

/// Launches the kernels of asynchronous intervals of all replicas; the caller fences.
template <class ExecutionSpace>
class DeviceLayerUpdate {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;

  /// `state`: of this rank's block of the lattice.
  DeviceLayerUpdate(const ExecutionSpace& space, const State<MemorySpace>& state, const Parameters& p,
                    const parallel::Distribution& distribution = {})
      : space_(space),
        state_(state),
        d_(state.lattice, p),
        shifted_(space, state.lattice, d_, distribution),
        rates_(p.p, p.q),
        block_(p.block_layer),
        seed_(p.seed) {}

  /// The subdomains of this rank, which stay shifted until align_to_blocks().
  ShiftedSubdomains<ExecutionSpace>& shifted() { return shifted_; }
  const ShiftedSubdomains<ExecutionSpace>& shifted() const { return shifted_; }

  void interval(std::uint64_t number) {
    for (int turn = 0; turn < d_.sets; ++turn) {
      shifted_.align_to_tiling(state_.words, seed_, number, turn);
      const bool tiled = block_ == BlockLayer::double_tiling;
      if (d_.border > 0)
        tiled ? with_rule<true, BlockLayer::double_tiling>(number, turn)
              : with_rule<true, BlockLayer::dead_border>(number, turn);
      else
        tiled ? with_rule<false, BlockLayer::double_tiling>(number, turn)
              : with_rule<false, BlockLayer::dead_border>(number, turn);
    }
  }

 private:
  template <bool dead_border, BlockLayer block>
  void with_rule(std::uint64_t number, int turn) const {
    if (rates_.rule == Rule::one_certain)
      with_mapping<Scheme<dead_border, block, Rule::one_certain>>(number, turn);
    else if (rates_.rule == Rule::one)
      with_mapping<Scheme<dead_border, block, Rule::one>>(number, turn);
    else
      with_mapping<Scheme<dead_border, block, Rule::both>>(number, turn);
  }
  template <class Scheme>
  void with_mapping(std::uint64_t number, int turn) const {
    if constexpr (runs_on_host<ExecutionSpace>) {
      if (d_.domain <= 128)
        launch<Scheme, InBytes<128>>(number, turn);
      else
        launch<Scheme, InBytes<largest_domain>>(number, turn);
    } else if (is_common(d_) && fills_device(2)) {
      launch<Scheme, OnLanes<2, true>>(number, turn);
    } else if (is_common(d_)) {
      launch<Scheme, OnLanes<1, true>>(number, turn);
    } else {
      launch<Scheme, OnLanes<1, false>>(number, turn);
    }
  }
  /// Whether lanes with this many cells fill at least a third of the device.
  bool fills_device(int cells_of_lane) const {
    return std::int64_t{d_.domains} * state_.lattice.replicas * (d_.cells / cells_of_lane) >= space_.concurrency() / 3;
  }
  template <class Scheme, class Mapping>
  void launch(std::uint64_t number, int turn) const {
    using Update = UpdateDomains<ExecutionSpace, Scheme, Mapping>;
    const Update update{state_.lattice, d_, rates_, state_.words, state_.streams, state_.accepted, seed_, number, turn};
    const typename Update::Policy policy(space_, d_.domains * state_.lattice.replicas, Mapping::lanes(d_));
    Kokkos::parallel_for(
        "tessera::kpz::update_domains",
        with_scratch(policy, Update::scratch(d_), alignof(std::uint64_t), Update::Cells::scratch_level), update);
  }

  ExecutionSpace space_;
  State<MemorySpace> state_;
  Decomposition d_;
  ShiftedSubdomains<ExecutionSpace> shifted_;
  Rates rates_;
  BlockLayer block_;
  std::uint64_t seed_;
};

}  // namespace tessera::kpz
