// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <stdexcept>

namespace tessera {

/// What the user gave is wrong: an option, an input file, a file to restart from. The message is one line that says
/// what, where, and what would be right. The program prints it and exits with status 2; nothing has been written.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A correct input failed while running: a full disk, a lost device. The program prints it and exits with status 1.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tessera
