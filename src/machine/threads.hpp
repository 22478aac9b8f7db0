// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

#include "machine/backend.hpp"

namespace tessera::program {

/// Kokkos holds its threads of OpenMP in a table of so many, and does not look whether there are more.
inline constexpr int most_threads = 512;

/// Cores that this process may use: those that it may run on, or fewer if a control group limits its time.
int available_cores();

/// Threads of OpenMP for a run: 1 on the serial backend; else `wanted`, the value of --threads, if it is not 0; else
/// what KOKKOS_NUM_THREADS or OMP_NUM_THREADS says; else available_cores(), or fewer where `ranks` processes of this
/// node would have more cores together than there are. Throws InputError for more than
/// most_threads, or than OMP_THREAD_LIMIT, and for a variable that is no number.
int choose_threads(Backend backend, int wanted, int ranks = 1);

/// Threads that wait for each other burn the time of a core for milliseconds before they sleep, which on cores that
/// other programs use as well makes a run ten times slower. This makes GNU's OpenMP wait for about 10 microseconds,
/// unless OMP_WAIT_POLICY or GOMP_SPINCOUNT is set. The runtime reads its environment before main() begins: where that
/// has to change, the program starts anew in this process, and this function does not return. `arguments` are those of
/// main(); nothing may have been written or started.
void wait_briefly(const std::vector<std::string>& arguments);

}  // namespace tessera::program
