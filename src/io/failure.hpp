// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tessera/core/error.hpp"

namespace tessera::io {

/// An error of the system or of HDF5; what() is the reason only, in one line, such as "No space left on device". Public
/// functions convert it to InputError or RunError with the name of the file.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws std::invalid_argument unless `name` is a valid name of a group or dataset.
inline void require_name(const std::string& name, const std::string& kind) {
  if (name.empty() || name == "." || name.find('/') != std::string::npos || name.find('\0') != std::string::npos)
    throw std::invalid_argument(kind + " '" + name + "': a name must not be empty or contain '/'");
}

/// Text from a file for a message: one line without control characters, at most `longest` bytes.
inline std::string printable(std::string_view text, std::size_t longest = 400) {
  std::string line;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0u;
    // 0xc2 0x80 to 0xc2 0x9f are the control characters beyond ASCII.
    const bool control = byte < 0x20 || byte == 0x7f || (byte == 0xc2 && next >= 0x80 && next < 0xa0);
    if (line.size() >= longest && (byte & 0xc0) != 0x80) return line + "...";
    line += control ? '?' : text[i];
    if (control && byte == 0xc2) ++i;
  }
  return line;
}

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

/// Reads the first bytes of a file, as many as HDF5's signature has, and rewinds; throws if it cannot be read.
inline std::string first_bytes(std::ifstream& file) {
  char bytes[hdf5_signature.size()] = {};
  file.read(bytes, sizeof bytes);
  const auto count = static_cast<std::size_t>(file.gcount());
  file.clear();
  file.seekg(0);
  return {bytes, count};
}

/// Reports errors in a file with an initial configuration.
struct Faults {
  const std::filesystem::path& path;
  [[noreturn]] void report(const std::string& what) const { throw InputError(printable(path.string()) + ": " + what); }
};

}  // namespace tessera::io
