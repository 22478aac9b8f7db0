// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

namespace tessera::perf {

/// While it lives, a profiler that waits for the program (ncu --profile-from-start off) records what runs on the
/// device. Without such a profiler, and without a device, nothing happens.
class ProfiledRange {
 public:
  ProfiledRange();
  ~ProfiledRange();
  ProfiledRange(const ProfiledRange&) = delete;
  ProfiledRange& operator=(const ProfiledRange&) = delete;
};

}  // namespace tessera::perf
