// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <string>

namespace tessera::program {

/// From here on an allocation that fails throws, wherever it is, a std::bad_alloc whose what() is memory_shortage().
void explain_bad_alloc();

/// What the run needs of the host by estimate, for memory_shortage().
void set_memory_of_run(std::size_t bytes);

/// What to say where the system gives no more memory: what the run needs, what the process has, what limits it, and
/// what would do.
std::string memory_shortage();

}  // namespace tessera::program
