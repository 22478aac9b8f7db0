// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include <tessera/disks/sequential.hpp>

#include "on_space.hpp"

namespace tessera::perf {

std::unique_ptr<DisksSystem> make_disks_sequential(const disks::Parameters& parameters) {
  return std::make_unique<DisksSystemOf<disks::SequentialSimulation>>(parameters);
}

}  // namespace tessera::perf
