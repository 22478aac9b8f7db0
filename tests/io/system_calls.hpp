// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#pragma once

#include <filesystem>
#include <functional>

/// System calls of this test program that can be made to fail as on file systems that are not at hand.
namespace tessera::io::testing {

struct SystemCalls {
  bool interrupts = false;          ///< every other fsync() and rename() ends with EINTR; rename() after the renaming
  bool locks = true;                ///< false: the file system knows no locks
  std::filesystem::path vanishing;  ///< a file that its owner removes right before the next lock is asked for
  std::function<void()> after_child;  ///< what another program does right after the next child has ended
  int interrupted = 0;              ///< how many calls have been
  int refused_locks = 0;
};

/// In force for the whole program.
extern SystemCalls system_calls;

}  // namespace tessera::io::testing
