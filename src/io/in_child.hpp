// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <functional>

#include "io/descriptor.hpp"

namespace tessera::io {

/// Calls action() in a child process, to isolate the program from crashes of the HDF5 library (1.10) on damaged files.
/// Throws the exceptions of the action: InputError and Failure unchanged, any other std::exception as
/// std::runtime_error. Throws Failure if the child ends without a result. Calls the action in this process if no child
/// can be created.
///
/// The child ends with its parent, and does not hold the parent's lock on the file `lock`. It ends at each signal that
/// the parent handles; a stop signal causes a RunError.
void in_child(const std::function<void()>& action, const Descriptor& lock = {});

}  // namespace tessera::io
