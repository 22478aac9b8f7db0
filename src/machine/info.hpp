// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>

namespace tessera::program {

/// `tessera info`: version, Kokkos configuration, backends and devices. Says so where there is no device to start with.
std::string info();

}  // namespace tessera::program
