// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <tessera/disks/any_simulation.hpp>
#include <tessera/io/memory_archive.hpp>
#include <vector>

namespace tessera::disks {

using io::MemoryArchive;

/// The observable of this name.
inline Observable find(const std::vector<Observable>& all, const std::string& name) {
  for (const Observable& one : all)
    if (one.name == name) return one;
  return {};
}

}  // namespace tessera::disks
