// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <tessera/kmc/kernels/window_frame.hpp>

namespace tessera::kmc {

/// Queue of the cells of a window with an event in the step, for a team of one lane: a calendar queue of one year (R.
/// Brown, Commun. ACM 31, 1220, 1988). The step is divided into buckets, each with a list of its cells.
class BucketQueue {
 public:
  BucketQueue() = default;
  /// Memory: `following` one entry per cell, `first` `count` entries, `filled` `count` bits, a multiple of 64.
  KOKKOS_FORCEINLINE_FUNCTION BucketQueue(std::int32_t* following, std::int32_t* first, std::uint64_t* filled,
                                          int count)
      : count_(count), following_(following), first_(first), filled_(filled) {
    for (int i = 0; i < count; ++i) first_[i] = none;
    for (int i = 0; i < count / 64; ++i) filled_[i] = 0;
  }

  KOKKOS_FORCEINLINE_FUNCTION void add(std::int32_t cell, int bucket) {
    following_[cell] = first_[bucket];
    first_[bucket] = cell;
    filled_[bucket / 64] |= std::uint64_t{1} << bucket % 64;
  }
  /// Removes a cell that was added to this bucket.
  KOKKOS_FORCEINLINE_FUNCTION void remove(std::int32_t cell, int bucket) {
    std::int32_t* at = first_ + bucket;
    while (*at != cell) at = following_ + *at;
    *at = following_[cell];
  }
  /// The first cell in the order of before(cell, cell), which begins with the buckets; -1 if there is none. Cells added
  /// later are not before it.
  template <class Before>
  KOKKOS_FORCEINLINE_FUNCTION std::int32_t next(const Before& before) {
    for (; 64 * word_ < count_; ++word_)
      for (std::uint64_t& bits = filled_[word_]; bits != 0; bits &= bits - 1) {
        std::int32_t result = first_[64 * word_ + Kokkos::Experimental::countr_zero_builtin(bits)];
        if (result == none) continue;
        for (std::int32_t cell = following_[result]; cell != none; cell = following_[cell])
          if (before(cell, result)) result = cell;
        return result;
      }
    return none;
  }

 private:
  static constexpr std::int32_t none = -1;

  int count_ = 0;
  int word_ = 0;                       ///< all buckets before this word of filled_ are empty
  std::int32_t* following_ = nullptr;  ///< next cell in a cell's list [cells]
  std::int32_t* first_ = nullptr;      ///< first cell of each bucket [count]
  std::uint64_t* filled_ = nullptr;    ///< one bit per bucket; 0: the bucket is empty [count / 64]
};

/// The same by waiting times: buckets of equal length, about as many as there are cells with an event in the step. The
/// next event is the earliest in the first bucket that is not empty, which rarely has more than two. Among equal times
/// the smaller site comes first.
class DueBuckets {
 public:
  DueBuckets() = default;
  /// `times`: waiting time of each cell, at least `begin`; those before `end` are queued.
  KOKKOS_FORCEINLINE_FUNCTION DueBuckets(const double* times, double begin, double end, std::int32_t* following,
                                         std::int32_t* first, std::uint64_t* filled, int count)
      : queue_(following, first, filled, count),
        times_(times),
        begin_(begin),
        end_(end),
        // If the step is too short for a division, all events are in the first bucket.
        scale_(end - begin > 1e-290 ? count / (end - begin) : 0),
        last_bucket_(count - 1) {}

  /// Queues a live cell. Returns false if its time is not before the end of the step.
  KOKKOS_FORCEINLINE_FUNCTION bool add(int cell) {
    if (!(times_[cell] < end_)) return false;
    queue_.add(cell, bucket_of(times_[cell]));
    return true;
  }
  /// Removes a cell from the queue; to be called before its time changes.
  KOKKOS_FORCEINLINE_FUNCTION void remove(int cell) {
    if (times_[cell] < end_) queue_.remove(cell, bucket_of(times_[cell]));
  }
  /// The cell with the next event, or -1. Later calls of add() must not add an earlier event.
  KOKKOS_FORCEINLINE_FUNCTION int next(const WindowFrame& w) {
    return queue_.next(
        [&](int a, int b) { return times_[a] < times_[b] || (times_[a] == times_[b] && comes_first(w, a, b)); });
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION int bucket_of(double time) const {
    const auto bucket = static_cast<int>((time - begin_) * scale_);
    return bucket < last_bucket_ ? bucket : last_bucket_;
  }
  /// Order of events at the same time. A small window may contain a site more than once.
  KOKKOS_FUNCTION static bool comes_first(const WindowFrame& w, std::int32_t a, std::int32_t b) {
    const int site_a = w.site_in_whole(a % w.stride, a / w.stride),
              site_b = w.site_in_whole(b % w.stride, b / w.stride);
    return site_a != site_b ? site_a < site_b : a < b;
  }

  BucketQueue queue_;
  const double* times_ = nullptr;
  double begin_ = 0, end_ = 0, scale_ = 0;
  int last_bucket_ = 0;
};

}  // namespace tessera::kmc
