// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

namespace tessera::io {

/// Centres of disks of one diameter, which is the unit of length.
struct Points {
  std::optional<std::array<double, 2>> box = {};  ///< sides of the periodic box, if the file has them
  std::vector<std::array<double, 2>> points = {};
  std::vector<std::size_t> lines = {};  ///< of a text file: the line of each point
};

/// Selection of a snapshot, and of replicas in files that have several.
struct PointSelection {
  std::int64_t row = -1;  ///< from 0, or from the end as -1, -2, ...
  std::size_t first_replica = 0, replicas = 1;
  std::size_t disks = std::size_t{1} << 32;  ///< a file with far more disks is refused before they are read
};

/// Reads points from a file in one of three formats, recognized by its first bytes:
///
/// - HDF5: `/particles` of a file of `tessera disks`, a group for all replicas or one for each;
/// - extended XYZ with `Lattice` and, unless the diameter is 1, the property `radius`;
/// - text: a line `x y` for each point; `#` begins a comment.
///
/// Returns one set of points for all replicas, or one for each that is selected. Calls `watch` regularly. Throws
/// InputError with the file and the error.
std::vector<Points> read_points(
    const std::filesystem::path& path, const PointSelection& selection, const std::function<void()>& watch = [] {});

}  // namespace tessera::io
