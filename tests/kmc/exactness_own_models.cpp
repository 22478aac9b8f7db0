// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "simulations/kmc_methods.hpp"
#include "tests/kmc/own_models.hpp"
#include "tests/kmc/triangular_ising.hpp"

namespace tessera::kmc {

using OwnModels = std::tuple<Adsorption, Programmed, RandomListed, RandomPairs, Species, ::TriangularIsing>;
template struct TileMethods<std::tuple<TESSERA_EXECUTION_SPACE>, PartOf<TESSERA_PART, TESSERA_PARTS, OwnModels>>;

}  // namespace tessera::kmc
