// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>

namespace tessera::program {

/// `tessera info`: version, Kokkos configuration, backends and devices. Reports if Kokkos cannot start without a
/// device.
std::string info();

}  // namespace tessera::program
