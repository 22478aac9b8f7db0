// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include "machine/backend.hpp"

namespace tessera::program {

/// Size of the thread table in Kokkos' OpenMP backend, which does not check it.
inline constexpr int most_threads = 512;

/// Cores available to this process, or fewer if a control group limits its time.
int available_cores();

/// Number of OpenMP threads of a run: 1 on the serial backend; else `wanted`, the value of --threads, if it is not 0;
/// else KOKKOS_NUM_THREADS or OMP_NUM_THREADS; else available_cores(), divided if `ranks` processes of this node would
/// exceed its cores. Throws InputError above most_threads or OMP_THREAD_LIMIT, and for a variable without a number.
int choose_threads(Backend backend, int wanted, int ranks = 1);

}  // namespace tessera::program
