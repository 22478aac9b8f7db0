// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <tessera/parallel/world.hpp>

namespace tessera {

/// The ranks of a rank test. All of them run every test. Where one of them fails, it says so and the job ends, since
/// the others might wait for it for ever.
const parallel::World& world();

}  // namespace tessera
