// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <stdexcept>
#include <string>

namespace tessera::io {

/// Throws std::invalid_argument unless `name` is a valid name of a group or dataset.
inline void require_name(const std::string& name, const std::string& kind) {
  if (name.empty() || name == "." || name.find('/') != std::string::npos || name.find('\0') != std::string::npos)
    throw std::invalid_argument(kind + " '" + name + "': a name must not be empty or contain '/'");
}

}  // namespace tessera::io
