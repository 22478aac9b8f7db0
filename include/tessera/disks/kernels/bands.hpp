// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace tessera::disks {

/// Rows 2 * begin to 2 * end - 1 of a replica.
struct RowPairs {
  int replica, begin, end;
};

/// Consecutive steps of bands of rows on the threads of a CPU. A band makes a step as soon as its neighbouring bands
/// have made the previous one. A thread has several bands, so that some can proceed while others wait. If all its own
/// bands wait, it takes those of other threads: progress does not depend on the scheduling of any thread.
class Bands {
 public:
  /// As many bands as possible, up to `most`, of periodic grids with `pairs_of_replica` pairs of rows.
  Bands(int pairs_of_replica, int replicas, int most, int steps)
      : pairs_(pairs_of_replica),
        steps_(steps),
        all_(std::int64_t{pairs_of_replica} * replicas),
        bands_(static_cast<std::size_t>(std::min<std::int64_t>(most, all_))) {
    // A band has the last rows of one replica, all rows of others, and the first rows of one.
    for (int b = 0; b < number(); ++b) {
      const std::int64_t first = begin(b), end = begin(b + 1), last = end - 1;
      bands_[static_cast<std::size_t>(b)].neighbours = {
          neighbour(first, -1), neighbour(std::min(last, first - first % pairs_ + pairs_ - 1), 1),
          neighbour(std::max(first, last - last % pairs_), -1), neighbour(last, 1)};
    }
  }

  int number() const { return static_cast<int>(bands_.size()); }

  /// Each of `workers` threads calls this with its number. Makes steps until all bands have finished: calls
  /// make_step(rows, number of the step) for the rows of each replica in a band.
  template <class Step>
  void work(int worker, int workers, const Step& make_step) {
    constexpr int patience = 100;  // futile rounds before the thread takes bands of other threads
    const int first = worker * number() / workers, end = (worker + 1) * number() / workers;
    for (int waited = 0; finished_.load(std::memory_order_relaxed) < number();) {
      bool advanced = false;
      for (int band = first; band < end; ++band) advanced = advance(band, make_step) || advanced;
      waited = advanced ? 0 : waited + 1;
      if (waited < patience) continue;
      for (int i = 0; i < number() && !advanced; ++i) advanced = advance((end + i) % number(), make_step);
      if (!advanced && waited > 100 * patience) std::this_thread::yield();
    }
  }

 private:
  struct alignas(128) Band {
    std::atomic<int> done = 0;  ///< completed steps
    std::atomic<bool> taken = false;
    std::array<int, 4> neighbours{};
  };

  std::int64_t begin(int band) const { return band * all_ / number(); }
  int owner(std::int64_t pair) const { return static_cast<int>(((pair + 1) * number() - 1) / all_); }
  int neighbour(std::int64_t pair, int side) const {
    const std::int64_t replica = pair / pairs_;
    return owner(replica * pairs_ + (pair % pairs_ + side + pairs_) % pairs_);
  }
  int done(int band) const { return bands_[static_cast<std::size_t>(band)].done.load(std::memory_order_acquire); }

  /// Makes the next step of a band if its neighbours permit it and no other thread works on it; returns whether it did.
  template <class Step>
  bool advance(int number_of_band, const Step& make_step) {
    Band& band = bands_[static_cast<std::size_t>(number_of_band)];
    const auto may_advance = [&](int number) {
      return number < steps_ && std::all_of(band.neighbours.begin(), band.neighbours.end(),
                                            [&](int neighbour) { return done(neighbour) >= number; });
    };
    if (!may_advance(done(number_of_band)) || band.taken.exchange(true, std::memory_order_acquire)) return false;
    const int number = done(number_of_band);
    const bool advances = may_advance(number);
    if (advances) {
      for (std::int64_t first = begin(number_of_band), end = begin(number_of_band + 1); first < end;) {
        const std::int64_t replica = first / pairs_, last = std::min(end, (replica + 1) * pairs_);
        make_step(RowPairs{static_cast<int>(replica), static_cast<int>(first - replica * pairs_),
                           static_cast<int>(last - replica * pairs_)},
                  number);
        first = last;
      }
      band.done.store(number + 1, std::memory_order_release);
      if (number + 1 == steps_) finished_.fetch_add(1, std::memory_order_relaxed);
    }
    band.taken.store(false, std::memory_order_release);
    return advances;
  }

  int pairs_, steps_;
  std::int64_t all_;
  std::vector<Band> bands_;
  std::atomic<int> finished_ = 0;  ///< finished bands
};

}  // namespace tessera::disks
