// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

namespace tessera::perf {

/// Range for a profiler that waits for the program (ncu --profile-from-start off): it records kernels during the
/// lifetime of this object. Has no effect without such a profiler or without a device.
class ProfiledRange {
 public:
  ProfiledRange();
  ~ProfiledRange();
  ProfiledRange(const ProfiledRange&) = delete;
  ProfiledRange& operator=(const ProfiledRange&) = delete;
};

}  // namespace tessera::perf
