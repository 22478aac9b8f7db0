// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "io/printable.hpp"
#include "tessera/core/error.hpp"

namespace tessera::io {

/// First bytes of an HDF5 file.
inline constexpr std::string_view hdf5_signature = "\x89HDF\r\n\x1a\n";

/// Reports errors in a file of a start.
struct Faults {
  const std::filesystem::path& path;
  [[noreturn]] void report(const std::string& what) const { throw InputError(printable(path.string()) + ": " + what); }
};

}  // namespace tessera::io
