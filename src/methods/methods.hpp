// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <memory>

#include "run/method.hpp"

namespace tessera::program {

std::unique_ptr<Method> make_disks();
std::unique_ptr<Method> make_kmc();
std::unique_ptr<Method> make_kpz();

}  // namespace tessera::program
