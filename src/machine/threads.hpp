// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

#include "machine/backend.hpp"

namespace tessera::program {

/// Size of the thread table in Kokkos' OpenMP backend, which does not check it.
inline constexpr int most_threads = 512;

/// Cores available to this process, or fewer if a control group limits its time.
int available_cores();

/// Number of OpenMP threads of a run: 1 on the serial backend; else `wanted`, the value of --threads, if it is not 0;
/// else KOKKOS_NUM_THREADS or OMP_NUM_THREADS; else available_cores(), divided if `ranks` processes of this node would
/// exceed its cores. Throws InputError for more than most_threads or OMP_THREAD_LIMIT, and for a variable that is not a
/// number.
int choose_threads(Backend backend, int wanted, int ranks = 1);

/// Limits the busy-waiting of OpenMP threads. By default they spin for milliseconds before they sleep, which makes a
/// run ten times slower on cores that other programs use. This sets GNU's OpenMP to about 10 microseconds, unless
/// OMP_WAIT_POLICY or GOMP_SPINCOUNT is set. The runtime reads its environment before main(); if it must change, the
/// program restarts in this process and this function does not return. `arguments` are those of main(). Call it before
/// anything is written or started.
void wait_briefly(const std::vector<std::string>& arguments);

}  // namespace tessera::program
