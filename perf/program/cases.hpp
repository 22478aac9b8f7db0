// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <vector>

namespace tessera::perf {

/// A short run of the program, dominated by start, last measurement, fields and file.
struct ProgramCase {
  std::string space;  ///< Kokkos' name
  std::string method;
  double size;  ///< side of the lattice, or number of disks

  /// As in "program/kpz/Cuda/L:16384", "program/kmc/OpenMP/n:1024", "program/disks/Cuda/N:10000000".
  std::string name() const;
  /// Arguments of the program, without the path of its output.
  std::vector<std::string> words() const;
  /// Number of sites or disks.
  double sites() const { return method == "disks" ? size : size * size; }
};

/// Cases on the fastest space: small systems, unless only the cases of the targets are selected, and large ones.
std::vector<ProgramCase> program_cases(const std::string& space, bool only_targets);

}  // namespace tessera::perf
