// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tessera::io {

/// What an output file says about the model of its states.
struct StatesOrigin {
  std::string model;                ///< its name, as `model` in the input; empty for one from a file, or without input
  std::string description;          ///< for UnitCell; may be empty
  std::vector<std::string> fields;  ///< names of the fields
  std::string lattice;              ///< as `lattice` in the input; may be empty
};

/// Whole numbers on lattices of one size.
struct LatticeStates {
  std::size_t lattices = 0, ny = 0, nx = 0;  ///< number of lattices, and their sides
  std::vector<std::int64_t> states;          ///< [lattices][ny][nx], in three dimensions [lattices][nz][ny][nx]
  std::optional<StatesOrigin> origin = {};   ///< of an output file
  std::size_t nz = 1;                        ///< in three dimensions: the third side
};

/// Reads states from a file in one of three formats, recognized by its first bytes:
///
/// - HDF5: `dataset`, [lattices][ny][nx], of a file written by Tessera;
/// - .npy of NumPy: integers or booleans, [ny][nx] or [lattices][ny][nx], little-endian and in C order;
/// - text: a line per row, integers or names of states separated by blanks or commas; `#` begins a comment.
///
/// In three dimensions, with three `axes`, the first two have [nz] before [ny]. For lattices without `sites` sites only
/// the size is returned. Throws InputError with the file and the error, also if a text has far more numbers. `named`:
/// the state with a name; may be null.
LatticeStates read_lattice_states(const std::filesystem::path& path, const std::string& dataset, std::size_t sites,
                                  const std::function<std::int64_t(const std::string&)>& named = {},
                                  std::size_t axes = 2);

/// The distinct words of a text that are not numbers; of an output file, what sites hold (UnitCell::held()). Empty for
/// .npy, and if the file cannot be read.
std::set<std::string> state_names(const std::filesystem::path& path);

}  // namespace tessera::io
