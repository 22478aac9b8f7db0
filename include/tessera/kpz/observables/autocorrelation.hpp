// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <tessera/kpz/observables/autocorrelation_gemv.hpp>
#include <tessera/kpz/observables/autocorrelation_sums.hpp>
#include <vector>

namespace tessera::kpz {

/// Overlaps of the surface of each replica with earlier ones, [earlier][replicas], by Kokkos Kernels if Tessera is
/// built with it, else by plain sums. Both give the same exact integers. All ranks that share the lattice call this,
/// and get the overlaps of the whole lattice.
template <class ExecutionSpace>
std::vector<std::vector<Overlaps>> overlaps(const ExecutionSpace& space, const Lattice& lattice,
                                            const Words<ExecutionSpace>& words,
                                            const std::vector<Words<ExecutionSpace>>& earlier,
                                            const Subdomains& subdomains = {}) {
#ifdef TESSERA_HAVE_KOKKOS_KERNELS
  return overlaps_by_gemv(space, lattice, words, earlier, subdomains);
#else
  return overlaps_by_sums(space, lattice, words, earlier, subdomains);
#endif
}

}  // namespace tessera::kpz
