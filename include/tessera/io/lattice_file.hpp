// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace tessera::io {

/// Whole numbers on lattices of one size.
struct LatticeStates {
  std::size_t lattices = 0, ny = 0, nx = 0;
  std::vector<std::int64_t> states;  ///< [lattices][ny][nx]
};

/// Reads states from a file in one of three forms, which its first bytes decide:
///
/// - HDF5: `dataset`, [lattices][ny][nx], of a file that Tessera has written;
/// - .npy of NumPy: an array of whole numbers or truth values, [ny][nx] or [lattices][ny][nx], little-endian and in C
/// order;
/// - text: a row of whole numbers, or of names of states, a line, between blanks or commas; `#` begins a comment.
///
/// Lattices that do not have `sites` sites are not read; only their size is right. Throws InputError, which names the
/// file and what is wrong with it, also if a text has far more numbers. `named`: the state with a name; may be null.
LatticeStates read_lattice_states(const std::filesystem::path& path, const std::string& dataset, std::size_t sites,
                                  const std::function<std::int64_t(const std::string&)>& named = {});

/// The different words of a text that are no numbers; none if it is no text or cannot be read.
std::set<std::string> state_names(const std::filesystem::path& path);

}  // namespace tessera::io
