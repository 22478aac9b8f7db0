// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <functional>

#include "io/descriptor.hpp"

namespace tessera::io {

/// Calls action() in a child process, to isolate the program from crashes of the HDF5 library (1.10) on damaged files,
/// or in this process if no child can be created. Throws the exceptions of the action: InputError and Failure
/// unchanged, others as std::runtime_error. Throws Failure if the child ends without a result.
///
/// The child ends with its parent, and does not hold the parent's lock on the file `lock`. It ends at each signal that
/// the parent handles; a stop signal causes a RunError.
void in_child(const std::function<void()>& action, const Descriptor& lock = {});

}  // namespace tessera::io
