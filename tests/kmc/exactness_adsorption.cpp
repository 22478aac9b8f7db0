// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tests/kmc/own_models.hpp"

#include "tests/kmc/exactness_instances.hpp"

namespace tessera::kmc {
using ::tessera::testing::Adsorption;
TESSERA_TEST_ON_EVERY_SPACE(Adsorption)
}  // namespace tessera::kmc
