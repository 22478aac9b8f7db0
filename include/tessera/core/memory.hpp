// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>

namespace tessera {

/// What a run allocates for its arrays at most, in bytes, before anything is allocated: where the method runs, and on
/// the host besides. Where the method runs on a host, that takes both.
struct MemoryNeeded {
  std::size_t host = 0, device = 0;
};

}  // namespace tessera
