// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/core/kokkos_ext/on_gpu.hpp>
#include <tessera/kpz/state/decomposition.hpp>
#include <tessera/kpz/state/rates.hpp>

/// The block layer: the collective updates of a domain in an asynchronous interval.
namespace tessera::kpz {

/// Properties of the decomposition that kernels are compiled for.
template <bool dead_border_, BlockLayer block_, Rule rule_>
struct Scheme {
  static constexpr bool dead_border = dead_border_;  ///< of the device layer
  static constexpr bool tiled = block_ == BlockLayer::double_tiling;
  static constexpr bool certain = rule_ == Rule::one_certain;
  static constexpr bool both = rule_ == Rule::both;
  /// With both kinds of update and a dead border in the block layer, sites on one side of the shifted cells are updated
  /// after those of the bulk and the corners.
  static constexpr bool in_classes = both && !tiled;
};

/// Whether a site of a cell is on one side of it, the right or the upper one: not in the bulk, nor in the upper right
/// corner. Of two neighbours in different cells one is on a side, and the other one is not.
KOKKOS_FORCEINLINE_FUNCTION bool is_on_side(PackedSite in_cell, PackedSite last_in_cell) {
  const PackedSite before = in_cell ^ last_in_cell;  // not 0 before the last column or row
  return ((before & 0xffffu) == 0) != (before <= 0xffffu);
}

/// One collective update; see collective_updates().
#if defined(__NVCC__)
#pragma nv_diag_suppress 20014  // a mapping to CPUs runs on CPUs alone
#endif
template <class Scheme, int of_draw, class Cells>
KOKKOS_FORCEINLINE_FUNCTION void collective_update(Cells& cells, int update) {
  cells.template choose<of_draw>(update);
  cells.update();
  if constexpr (Scheme::in_classes) cells.update_sides();
}

/// All collective updates of an interval. In each of them every thread cell of the domain attempts one site. The random
/// numbers of the cell and of the domain, which shifts the cells, select the site.
///
/// With a dead border and one kind of update, no two neighbouring sites can change at the same time. Borders are
/// ignored, and all changes depend on the state before the collective update. With both kinds of update no two sites
/// on sides are neighbours, and no two others. With double tiling active sub-tiles do not touch. Thus the order of the
/// cells does not matter.
///
/// Attempts that are certain take all their random numbers from one draw. For others, a draw of 64 bits serves two
/// updates: the lowest bits of a half are the site, and all 32 bits are compared with the probability. Over all sites
/// of a cell, or of its active sub-tile, the probability is exact to 2^-32; at one of 2^n sites to 2^(n - 32).
///
/// Cells is the mapping to the hardware, and has these members:
///   shifts(draw, last)       the random number of the domain
///   draw()                   draws a random number for each cell
///   half(number, shifts)     selects the lower or upper half of the shifts, for half of the updates
///   for_each_update<n>(what) calls what(update) for each of these updates, or each n-th
///   choose<n>(update)        selects the sites of an update of this half; n: of the two of a draw
///   update()                 makes the attempts, all on the state before; those not on a side with Scheme::in_classes
///   update_sides()           makes the attempts on sites that are on a side
///   unrolled                 unroll factor of loops over updates on GPUs
template <class Scheme, class Cells>
KOKKOS_FORCEINLINE_FUNCTION void collective_updates(const Decomposition& d, Cells& cells) {
  const int draws = d.rounds / d.updates_a_draw;
#if defined(TESSERA_ON_GPU)
#pragma unroll 1
#endif
  for (int draw = 0; draw < draws; ++draw) {
    const std::uint64_t shifts = cells.shifts(draw, draw + 1 == draws);
    if constexpr (Scheme::certain) cells.draw();
#if defined(TESSERA_ON_GPU)
#pragma unroll Cells::unrolled
#endif
    for (int half = 0; half < 2; ++half) {
      cells.half(half, static_cast<PackedSite>(shifts >> (32 * half)));
      if constexpr (Scheme::certain) {
        cells.template for_each_update<1>([&](int update) { collective_update<Scheme, 0>(cells, update); });
      } else {
        cells.template for_each_update<2>([&](int update) {
          cells.draw();
          collective_update<Scheme, 0>(cells, update);
          collective_update<Scheme, 1>(cells, update + 1);
        });
      }
    }
  }
}
#if defined(__NVCC__)
#pragma nv_diag_default 20014
#endif

}  // namespace tessera::kpz
