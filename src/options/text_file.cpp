// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "options/text_file.hpp"

#include <cerrno>
#include <fstream>
#include <tessera/core/error.hpp>
#include <tessera/core/system_reason.hpp>

namespace tessera::program {

std::string start_of_file(const std::filesystem::path& path, std::size_t most, const std::string& before) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(before + "cannot be read: " + system_reason(errno));
  std::string content(most, '\0');
  file.read(content.data(), static_cast<std::streamsize>(content.size()));
  if (file.bad()) throw InputError(before + "cannot be read: " + system_reason(errno));
  content.resize(static_cast<std::size_t>(file.gcount()));
  return content;
}

}  // namespace tessera::program
