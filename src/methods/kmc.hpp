// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>

#include "run/method.hpp"

namespace tessera::program {

/// Exact kinetic Monte Carlo.
std::unique_ptr<Method> make_kmc();

}  // namespace tessera::program
