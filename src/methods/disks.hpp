// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>

#include "run/method.hpp"

namespace tessera::program {

/// Massively parallel Monte Carlo of hard disks.
std::unique_ptr<Method> make_disks();

}  // namespace tessera::program
