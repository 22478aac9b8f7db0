// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors

#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

/// System calls of this test program that can be made to fail as on file systems that are not at hand.
namespace tessera::io::testing {

struct SystemCalls {
  bool interrupts = false;            ///< every other fsync() and rename() ends with EINTR; rename() after the renaming
  bool locks = true;                  ///< false: the file system knows no locks
  std::filesystem::path vanishing;    ///< a file that its owner removes right before the next lock is asked for
  std::function<void()> after_child;  ///< what another program does right after the next child has ended
  int interrupted = 0;                ///< how many calls have been
  std::uint64_t written = 0;          ///< bytes by pwrite() and copy_file_range()
  int left = -1;      ///< after this number of syncs, renamings, removals and every fourth change of a file the process
                      ///< ends as by SIGKILL; it does not if this is negative
  int too_early = 0;  ///< changes and renamings before what must be on the disk by then was synced
  int refused_locks = 0;
};

/// In force for the whole program.
extern SystemCalls system_calls;

}  // namespace tessera::io::testing
