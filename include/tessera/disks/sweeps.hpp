// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <Kokkos_Graph.hpp>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <tessera/core/runs_on_host.hpp>
#include <tessera/disks/cell_update.hpp>
#include <tessera/disks/shift_cells.hpp>
#include <tessera/disks/sweeps_by_lanes.hpp>
#include <tessera/disks/sweeps_by_patches.hpp>
#include <tessera/disks/sweeps_in_step.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera::disks {

/// How sub-sweeps are spread over teams; no trajectory depends on it.
struct TeamShape {
  int lanes;             ///< threads of a team; on a GPU a warp's
  int cells_per_lane;    ///< active cells that a lane updates, one after the other; 0: choose_patch(), cells_of_lane()
  bool in_step = false;  ///< on a host: four cells at a time, in the lanes of vectors
  PatchShape patch{};    ///< if it has a width: sweeps by patches, whatever the others are
};

/// On a host one thread is a team.
template <class ExecutionSpace>
inline constexpr TeamShape default_team_shape =
    runs_on_host<ExecutionSpace> ? TeamShape{1, 64, true} : TeamShape{warp_lanes, 0};

/// Sweeps of all replicas (algorithm 1) on a state.
template <class ExecutionSpace>
class Sweeps {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;
  using Plans = Kokkos::View<SweepPlan**, Kokkos::LayoutRight, MemorySpace>;
  using Radii = Kokkos::View<float*, MemorySpace>;
  static constexpr int most_at_once = 32;  ///< sweeps that plans are made for together

  Sweeps(const ExecutionSpace& space, const State<MemorySpace>& state, const MoveRules& rules,
         bool shuffle_checkerboard, std::uint64_t seed, TeamShape shape = default_team_shape<ExecutionSpace>)
      : space_(space),
        state_(state),
        rules_(rules),
        shuffle_checkerboard_(shuffle_checkerboard),
        seed_(seed),
        shape_(shape),
        patch_(patch_for(space, state.geometry(), rules, shape)),
        radii_("tessera::disks::radii", static_cast<std::size_t>(state.geometry().replicas)),
        plans_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "tessera::disks::plans"), most_at_once,
               static_cast<std::size_t>(state.geometry().replicas)),
        first_buffer_(state.cells.positions.data()) {
    Kokkos::deep_copy(space_, radii_, rules.radius);
    if (!runs_on_host<ExecutionSpace> || patch_.width > 0)
      parts_ = MoveParts<MemorySpace>("tessera::disks::move_parts", static_cast<std::size_t>(state.geometry().replicas),
                                      move_parts);
  }

  /// From now on trial moves of replica r have this radius, in sigma.
  void set_radii(const std::vector<double>& radii) {
    const auto host = Kokkos::create_mirror_view(Kokkos::HostSpace(), radii_);
    for (std::size_t r = 0; r < radii.size(); ++r) host(r) = static_cast<float>(radii[r]);
    Kokkos::deep_copy(space_, radii_, host);
    space_.fence("tessera::disks::set_radii");
  }

  /// Sweeps number `first` to first + count - 1; returns before they are done.
  void run(std::int64_t first, int count) {
    for (int done = 0; done < count; done += most_at_once) run_some(first + done, std::min(count - done, most_at_once));
  }

  const State<MemorySpace>& state() const { return state_; }
  std::size_t bytes() const { return state_.bytes() + plans_.size() * sizeof(SweepPlan); }

  /// Updates the cells of the checkerboard set whose turn it is, which is another one in each replica.
  void update_set(int sweep, int sub_sweep) {
    if (shape_.in_step)
      return update_set_in_step(space_, state_, plans_, rules_, radii_, sweep, sub_sweep, shape_.cells_per_lane);
    update_set_by_teams(sweep, sub_sweep);
  }

  /// Shifts all cells into the second buffer, which becomes the first.
  void shift(int sweep) {
    if (shape_.in_step) {
      shift_cells_in_step(space_, state_, plans_, sweep);
    } else {
      shift_each_cell(sweep);
    }
    std::swap(state_.cells, state_.shifted);
  }

  // Public for CUDA, which makes no kernel of a private function.
  void update_set_by_teams(int sweep, int sub_sweep) {
    using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
    using Member = typename Policy::member_type;
    const Cells<MemorySpace> cells = state_.cells;
    const Geometry g = cells.geometry;
    const auto moves = state_.moves;
    const Plans plans = plans_;
    const MoveRules common = rules_;
    const Radii radii = radii_;
    const int in_row = g.columns / 2, active = in_row * (g.rows / 2);
    const int lanes = shape_.lanes, per_team = lanes * shape_.cells_per_lane;
    const int teams = (active + per_team - 1) / per_team;
    const std::size_t scratch = sizeof(Position) * static_cast<std::size_t>(workspace_size * lanes);
    Kokkos::parallel_for(
        "tessera::disks::update_set",
        Policy(space_, teams * g.replicas, lanes)
            .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(scratch + alignof(Position)))),
        KOKKOS_LAMBDA(const Member& team) {
          const int replica = team.league_rank() / teams;
          const int begin = (team.league_rank() - replica * teams) * per_team;
          const SweepPlan plan = plans(sweep, replica);
          const int set = plan.order[sub_sweep];
          const MoveRules rules{common.moves, radii(replica), common.shuffle_particles};
          auto* const data = static_cast<Position*>(team.team_scratch(0).get_shmem_aligned(scratch, alignof(Position)));
          const Workspace disks{data + team.team_rank(), lanes};
          MoveCount count;
          for (int a = begin + team.team_rank(); a < begin + per_team && a < active; a += lanes) {
            const int row = a / in_row;
            const MoveCount one = update_cell(cells, plan, rules, replica, 2 * (a - row * in_row) + (set & 1),
                                              2 * row + (set >> 1), disks);
            count.tried += one.tried;
            count.accepted += one.accepted;
          }
          // Both fit one word: a team makes less than 2^32 moves.
          std::uint64_t both = (count.tried << 32) | count.accepted;
          if (lanes > 1) team.team_reduce(Kokkos::Sum<std::uint64_t>(both));
          Kokkos::single(Kokkos::PerTeam(team), [&] {
            Kokkos::atomic_add(&moves(replica).tried, both >> 32);
            Kokkos::atomic_add(&moves(replica).accepted, both & 0xffffffffu);
          });
        });
  }

  void shift_each_cell(int sweep) {
    const Cells<MemorySpace> from = state_.cells, to = state_.shifted;
    const Geometry g = from.geometry;
    const Plans plans = plans_;
    Kokkos::parallel_for(
        "tessera::disks::shift_cells",
        Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space_, 0, g.all_cells()),
        KOKKOS_LAMBDA(std::int64_t cell) {
          const auto row = static_cast<int>(cell / g.columns);
          const int replica = row / g.rows;
          const int x = g.column(static_cast<int>(cell - std::int64_t{row} * g.columns));
          shift_cell(from, to, plans(sweep, replica), replica, x, row - replica * g.rows);
        });
  }

 private:
  static PatchShape patch_for([[maybe_unused]] const ExecutionSpace& space, const Geometry& g, const MoveRules& rules,
                              const TeamShape& shape) {
    if (shape.patch.width > 0)
      return shape.patch.fits(g) && rules.moves <= PatchShape::most_moves ? shape.patch : PatchShape{};
#if defined(KOKKOS_ENABLE_CUDA)
    if constexpr (std::is_same_v<ExecutionSpace, Kokkos::Cuda>)
      if (shape.cells_per_lane == 0) return choose_patch(g, rules.moves, space.cuda_device_prop().multiProcessorCount);
#endif
    return {};
  }

  void run_some(std::int64_t first, int count) {
    plan_sweeps(space_, plans_, first, count, seed_, shuffle_checkerboard_, state_.geometry());
    if constexpr (runs_on_host<ExecutionSpace>) {
      for (int sweep = 0; sweep < count && patch_.width == 0; ++sweep) {
        for (int sub_sweep = 0; sub_sweep < 4; ++sub_sweep) update_set(sweep, sub_sweep);
        shift(sweep);
      }
      if (patch_.width > 0) {
        launch_patches(count, LaunchNow{});
        collect_moves(space_, parts_, state_.moves);
      }
    } else {
      if (count == most_at_once) {
        run_graph();
      } else {
        launch_sweeps(count, LaunchNow{});
      }
      collect_moves(space_, parts_, state_.moves);
    }
    move_origins(space_, plans_, count, state_.origins, state_.geometry());
  }

  /// On a GPU: the kernels of the first `count` sweeps of the plans, one after the other.
  template <class Launch>
  void launch_sweeps(int count, const Launch& launch) {
    if (patch_.width > 0) return launch_patches(count, launch);
    const int cells_each =
        shape_.cells_per_lane > 0 ? shape_.cells_per_lane : cells_of_lane(state_.geometry(), rules_.moves);
    for (int sweep = 0; sweep < count; ++sweep) {
      for (int sub_sweep = 0; sub_sweep < 4; ++sub_sweep)
        update_set_by_lanes(space_, launch, state_.cells, plans_, rules_, radii_, parts_, sweep, sub_sweep, cells_each);
      shift_cells_by_lanes(space_, launch, state_.cells, state_.shifted, plans_, sweep);
      std::swap(state_.cells, state_.shifted);
    }
  }

  template <class Launch>
  void launch_patches(int count, const Launch& launch) {
    for (int sweep = 0; sweep < count; ++sweep) {
      const auto with = [&](auto lanes_per_cell) {
        sweep_patches<decltype(lanes_per_cell)::value>(space_, launch, state_.cells, state_.shifted, plans_, rules_,
                                                       radii_, parts_, sweep, patch_);
      };
      if constexpr (runs_on_host<ExecutionSpace>) {
        with(std::integral_constant<int, 1>{});
      } else {
        switch (patch_.lanes_per_cell) {
          case 1:
            with(std::integral_constant<int, 1>{});
            break;
          case 2:
            with(std::integral_constant<int, 2>{});
            break;
          default:
            with(std::integral_constant<int, 4>{});
        }
      }
      std::swap(state_.cells, state_.shifted);
    }
  }

  /// The kernels of as many sweeps as there are plans, submitted at once: launched one by one, those of small systems
  /// would wait for the host. There is a graph for either buffer that it begins with.
  void run_graph() {
    static_assert(most_at_once % 2 == 0, "a graph ends with the buffer that it has begun with");
    auto& graph = graphs_[state_.cells.positions.data() == first_buffer_ ? 0 : 1];
    if (!graph) {
      graph = Kokkos::Experimental::create_graph<ExecutionSpace>(
          [&](const auto& root) { launch_sweeps(most_at_once, LaunchInGraph<ExecutionSpace>{root}); });
      graph->instantiate();
      Kokkos::fence("tessera::disks::graph");  // kernels too large to be passed are copied to the device meanwhile
    }
    graph->submit(space_);
  }

  ExecutionSpace space_;
  State<MemorySpace> state_;
  MoveRules rules_;
  bool shuffle_checkerboard_;
  std::uint64_t seed_;
  TeamShape shape_;
  PatchShape patch_;  ///< of width 0 if sweeps are not made by patches
  Radii radii_;       ///< of each replica, instead of that of the rules
  Plans plans_;

  // Of a GPU.
  MoveParts<MemorySpace> parts_;
  std::optional<Kokkos::Experimental::Graph<ExecutionSpace>> graphs_[2];
  const Position* first_buffer_;
};

}  // namespace tessera::disks
