// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <string>

namespace tessera::program {

/// Makes failed allocations throw a std::bad_alloc whose what() is memory_shortage().
void explain_bad_alloc();

/// Sets the estimated host memory of the run, for memory_shortage().
void set_memory_of_run(std::size_t bytes);

/// Message for a failed allocation: memory required by the run, memory of the process, its limits, and remedies.
std::string memory_shortage();

}  // namespace tessera::program
