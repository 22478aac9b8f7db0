// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <tessera/kmc/models.hpp>

#include "tests/kmc/exactness_instances.hpp"

namespace tessera::kmc {
TESSERA_TEST_ON_EVERY_SPACE(Potts)
}  // namespace tessera::kmc
