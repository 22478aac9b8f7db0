// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <tessera/kmc/parameters.hpp>
#include <vector>

#include "tests/io/memory_archive.hpp"

/// Runs in three dimensions, to be compared.
namespace tessera::testing {

inline kmc::Parameters box(int nx, int ny, int nz, double until) {
  kmc::Parameters p;
  p.nx = nx;
  p.ny = ny;
  p.nz = nz;
  p.seed = 7;
  p.until_time = until;
  return p;
}

/// What determines the rest of a run. `counts`: names of other entries of the checkpoint, of numbers of events.
template <class Simulation>
std::vector<std::vector<std::uint64_t>> state_of(const Simulation& simulation,
                                                 const std::vector<const char*>& counts = {}) {
  io::MemoryArchive archive;
  simulation.save(archive);
  const auto words = []<class T>(const std::vector<T>& values) {
    return std::vector<std::uint64_t>(values.begin(), values.end());
  };
  std::vector<std::vector<std::uint64_t>> all{words(archive.values<std::uint8_t>("state")),
                                              words(archive.values<std::uint32_t>("waiting_time")),
                                              words(archive.values<std::uint32_t>("tick")),
                                              words(archive.values<std::uint64_t>("epoch")),
                                              words(archive.values<std::uint64_t>("events"))};
  for (const char* name : counts) all.push_back(archive.values<std::uint64_t>(name));
  return all;
}

}  // namespace tessera::testing
