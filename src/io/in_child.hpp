// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#pragma once

#include <functional>

#include "io/descriptor.hpp"

namespace tessera::io {

/// Calls action() in a child process, so that nothing of it stays: HDF5 libraries (1.10) are known to end a process
/// over a damaged file. Throws what the action throws, an InputError or a Failure as such and any other std::exception
/// as a std::runtime_error, and a Failure if the child ends without a word. Where no process can be made it is this one
/// that calls the action.
///
/// The child ends with its parent, does not hold the lock that the parent has on the file `lock`, and ends at each
/// signal for which the parent has a handler: a RunError if that is one that asks the program to stop.
void in_child(const std::function<void()>& action, const Descriptor& lock = {});

}  // namespace tessera::io
