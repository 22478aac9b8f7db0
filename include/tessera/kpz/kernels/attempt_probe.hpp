// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <tessera/kpz/impl/decomposition.hpp>
#include <tessera/kpz/impl/word.hpp>
#include <type_traits>

namespace tessera::kpz {

/// Sees no attempt. Another one is told of every attempt on a site that is not in a dead border of the device layer,
/// attempt(replica, x, y) with the coordinates in the lattice, of a part of one those in memory; tests count them.
struct NoProbe {};

/// A place in a domain, of which a probe is told as a site of the lattice.
template <class Probe>
struct ProbeInDomain {
  Probe probe;
  int replica;
  Corner corner;
  Lattice lattice;

  static constexpr bool sees = !std::is_same_v<Probe, NoProbe>;

  KOKKOS_FORCEINLINE_FUNCTION void attempt(Place p) const {
    if constexpr (sees)
      probe.attempt(replica, (corner.x + x_of(p)) & lattice.wrap_x, (corner.y + y_of(p)) & lattice.wrap_y);
  }
};

}  // namespace tessera::kpz
