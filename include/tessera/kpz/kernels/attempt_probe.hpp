// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <tessera/kpz/impl/decomposition.hpp>
#include <tessera/kpz/impl/word.hpp>
#include <type_traits>

namespace tessera::kpz {

/// The default probe, which does nothing. Another probe has attempt(replica, x, y), called for every attempt on a site
/// outside dead borders of the device layer. Coordinates are those of the lattice, or, for a rank's block, those in
/// memory. Tests count attempts with it.
struct NoProbe {};

/// Maps a site of a domain to a site of the lattice for a probe.
template <class Probe>
struct ProbeInDomain {
  Probe probe;
  int replica;
  Corner corner;
  Lattice lattice;

  static constexpr bool sees = !std::is_same_v<Probe, NoProbe>;

  KOKKOS_FORCEINLINE_FUNCTION void attempt(PackedSite p) const {
    if constexpr (sees)
      probe.attempt(replica, (corner.x + x_of(p)) & lattice.wrap_x, (corner.y + y_of(p)) & lattice.wrap_y);
  }
};

}  // namespace tessera::kpz
