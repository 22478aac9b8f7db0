// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <string>

namespace tessera::io {

/// Largest number of bytes of a text in a file, for writing and reading.
inline constexpr std::size_t longest_text = std::size_t{1} << 26;

/// Origin of the data of a file. `/provenance` has one scalar dataset per member, with the member's name; each restart
/// that continued the file adds a set under `/provenance/restarts/<n>`, n = 1, 2, ...
struct Provenance {
  std::string version;               ///< version of Tessera; also the root attribute `tessera_version`
  std::string git_revision;          ///< revision that the program was built from, empty if unknown
  std::string command_line;          ///< as the user typed it
  std::string input;                 ///< full input, every key with its value, in the syntax of an input file
  std::string model = {};            ///< what was understood of a model from a file; not written if empty
  std::string known_bias = {};       ///< known deviations of observables, a JSON object; not written if empty
  std::string seed;                  ///< seed in decimal digits
  std::string kokkos_version;        ///< "major.minor.patch"
  std::string kokkos_configuration;  ///< what Kokkos prints about itself
  std::string backend;               ///< "serial", "openmp" or "cuda"
  std::string device;                ///< name of the device or the processor
  std::string start;                 ///< ISO 8601 with the time zone
  std::string end;                   ///< ISO 8601 with the time zone: time of writing of the file
  std::string author = "not given";  ///< person who made the run; H5MD's /h5md/author/name
  std::string changes = {};          ///< lines "key = value # value before" of the parameters that this restart changed
  double changed_at = 0;             ///< time of that change; neither is written if there is none
  double wall_seconds = 0;           ///< wall time of this run, without that of the run it continues
};

}  // namespace tessera::io
