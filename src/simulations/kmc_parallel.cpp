// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "simulations/kmc_methods.hpp"

namespace tessera::kmc {

template struct TileMethods<std::tuple<TESSERA_EXECUTION_SPACE>, PartOf<TESSERA_PART, TESSERA_PARTS, CompiledModels>>;

}  // namespace tessera::kmc
