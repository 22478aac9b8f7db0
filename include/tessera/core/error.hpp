// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <stdexcept>

namespace tessera {

/// Invalid input: an option, an input file, or a file to restart from. The message is one line with the place, the
/// error and a valid alternative. The program prints it and exits with status 2; no output is written.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Failure of a run with valid input, such as a full disk or a lost device. The program prints the message and exits
/// with status 1.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tessera
