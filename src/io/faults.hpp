// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "io/failure.hpp"
#include "tessera/core/error.hpp"

namespace tessera::io {

/// First bytes of an HDF5 file.
inline constexpr std::string_view hdf5_signature = "\x89HDF\r\n\x1a\n";

/// First bytes of a text that some editors write before it.
inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

/// The part of a text after `begin`, up to one of the characters `ends`; nothing if there is none.
inline std::optional<std::string> between(const std::string& text, const std::string& begin, const char* ends) {
  const auto found = text.find(begin), from = found + begin.size();
  const auto to = found == std::string::npos ? found : text.find_first_of(ends, from);
  return to == std::string::npos ? std::nullopt : std::optional(text.substr(from, to - from));
}

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
