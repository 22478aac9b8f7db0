// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <Kokkos_Graph.hpp>
#include <string>
#include <tessera/disks/impl/state.hpp>

/// What the kernels of GPUs have in common: how they are launched, and how they count moves.
namespace tessera::disks {

/// Launches kernels.
struct LaunchNow {
  template <class Policy, class Kernel>
  void operator()(const char* label, const Policy& policy, const Kernel& kernel) const {
    Kokkos::parallel_for(label, policy, kernel);
  }
};

/// Makes kernels the nodes of a graph, one after the other.
template <class ExecutionSpace>
struct LaunchInGraph {
  mutable Kokkos::Experimental::GraphNodeRef<ExecutionSpace> last;
  template <class Policy, class Kernel>
  void operator()(const char* label, const Policy& policy, const Kernel& kernel) const {
    last = last.then_parallel_for(std::string(label), policy, kernel);
  }
};

/// Trial moves of a replica in parts, [replica][part], so that not all teams add to the same number.
template <class MemorySpace>
using MoveParts = Kokkos::View<MoveCount**, Kokkos::LayoutRight, MemorySpace>;
inline constexpr int move_parts = 32;

/// Adds the parts to the moves of the replicas, and sets them to zero.
template <class ExecutionSpace, class MemorySpace, class Moves>
void collect_moves(const ExecutionSpace& space, const MoveParts<MemorySpace>& parts, const Moves& moves) {
  Kokkos::parallel_for(
      "tessera::disks::collect_moves", Kokkos::RangePolicy<ExecutionSpace>(space, 0, moves.extent(0)),
      KOKKOS_LAMBDA(std::size_t r) {
        for (std::size_t part = 0; part < parts.extent(1); ++part) {
          moves(r).tried += parts(r, part).tried;
          moves(r).accepted += parts(r, part).accepted;
          parts(r, part) = MoveCount{};
        }
      });
}

}  // namespace tessera::disks
