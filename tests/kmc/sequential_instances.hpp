// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <tessera/kmc/models.hpp>
#include <tessera/kmc/sequential/bkl.hpp>
#include <tessera/kmc/sequential/waiting_time.hpp>

#include "tests/kmc/own_models.hpp"
#include "tests/kmc/triangular_ising.hpp"

/// The sequential methods of the tests, compiled and optimized once: in sequential_instances.cpp, which defines
/// TESSERA_INSTANTIATE as nothing.
#ifndef TESSERA_INSTANTIATE
#define TESSERA_INSTANTIATE extern
#endif
#define TESSERA_SEQUENTIAL(Method, ...)                                                     \
  TESSERA_INSTANTIATE template class Method##Replica<__VA_ARGS__>;                          \
  TESSERA_INSTANTIATE template class Sequential<Method##Replica<__VA_ARGS__>, __VA_ARGS__>; \
  TESSERA_INSTANTIATE template class Method##Simulation<__VA_ARGS__>;

namespace tessera::kmc {

TESSERA_SEQUENTIAL(WaitingTime, Adsorption)
TESSERA_SEQUENTIAL(WaitingTime, Epitaxy)
TESSERA_SEQUENTIAL(WaitingTime, Hopping)
TESSERA_SEQUENTIAL(WaitingTime, Ising)
TESSERA_SEQUENTIAL(WaitingTime, Kawasaki)
TESSERA_SEQUENTIAL(WaitingTime, Octahedron)
TESSERA_SEQUENTIAL(WaitingTime, Potts)
TESSERA_SEQUENTIAL(WaitingTime, Programmed)
TESSERA_SEQUENTIAL(WaitingTime, RandomListed)
TESSERA_SEQUENTIAL(WaitingTime, RandomPairs)
TESSERA_SEQUENTIAL(WaitingTime, SolidOnSolid)
TESSERA_SEQUENTIAL(WaitingTime, Species)
TESSERA_SEQUENTIAL(WaitingTime, ::TriangularIsing)
TESSERA_SEQUENTIAL(Bkl, Adsorption)
TESSERA_SEQUENTIAL(Bkl, Ising)
TESSERA_SEQUENTIAL(Bkl, Potts)
TESSERA_SEQUENTIAL(Bkl, Programmed)
TESSERA_SEQUENTIAL(Bkl, SolidOnSolid)
TESSERA_SEQUENTIAL(Bkl, Species)

}  // namespace tessera::kmc
#undef TESSERA_SEQUENTIAL
