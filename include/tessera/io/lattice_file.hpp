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
  std::size_t lattices = 0, ny = 0, nx = 0;  ///< number of lattices, and their sides
  std::vector<std::int64_t> states;          ///< [lattices][ny][nx]
};

/// Reads states from a file in one of three formats, recognized by its first bytes:
///
/// - HDF5: `dataset`, [lattices][ny][nx], of a file written by Tessera;
/// - .npy of NumPy: integers or booleans, [ny][nx] or [lattices][ny][nx], little-endian and in C order;
/// - text: a line per row, integers or names of states separated by blanks or commas; `#` begins a comment.
///
/// For lattices without `sites` sites only the size is returned. Throws InputError with the file and the error, also if
/// a text has far more numbers. `named`: the state with a name; may be null.
LatticeStates read_lattice_states(const std::filesystem::path& path, const std::string& dataset, std::size_t sites,
                                  const std::function<std::int64_t(const std::string&)>& named = {});

/// The distinct words of a text that are not numbers; empty if the file is not a text or cannot be read.
std::set<std::string> state_names(const std::filesystem::path& path);

}  // namespace tessera::io
