// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <string>
#include <tessera/core/error.hpp>

namespace tessera {

/// The message of the InputError that an action throws; nothing if it throws none.
template <class Action>
std::string complaint(const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace tessera
