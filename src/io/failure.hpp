// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <stdexcept>

namespace tessera::io {

/// An error of the system or of HDF5; what() is the reason only, in one line, such as "No space left on device". Public
/// functions convert it to InputError or RunError with the name of the file.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tessera::io
