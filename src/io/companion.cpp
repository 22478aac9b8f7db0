// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#include "io/companion.hpp"

#include <sys/stat.h>

#include <string>
#include <utility>

#include "io/atomic_file.hpp"
#include "tessera/core/error.hpp"

namespace tessera::io {

namespace {

/// The start of a file, in which an XDMF file has its first reference.
std::string start_of(const std::filesystem::path& path) {
  const Descriptor file(path, O_RDONLY | O_NONBLOCK);
  std::string text(std::size_t{1} << 16, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t bytes = uninterrupted([&] { return ::read(file.get(), text.data() + size, text.size() - size); });
    if (bytes <= 0) break;
    size += static_cast<std::size_t>(bytes);
  }
  text.resize(size);
  return text;
}

std::string without_entities(std::string text) {
  for (const auto& [entity, letter] :
       {std::pair{"&lt;", "<"}, std::pair{"&gt;", ">"}, std::pair{"&quot;", "\""}, std::pair{"&amp;", "&"}}) {
    const std::string from = entity;
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + 1))
      text.replace(at, from.size(), letter);
  }
  return text;
}

}  // namespace

std::filesystem::path companion_of(const std::filesystem::path& path) { return path.string() + ".xmf"; }

bool owns_companion(const std::filesystem::path& path) {
  const auto companion = companion_of(path);
  struct stat status{};
  if (::lstat(companion.c_str(), &status) != 0) return true;
  if (!S_ISREG(status.st_mode)) return false;
  const std::string text = without_entities(start_of(companion));
  return text.find("<Xdmf") != std::string::npos &&
         text.find(path.filename().string() + ":/fields/") != std::string::npos;
}

void require_companion(const std::filesystem::path& path) {
  if (owns_companion(path)) return;
  throw InputError(cannot_write(companion_of(path)) + "the file there does not describe '" + path.filename().string() +
                   "'; move it away, or give another path for the output");
}

}  // namespace tessera::io
