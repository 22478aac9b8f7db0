// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <vector>

namespace tessera {

/// An execution space that a run can be computed on.
enum class Backend { serial, openmp, cuda };

/// Those of the Kokkos that Tessera was built with, in the order serial, openmp, cuda: the first is a host's.
std::vector<Backend> built_backends();

}  // namespace tessera
