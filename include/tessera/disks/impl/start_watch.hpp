// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <functional>

namespace tessera::disks {

/// Thrown when the construction of a start is stopped; handled by the simulation.
struct StartStopped {};

/// Calls keep_going() at regular intervals during the construction of a start.
class StartWatch {
 public:
  explicit StartWatch(std::function<bool()> keep_going) : keep_going_(std::move(keep_going)) {}

  /// Called once per disk, move or line. Throws StartStopped if keep_going() returns false.
  void step() {
    constexpr std::uint64_t between = 1 << 16;  // steps between two calls, about a hundredth of a second
    if (++steps_ % between == 0 && !keep_going_()) throw StartStopped();
  }

 private:
  std::function<bool()> keep_going_;
  std::uint64_t steps_ = 0;
};

}  // namespace tessera::disks
