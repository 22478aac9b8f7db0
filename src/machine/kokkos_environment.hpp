// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

namespace tessera::program {

/// Throws InputError with the environment variable if its value would make Kokkos::initialize end the process.
void check_kokkos_environment();

}  // namespace tessera::program
