// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <limits.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace tessera {

/// The system's message for an `errno`, such as "No space left on device", with the limits if a name is too long.
inline std::string system_reason(int error) {
  std::string reason = std::generic_category().message(error);
  if (error == ENAMETOOLONG)
    reason +=
        " (a name has up to " + std::to_string(NAME_MAX) + " bytes, a path up to " + std::to_string(PATH_MAX - 1) + ")";
  return reason;
}

}  // namespace tessera
