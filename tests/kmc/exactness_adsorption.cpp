// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <tessera/core/kokkos_ext/visit_backend.hpp>

#include "simulations/kmc_without_type.hpp"
#include "tests/kmc/own_models.hpp"

namespace tessera::kmc {

template struct TileMethods<ExecutionSpaces, std::tuple<::tessera::testing::Adsorption>>;

}  // namespace tessera::kmc
