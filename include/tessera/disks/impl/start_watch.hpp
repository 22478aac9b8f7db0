// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <functional>

namespace tessera::disks {

/// Thrown where the making of a start was asked to stop; no user sees it.
struct StartStopped {};

/// Asks keep_going() now and then while a start is made.
class StartWatch {
 public:
  explicit StartWatch(std::function<bool()> keep_going) : keep_going_(std::move(keep_going)) {}

  /// To be called once a disk, move or line. Throws StartStopped when keep_going() has said no.
  void step() {
    constexpr std::uint64_t between = 1 << 16;  // looks, a hundredth of a second or so
    if (++steps_ % between == 0 && !keep_going_()) throw StartStopped();
  }

 private:
  std::function<bool()> keep_going_;
  std::uint64_t steps_ = 0;
};

}  // namespace tessera::disks
