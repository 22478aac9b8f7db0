// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "io/printable.hpp"
#include "tessera/core/error.hpp"

namespace tessera::io {

/// First bytes of an HDF5 file.
inline constexpr std::string_view hdf5_signature = "\x89HDF\r\n\x1a\n";

/// As many bytes from the start of a file, to which the stream then returns; it fails if the file cannot be read.
inline std::string first_bytes(std::ifstream& file) {
  char bytes[hdf5_signature.size()] = {};
  file.read(bytes, sizeof bytes);
  const auto count = static_cast<std::size_t>(file.gcount());
  file.clear();
  file.seekg(0);
  return {bytes, count};
}

/// Reports errors in a file of a start.
struct Faults {
  const std::filesystem::path& path;
  [[noreturn]] void report(const std::string& what) const { throw InputError(printable(path.string()) + ": " + what); }
};

}  // namespace tessera::io
