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
#include <tessera/kmc/models/octahedron.hpp>
#include <tessera/kmc/models/potts.hpp>
#include <tessera/kmc/models/solid_on_solid.hpp>

namespace tessera::kmc {

/// The models that ship, the default first. Options, checks, memory and simulations of the program follow from this
/// list; a program with other models names a header that has its list (cmake/TesseraOwnProgram.cmake).
using Models = ModelList<SolidOnSolid, Ising, Potts, Hopping, Epitaxy, Octahedron>;

}  // namespace tessera::kmc
#endif

namespace tessera::kmc {

/// One of them, with its parameters.
using ModelChoice = ChoiceFrom<Models>;

}  // namespace tessera::kmc
