// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tessera/parallel/world.hpp>
#include <vector>

/// `tessera check`: whether all backends and devices of this machine give the same results to the last bit.
namespace tessera::program {

/// Options with their values.
using OptionValues = std::vector<std::pair<std::string, std::string>>;

/// A short run, which every backend repeats.
struct CheckedRun {
  std::string name;
  std::vector<std::string> words;            ///< of its command line
  std::optional<std::uint64_t> stored = {};  ///< checksum of the state at the end of the reference
  OptionValues reference = {};  ///< the run with which all are compared, by these options in place of its own
};

/// One of each method, lattice, and kind of model.
std::vector<CheckedRun> checked_runs();

/// All ranks: makes the runs, divided among the ranks, on all backends, and compares each with its reference on the
/// first backend of the host, and this one with its stored checksum. `words`: `--long` for 30 seeds, `--json`, and a
/// run, METHOD [options], in place of these. Prints a table, and returns the exit status: that of a failure unless all
/// are equal.
int check(std::vector<CheckedRun> runs, std::vector<std::string> words, const parallel::World& world);

}  // namespace tessera::program
