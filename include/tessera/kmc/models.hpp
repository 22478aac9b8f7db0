// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <tessera/kmc/model_list.hpp>

#if defined(TESSERA_MODELS)
#include TESSERA_MODELS
#else
#include <tessera/kmc/models/epitaxy.hpp>
#include <tessera/kmc/models/hopping.hpp>
#include <tessera/kmc/models/ising.hpp>
#include <tessera/kmc/models/kawasaki.hpp>
#include <tessera/kmc/models/octahedron.hpp>
#include <tessera/kmc/models/potts.hpp>
#include <tessera/kmc/models/solid_on_solid.hpp>

namespace tessera::kmc {

/// The models of Tessera; the first one is the default. Options, checks, memory estimates and simulations of the
/// program follow from this list. A program with other models replaces it (cmake/TesseraOwnProgram.cmake).
using Models = ModelList<SolidOnSolid, Ising, Potts, Hopping, Kawasaki, Epitaxy, Octahedron>;

}  // namespace tessera::kmc
#endif

namespace tessera::kmc {

/// A model of the list with values of its parameters.
using ModelChoice = ChoiceFrom<Models>;

}  // namespace tessera::kmc
