// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#pragma once

#include <stdexcept>

namespace tessera::io {

/// The system or HDF5 refused; what() is the reason alone, one line, such as "No space left on device". The public
/// functions turn it into an InputError or a RunError that names the file the user asked for.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tessera::io
