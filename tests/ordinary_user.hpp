// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tessera::testing {

/// Gives up what root may do beyond other users, for this process and the programs that it becomes: what is read-only
/// then is so for root, too. To be called in a child process; it may be called between fork and exec.
inline bool become_ordinary_user() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct nothing[_LINUX_CAPABILITY_U32S_3]{};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::syscall(SYS_capset, &header, nothing) == 0;
}

}  // namespace tessera::testing
