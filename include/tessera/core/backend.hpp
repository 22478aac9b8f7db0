// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <vector>

namespace tessera {

/// An execution space for runs.
enum class Backend { serial, openmp, cuda };

/// Execution spaces of the Kokkos that Tessera was built with, in the order serial, openmp, cuda. The first one is a
/// host space.
std::vector<Backend> built_backends();

}  // namespace tessera
