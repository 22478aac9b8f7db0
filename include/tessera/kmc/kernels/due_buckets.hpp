// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/kmc/kernels/window_frame.hpp>

namespace tessera::kmc {

/// Queue of the live cells of a window with an event before the end of the step, in the order of their waiting times,
/// for a team of one lane: a calendar queue of one year (R. Brown, Commun. ACM 31, 1220, 1988). The step is divided
/// into buckets of equal length, about as many as there are such cells; each has a list of its cells. The next event is
/// the earliest in the first bucket that is not empty, which rarely has more than two. Among equal times the smaller
/// site comes first.
class DueBuckets {
 public:
  DueBuckets() = default;
  /// `times`: waiting time of each cell, at least `begin`; those before `end` are queued. Memory: `following` one entry
  /// per cell, `first` `count` entries, `filled` `count` bits.
  KOKKOS_FORCEINLINE_FUNCTION DueBuckets(const double* times, double begin, double end, std::int32_t* following,
                                         std::int32_t* first, std::uint64_t* filled, int count)
      : times_(times),
        begin_(begin),
        end_(end),
        // If the step is too short for a division, all events are in the first bucket.
        scale_(end - begin > 1e-290 ? count / (end - begin) : 0),
        last_bucket_(count - 1),
        following_(following),
        first_(first),
        filled_(filled) {
    for (int i = 0; i < count; ++i) first_[i] = none;
    for (int i = 0; i < count / 64; ++i) filled_[i] = 0;
  }

  /// Queues a live cell. Returns false if its time is not before the end of the step.
  KOKKOS_FORCEINLINE_FUNCTION bool add(int cell) {
    if (!(times_[cell] < end_)) return false;
    const int bucket = bucket_of(times_[cell]);
    following_[cell] = first_[bucket];
    first_[bucket] = cell;
    filled_[bucket / 64] |= std::uint64_t{1} << bucket % 64;
    return true;
  }

  /// Removes a cell from the queue; to be called before its time changes.
  KOKKOS_FORCEINLINE_FUNCTION void remove(int cell) {
    if (!(times_[cell] < end_)) return;
    std::int32_t* at = first_ + bucket_of(times_[cell]);
    while (*at != cell) at = following_ + *at;
    *at = following_[cell];
  }

  /// The cell with the next event, or -1. Later calls of add() must not add an earlier event.
  KOKKOS_FORCEINLINE_FUNCTION int next(const WindowFrame& w) {
    for (; 64 * word_ <= last_bucket_; ++word_)
      for (std::uint64_t& bits = filled_[word_]; bits != 0; bits &= bits - 1)
        if (const std::int32_t cell = first_[64 * word_ + Kokkos::Experimental::countr_zero_builtin(bits)];
            cell != none)
          return earliest(w, cell);
    return -1;
  }

 private:
  static constexpr std::int32_t none = -1;

  KOKKOS_FORCEINLINE_FUNCTION int bucket_of(double time) const {
    const auto bucket = static_cast<int>((time - begin_) * scale_);
    return bucket < last_bucket_ ? bucket : last_bucket_;
  }

  /// The earliest cell in the list that begins with `cell`.
  KOKKOS_FORCEINLINE_FUNCTION int earliest(const WindowFrame& w, std::int32_t cell) const {
    std::int32_t result = cell;
    for (cell = following_[cell]; cell != none; cell = following_[cell])
      if (times_[cell] < times_[result] || (times_[cell] == times_[result] && comes_first(w, cell, result)))
        result = cell;
    return result;
  }

  /// Order of events at the same time. A small window may contain a site more than once.
  KOKKOS_FUNCTION static bool comes_first(const WindowFrame& w, std::int32_t a, std::int32_t b) {
    const int site_a = w.site_in_whole(a % w.stride, a / w.stride),
              site_b = w.site_in_whole(b % w.stride, b / w.stride);
    return site_a != site_b ? site_a < site_b : a < b;
  }

  const double* times_ = nullptr;
  double begin_ = 0, end_ = 0, scale_ = 0;
  int last_bucket_ = 0;
  int word_ = 0;                       ///< all buckets before this word of filled_ are empty
  std::int32_t* following_ = nullptr;  ///< next cell in a cell's list [cells]
  std::int32_t* first_ = nullptr;      ///< first cell of each bucket [count]
  std::uint64_t* filled_ = nullptr;    ///< one bit per bucket; 0: the bucket is empty [count / 64]
};

}  // namespace tessera::kmc
