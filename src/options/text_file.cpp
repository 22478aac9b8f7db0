// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "options/text_file.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <tessera/core/error.hpp>
#include <tessera/core/system_reason.hpp>

namespace tessera::program {

std::string start_of_file(const std::filesystem::path& path, std::size_t most, const std::string& before) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(before + "cannot be read: " + system_reason(errno));
  std::string content;
  for (char piece[4096]; file && content.size() < most; content.append(piece, static_cast<std::size_t>(file.gcount())))
    file.read(piece, static_cast<std::streamsize>(std::min(sizeof piece, most - content.size())));
  if (file.bad()) throw InputError(before + "cannot be read: " + system_reason(errno));
  if (content.starts_with("\xef\xbb\xbf")) content.erase(0, 3);
  return content;
}

}  // namespace tessera::program
