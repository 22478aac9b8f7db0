// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "simulations/kmc_without_type.hpp"

namespace tessera::kmc {

template struct TileMethods<std::tuple<TESSERA_EXECUTION_SPACE>, Models::Types>;

}  // namespace tessera::kmc
