// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <tessera/core/error.hpp>
#include <tessera/core/streams.hpp>
#include <tessera/kpz/parameters.hpp>
#include <tessera/kpz/state/rates.hpp>
#include <tessera/kpz/surface_simulation.hpp>

namespace tessera::kpz {

/// The random numbers of the attempts of a replica. A draw gives two numbers of up to 32 bits, the upper half first.
class AttemptNumbers {
 public:
  /// Continues after `done` numbers from the value of state() at that point.
  AttemptNumbers(int bits, std::uint64_t state, std::uint64_t done)
      : unused_(64 - bits), stream_(state), before_(state) {
    if (bits <= 32 && done % 2 == 1) std::ignore = next_half();
  }
  /// Writes the next `count` numbers.
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
  /// State of the stream, before its last draw if half of that draw is unused.
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

  int unused_;  ///< number of unused bits of 64
  Stream stream_;
  std::uint64_t before_, random_ = 0;
  bool half_left_ = false;
};

/// The octahedron model with random-sequential dynamics, the reference for the decomposition schemes: one attempt after
/// another, each at a random site of the whole lattice. Runs on one core. Replica r equals the single run with seed +
/// r. A replica has two streams: for sites, and for probabilities.
class Sequential : public SurfaceSimulation<Kokkos::DefaultHostExecutionSpace> {
 public:
  /// Starts from a flat surface at time 0. Throws InputError if the parameters are invalid.
  explicit Sequential(const Parameters& p)
      : SurfaceSimulation({}, checked(p), {}, {"attempts", 1 / static_cast<double>(lattice_of(p).sites()), 1},
                          {{1, 1}, {1, 1}}),
        rates_(p.p, p.q) {}

  /// Runs all replicas to time `until`. Calls keep_going() every few million attempts; if it returns false, advance()
  /// returns false, and the next call continues.
  bool advance(
      double until, const std::function<bool()>& keep_going = [] { return true; }) override {
    while (time() < until) {
      if (!keep_going()) return false;
      const double end = std::min(until, observer_.next_waiting_time()) / unit_.time;  // exact: a power of two
      const std::uint64_t count = std::min(static_cast<std::uint64_t>(std::ceil(end)) - units_, attempts_at_once);
      for (int r = 0; r < parameters_.replicas; ++r) {
        if (rates_.rule == Rule::one_certain)
          attempt<true>(r, count);
        else
          attempt<false>(r, count);
      }
      units_ += count;
      observer_.keep(time(), state_.words);
    }
    return true;
  }

 private:
  static constexpr std::uint64_t attempts_at_once = 1 << 22;
  static constexpr int ahead = 32;  // sites drawn in advance, whose words are prefetched

  static int log2(std::int64_t n) { return std::countr_zero(static_cast<std::uint64_t>(n)); }

  /// A site in column x: its row, and the words above and below.
  struct Target {
    std::uint32_t* row;
    const std::uint32_t *above, *below;
    std::uint32_t x;
  };

  template <bool certain>
  void attempt(int replica, std::uint64_t count) {
    const auto r = static_cast<std::size_t>(replica);
    const Lattice& lattice = state_.lattice;
    std::uint64_t *const streams = state_.streams.data() + 2 * r, *const of_replica = &state_.accepted(2 * r);
    AttemptNumbers sites(log2(lattice.sites()), streams[0], units_), chances(32, streams[1], certain ? 0 : units_);
    std::uint32_t* const words = state_.words.data() + lattice.words() * r;
    const int log2_nx = log2(lattice.nx), log2_words_x = log2(lattice.words_x());
    const std::uint32_t last_x = static_cast<std::uint32_t>(lattice.nx) - 1,
                        last_y = static_cast<std::uint32_t>(lattice.ny) - 1, images = lattice.image_bits();
    const Rates rates = rates_;
    const std::uint32_t certainly_removed = rates.removes ? ~0u : 0u;
    std::uint64_t accepted[2] = {}, numbers[ahead], chance[ahead];
    Target targets[ahead];
    while (count > 0) {
      const int batch = static_cast<int>(std::min<std::uint64_t>(count, ahead));
      sites.next(numbers, batch);
      for (int i = 0; i < batch; ++i) {
        const auto x = static_cast<std::uint32_t>(numbers[i]) & last_x,
                   y = static_cast<std::uint32_t>(numbers[i] >> log2_nx);
        const auto row = [&](std::uint32_t at) { return words + (std::size_t{at & last_y} << log2_words_x); };
        targets[i] = {row(y), row(y + 1) + x / word_sites, row(y - 1) + x / word_sites, x};
        __builtin_prefetch(targets[i].row + x / word_sites, 1);
        __builtin_prefetch(targets[i].above);
        __builtin_prefetch(targets[i].below);
      }
      if constexpr (!certain) chances.next(chance, batch);
      for (int i = 0; i < batch; ++i) {
        const Target& t = targets[i];
        const std::uint32_t right = (t.x + 1) & last_x, left = (t.x - 1) & last_x;
        std::uint32_t* const word = t.row + t.x / word_sites;
        Neighbourhood near{*word >> t.x % word_sites, t.row[right / word_sites] >> right % word_sites,
                           *t.above >> t.x % word_sites, t.row[left / word_sites] >> left % word_sites,
                           *t.below >> t.x % word_sites};
        // Without branches, whose outcome would be random.
        std::uint32_t deposited, removed = 0;
        if constexpr (certain) {
          // Inverting the site's bit turns a site open to removal into one open to deposition.
          near.centre ^= certainly_removed;
          deposited = near.open_to_deposition() & 1u;
        } else {
          deposited = near.open_to_deposition() & static_cast<std::uint32_t>(chance[i] < rates.deposition);
          removed = near.open_to_removal() & static_cast<std::uint32_t>(chance[i] < rates.removal);
        }
        *word ^= (deposited | removed) * images << t.x % word_sites;
        accepted[0] += deposited;
        accepted[1] += removed;
      }
      count -= static_cast<std::uint64_t>(batch);
    }
    streams[0] = sites.state();
    streams[1] = chances.state();
    const bool swapped = certain && rates.removes;
    of_replica[swapped ? 1 : 0] += accepted[0];
    of_replica[swapped ? 0 : 1] += accepted[1];
  }

  Rates rates_;
};

}  // namespace tessera::kpz
