// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <tessera/disks/any_simulation.hpp>
#include <vector>

#include "tests/io/memory_archive.hpp"

namespace tessera::disks {

using io::MemoryArchive;

/// The observable or function of this name.
template <class One>
One find(const std::vector<One>& all, const std::string& name) {
  for (const One& one : all)
    if (one.name == name) return one;
  return {};
}

}  // namespace tessera::disks
