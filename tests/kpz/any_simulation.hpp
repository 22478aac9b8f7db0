// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <tessera/kpz/any_simulation.hpp>
#include <tuple>
#include <vector>

#include "tests/execution_spaces.hpp"
#include "tests/io/memory_archive.hpp"

namespace tessera::testing {

using io::MemoryArchive;
using kpz::AnySimulation;
using kpz::make_sequential;
using kpz::make_simulation;

/// The values of an observable, by replica.
inline std::vector<double> values_of(AnySimulation& simulation, const std::string& name) {
  for (const auto& observable : simulation.measure())
    if (observable.name == name) return observable.values;
  return {};
}

/// A checkpoint is refused whose slopes do not add up to 0 around each square and along each line.
inline void expect_surfaces(AnySimulation& simulation) {
  MemoryArchive archive;
  simulation.save(archive);
  simulation.load(archive);
}

/// For systems too small to be shared out among threads.
using OneThread = std::tuple_element_t<0, TupleOfSpaces>;

}  // namespace tessera::testing
