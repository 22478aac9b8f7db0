// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <tessera/parallel/world.hpp>

namespace tessera::program {

/// Does what rank 0 tells (protocol.hpp) until it tells to end, and returns the exit status. Writes to no file, and to
/// the terminal nothing.
int follow(const parallel::World& world);

}  // namespace tessera::program
