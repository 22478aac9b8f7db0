// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <Kokkos_Graph.hpp>
#include <string>
#include <tessera/disks/state/state.hpp>

/// Launches of GPU kernels, and counts of their moves.
namespace tessera::disks {

/// Launches kernels immediately.
struct LaunchNow {
  template <class Policy, class Kernel>
  void operator()(const char* label, const Policy& policy, const Kernel& kernel) const {
    Kokkos::parallel_for(label, policy, kernel);
  }
};

/// Adds kernels to a graph, each after the previous one.
template <class ExecutionSpace>
struct LaunchInGraph {
  mutable Kokkos::Experimental::GraphNodeRef<ExecutionSpace> last;
  template <class Policy, class Kernel>
  void operator()(const char* label, const Policy& policy, const Kernel& kernel) const {
    last = last.then_parallel_for(std::string(label), policy, kernel);
  }
};

/// Partial counts of trial moves, [replica][part]: fewer atomic additions collide.
template <class MemorySpace>
using MoveParts = Kokkos::View<MoveCount**, Kokkos::LayoutRight, MemorySpace>;
inline constexpr int move_parts = 32;

/// Adds the partial counts to `moves`, and resets them.
template <class ExecutionSpace, class MemorySpace, class Moves>
void collect_moves(const ExecutionSpace& space, const MoveParts<MemorySpace>& parts, const Moves& moves) {
  Kokkos::parallel_for(
      "tessera::disks::collect_moves", Kokkos::RangePolicy<ExecutionSpace>(space, 0, moves.extent(0)),
      KOKKOS_LAMBDA(std::size_t r) {
        for (std::size_t part = 0; part < parts.extent(1); ++part) {
          moves(r) += parts(r, part);
          parts(r, part) = MoveCount{};
        }
      });
}

}  // namespace tessera::disks
