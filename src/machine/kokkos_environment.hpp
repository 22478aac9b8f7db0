// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

namespace tessera::program {

/// Throws InputError, naming the environment variable, where Kokkos::initialize would end the process over one.
void check_kokkos_environment();

}  // namespace tessera::program
