// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <tessera/core/streams.hpp>

namespace tessera::kpz {

/// Random numbers of a given number of bits for the attempts of a replica, in sequence. A draw gives two numbers of up
/// to 32 bits, the upper half first.
class AttemptNumbers {
 public:
  /// Continues after `done` numbers; `state` is the value of state() at that point.
  AttemptNumbers(int bits, std::uint64_t state, std::uint64_t done)
      : unused_(64 - bits), stream_(state), before_(state) {
    if (bits <= 32 && done % 2 == 1) std::ignore = next_half();
  }
  void next(std::uint64_t* numbers, int count) {
    int i = 0;
    if (unused_ < 32) {
      for (; i < count; ++i) numbers[i] = stream_.draw() >> unused_;
      before_ = stream_.state();
      return;
    }
    if (half_left_) numbers[i++] = next_half();
    for (; i + 1 < count; i += 2) {
      const std::uint64_t random = stream_.draw();
      numbers[i] = random >> unused_;
      numbers[i + 1] = (random << 32) >> unused_;
    }
    before_ = stream_.state();
    if (i < count) numbers[i] = next_half();
  }
  /// The state of the stream, before its last draw if half of that draw is unused.
  std::uint64_t state() const { return before_; }

 private:
  std::uint64_t next_half() {
    half_left_ = !half_left_;
    if (half_left_) {
      random_ = stream_.draw();
      return random_ >> unused_;
    }
    before_ = stream_.state();
    return (random_ << 32) >> unused_;
  }

  int unused_;  ///< bits of 64
  Stream stream_;
  std::uint64_t before_, random_ = 0;
  bool half_left_ = false;
};

}  // namespace tessera::kpz
