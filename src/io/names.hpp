// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#pragma once

#include <stdexcept>
#include <string>

namespace tessera::io {

/// Throws std::invalid_argument unless `name` can name one group or dataset.
inline void require_name(const std::string& name, const std::string& kind) {
  if (name.empty() || name == "." || name.find('/') != std::string::npos || name.find('\0') != std::string::npos) {
    throw std::invalid_argument(kind + " '" + name + "': a name is not empty and holds no '/'");
  }
}

}  // namespace tessera::io
