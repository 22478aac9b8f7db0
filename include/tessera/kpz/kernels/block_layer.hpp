// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/kpz/impl/decomposition.hpp>
#include <tessera/kpz/impl/rates.hpp>

/// The block layer: the collective updates of a domain in an asynchronous interval.
namespace tessera::kpz {

/// Properties of the decomposition that kernels are compiled for.
template <bool dead_border_, BlockLayer block_, Rule rule_>
struct Scheme {
  static constexpr bool dead_border = dead_border_;  ///< of the device layer
  static constexpr bool tiled = block_ == BlockLayer::double_tiling;
  static constexpr bool certain = rule_ == Rule::one_certain;
  static constexpr bool both = rule_ == Rule::both;
  /// With both kinds of update and a dead border in the block layer, the bulk, the sides and the corners of the shifted
  /// cells are updated in this order.
  static constexpr bool in_classes = both && !tiled;
};

/// The class of a site of a cell: 0 in the bulk, 1 at the right or upper side, 2 in the corner.
KOKKOS_FORCEINLINE_FUNCTION int border_class(PackedSite site, PackedSite last_in_cell) {
  // A carry for each coordinate that is not the last one: sides are powers of two.
  const PackedSite carries = ((~site & last_in_cell) + last_in_cell) & (last_in_cell + packed_site(1, 1));
  return 2 - Kokkos::Experimental::popcount_builtin(carries);
}

/// One collective update; see collective_updates().
#if defined(__NVCC__)
#pragma nv_exec_check_disable  // a mapping to hosts runs on hosts alone
#endif
template <class Scheme, class Cells, class Probe>
KOKKOS_FORCEINLINE_FUNCTION void collective_update(Cells& cells, int update, const Probe& probe) {
  if constexpr (!Scheme::certain) cells.draw();
  cells.choose(update, probe);
  if constexpr (Scheme::in_classes) {
    cells.template update_class<0>();
    cells.template update_class<1>();
    cells.template update_class<2>();
  } else {
    cells.update();
  }
}

/// All collective updates of an interval. In each of them every thread cell of the domain attempts one site. The random
/// numbers of the cell and of the domain, which shifts the cells, select the site.
///
/// With a dead border and one kind of update, no two neighbouring sites can change at the same time. Borders are
/// ignored, and all changes depend on the state before the collective update. With both kinds of update no two sites of
/// a class are neighbours. With double tiling active sub-tiles do not touch. Thus the order of the cells does not
/// matter.
///
/// Cells is the mapping to the hardware, and has these members:
///   shifts(draw, last)       the random number of the domain
///   draw()                   draws a random number for each cell
///   half(number, shifts)     selects the lower or upper half of the numbers, for half of their updates
///   for_each_update(what)    calls what(update) for these updates
///   choose(update, probe)    selects the sites of an update of this half
///   update()                 makes the attempts, all on the state before
///   update_class<number>()   makes the attempts on sites of this class
///   unrolled                 unroll factor of loops over updates on GPUs
#if defined(__NVCC__)
#pragma nv_exec_check_disable  // a mapping to hosts runs on hosts alone
#endif
template <class Scheme, class Cells, class Probe>
KOKKOS_FORCEINLINE_FUNCTION void collective_updates(const Decomposition& d, Cells& cells, const Probe& probe) {
  const int draws = d.rounds / d.updates_a_draw;
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
  for (int draw = 0; draw < draws; ++draw) {
    const std::uint64_t shifts = cells.shifts(draw, draw + 1 == draws);
    if constexpr (Scheme::certain) cells.draw();
#if defined(__CUDA_ARCH__)
#pragma unroll(Cells::unrolled)
#endif
    for (int half = 0; half < 2; ++half) {
      cells.half(half, static_cast<PackedSite>(shifts >> (32 * half)));
      cells.for_each_update([&](int update) { collective_update<Scheme>(cells, update, probe); });
    }
  }
}

}  // namespace tessera::kpz
