// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <Kokkos_Graph.hpp>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <tessera/core/host_array.hpp>
#include <tessera/core/kokkos_ext/gpu.hpp>
#include <tessera/disks/kernels/simd_sweeps.hpp>
#include <tessera/disks/kernels/team_per_replica.hpp>
#include <tessera/disks/kernels/team_per_tile.hpp>
#include <tessera/disks/kernels/thread_per_cell.hpp>
#include <tessera/disks/state/subdomains.hpp>
#include <tessera/disks/state/trial_moves.hpp>
#include <tessera/parallel/ghosts.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera::disks {

/// Mapping of sweeps to the hardware; trajectories do not depend on it.
struct SweepShape {
  Arrangement arrangement;          ///< slots: four cells per SIMD vector, on CPUs; pairs: tiles or a thread per cell
  int bands = 0;                    ///< SIMD: number of bands of rows; 0: several per thread
  std::optional<TileShape> tile{};  ///< pairs: by default chosen for the device; width 0: a thread per cell
};

template <class ExecutionSpace>
inline constexpr SweepShape default_sweep_shape{runs_on_host<ExecutionSpace> ? Arrangement::slots : Arrangement::pairs};

/// Sweeps of all replicas (algorithm 1). A rank also sweeps the ghosts that its own cells depend on. Errors of the
/// outer ghosts do not reach its own cells in one sweep, after which ghosts are exchanged.
template <class ExecutionSpace>
class Sweeps {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;
  using Plans = Kokkos::View<SweepPlan**, Kokkos::LayoutRight, MemorySpace>;
  using Radii = Kokkos::View<float*, MemorySpace>;
  static constexpr int most_at_once = 32;  ///< sweeps whose plans are computed together

  /// Starts with empty cells. `part`: subdomain of this rank. Call exchange_ghosts() before the first sweep.
  Sweeps(const ExecutionSpace& space, const Parameters& p, const Geometry& part, SweepShape shape,
         const parallel::Distribution& distribution)
      : space_(space),
        state_(part, shape.arrangement),
        rules_{p.moves_per_cell, static_cast<float>(p.move_radius), p.shuffle_particles},
        shuffle_checkerboard_(p.shuffle_checkerboard),
        seed_(p.seed),
        shape_(shape),
        tile_(tile_for(space, part, rules_, shape)),
        radii_("tessera::disks::radii", static_cast<std::size_t>(part.replicas)),
        plans_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "tessera::disks::plans"), most_at_once,
               static_cast<std::size_t>(part.replicas)),
        parts_("tessera::disks::move_parts", is_pairs() ? radii_.size() : 0, move_parts),
        first_buffer_(state_.cells.positions.data()),
        is_serial_(distribution.is_serial()),
        ghosts_(space, distribution.ranks, distribution.grid) {
    Kokkos::deep_copy(space_, radii_, rules_.radius);
  }

  /// Sets the radius of the trial moves of each replica, in sigma.
  void set_radii(const std::vector<double>& radii) {
    const auto host = Kokkos::create_mirror_view(Kokkos::HostSpace(), radii_);
    for (std::size_t r = 0; r < radii.size(); ++r) host(r) = static_cast<float>(radii[r]);
    Kokkos::deep_copy(space_, radii_, host);
    space_.fence("tessera::disks::set_radii");
  }

  /// Launches sweeps number first .. first + count - 1, without waiting for them.
  void run(std::int64_t first, int count) {
    for (int done = 0; done < count; done += most_at_once) run_some(first + done, std::min(count - done, most_at_once));
  }

  /// Call after disks are written to the state.
  void exchange_ghosts() {
    ghosts_.exchange(table_of_cells(state_.geometry()), SharedCells<MemorySpace>{state_.cells});
  }

  const State<MemorySpace>& state() const { return state_; }

 private:
  bool is_pairs() const { return shape_.arrangement == Arrangement::pairs; }

  static TileShape tile_for([[maybe_unused]] const ExecutionSpace& space, const Geometry& g, const MoveRules& rules,
                            const SweepShape& shape) {
    if (rules.moves > TileShape::most_moves) return {};
    if (shape.tile) {
      const bool fits = shape.tile->is_whole(g) ? ReplicaTeam<ExecutionSpace>::fits(g) : shape.tile->fits(g);
      return fits ? *shape.tile : TileShape{};
    }
    if constexpr (!runs_on_host<ExecutionSpace>) {
      const int multiprocessors = gpu_properties(space).multiProcessorCount;
      if (whole_replicas_suit(g, multiprocessors) && ReplicaTeam<ExecutionSpace>::fits(g))
        return ReplicaTeam<ExecutionSpace>::shape(g);
      return choose_tile(g, multiprocessors);
    }
    return {};
  }

  void run_some(std::int64_t first, int count) {
    plan_sweeps(space_, plans_, first, count, seed_, shuffle_checkerboard_, state_.geometry());
    if (is_serial_) make(0, count);
    for (int sweep = 0; sweep < count && !is_serial_; ++sweep) {
      make(sweep, 1);
      exchange_ghosts();
    }
    if (is_pairs()) collect_moves(space_, parts_, state_.moves);
    move_origins(space_, plans_, count, state_.origins, state_.geometry());
  }

  /// Makes sweeps with the plans first .. first + count - 1.
  void make(int first, int count) {
    if constexpr (runs_on_host<ExecutionSpace>)
      if (!is_pairs()) {
        sweep_simd(space_, state_, plans_, first, count, rules_, radii_, shape_.bands);
        if (count % 2 != 0) std::swap(state_.cells, state_.shifted);
        return;
      }
    if (tile_.is_whole(state_.geometry()))
      return sweep_replicas(space_, state_.cells, plans_, first, count, rules_, radii_, parts_);
    if constexpr (!runs_on_host<ExecutionSpace>)
      if (count == most_at_once) return run_graph();
    launch_sweeps(first, count, LaunchNow{});
  }

  /// The same, a kernel per sweep or sub-sweep.
  template <class Launch>
  void launch_sweeps(int first, int count, const Launch& launch) {
    for (int sweep = first; sweep < first + count; ++sweep) {
      const auto update = [&](auto last, int sub_sweep) {
        update_set_thread_per_cell<decltype(last)::value>(space_, launch, state_.cells, state_.shifted, plans_, rules_,
                                                          radii_, parts_, sweep, sub_sweep);
      };
      if (tile_.width > 0) {
        sweep_tiles(space_, launch, state_.cells, state_.shifted, plans_, rules_, radii_, parts_, sweep, tile_);
      } else {
        for (int sub_sweep = 0; sub_sweep < 3; ++sub_sweep) update(std::false_type{}, sub_sweep);
        update(std::true_type{}, 3);
      }
      std::swap(state_.cells, state_.shifted);
    }
  }

  /// The kernels of most_at_once sweeps as one graph: launched one by one, kernels of small systems would wait for the
  /// CPU. There is one graph for each of the two buffers it may begin with.
  void run_graph() {
    static_assert(most_at_once % 2 == 0, "a graph ends with the buffer it began with");
    auto& graph = graphs_[state_.cells.positions.data() == first_buffer_ ? 0 : 1];
    if (!graph) {
      graph = Kokkos::Experimental::create_graph<ExecutionSpace>(
          [&](const auto& root) { launch_sweeps(0, most_at_once, LaunchInGraph<ExecutionSpace>{root}); });
      graph->instantiate();
      Kokkos::fence("tessera::disks::graph");  // large kernels are being copied to the device
    }
    graph->submit(space_);
  }

  ExecutionSpace space_;
  State<MemorySpace> state_;
  MoveRules rules_;
  bool shuffle_checkerboard_;
  std::uint64_t seed_;
  SweepShape shape_;
  TileShape tile_;  ///< of width 0 without tiles
  Radii radii_;     ///< of each replica; used instead of that of the rules
  Plans plans_;

  // Members for pairs.
  MoveParts<MemorySpace> parts_;
  std::optional<Kokkos::Experimental::Graph<ExecutionSpace>> graphs_[2];
  const Position* first_buffer_;

  bool is_serial_;
  parallel::Ghosts<ExecutionSpace> ghosts_;
};

}  // namespace tessera::disks
