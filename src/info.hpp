// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <iosfwd>

namespace tessera::program {

/// `tessera info`: version, Kokkos configuration, backends and devices. Says so where there is no device to start with.
void print_info(std::ostream& out);

}  // namespace tessera::program
