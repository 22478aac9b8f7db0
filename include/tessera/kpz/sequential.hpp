// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <tessera/core/streams.hpp>
#include <tessera/kpz/consistency.hpp>
#include <tessera/kpz/heights.hpp>
#include <tessera/kpz/observer.hpp>
#include <tessera/kpz/parameters.hpp>
#include <tessera/kpz/rates.hpp>
#include <vector>

namespace tessera::kpz {

/// The octahedron model with random-sequential dynamics: one attempt after the other, each at a site drawn from the
/// whole lattice. One core; what the decomposition schemes are held against. Replica r is the single run with seed + r.
class Sequential {
 public:
  using ExecutionSpace = Kokkos::DefaultHostExecutionSpace;

  /// A flat surface at time 0. Throws InputError if the parameters cannot be run.
  explicit Sequential(const Parameters& p)
      : parameters_(checked(p)),
        lattice_(lattice_of(p)),
        rates_(p.p, p.q),
        words_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "tessera::kpz::words"), lattice_.all_words()),
        accepted_(2 * static_cast<std::size_t>(p.replicas)),
        observer_(ExecutionSpace(), lattice_, p.waiting_times) {
    Kokkos::deep_copy(words_, flat_word);
    for (int r = 0; r < p.replicas; ++r)
      for (const std::uint64_t purpose : {sites, chances})
        streams_.push_back(stream_start(p.seed + static_cast<std::uint64_t>(r), purpose));
    observer_.keep(0, words_);
  }

  /// Runs all replicas to time `until`. `keep_going` is asked every few million attempts; if it says false, the
  /// replicas stop where they are, and a later call goes on from there.
  void advance(
      double until, const std::function<bool()>& keep_going = [] { return true; }) {
    while (time() < until && keep_going()) {
      const std::uint64_t goal = attempts_until(std::min(until, observer_.next_waiting_time()));
      const std::uint64_t count = std::min(goal - attempts_, attempts_at_once);
      for (int r = 0; r < lattice_.replicas; ++r) attempt(r, count);
      attempts_ += count;
      observer_.keep(time(), words_);
    }
  }

  double time() const { return static_cast<double>(attempts_) / static_cast<double>(lattice_.sites()); }
  /// Attempts of all replicas together.
  double attempts() const { return static_cast<double>(attempts_) * lattice_.replicas; }
  const Parameters& parameters() const { return parameters_; }
  std::size_t bytes() const { return words_.span() * sizeof(std::uint32_t) + observer_.bytes(); }

  /// As Simulation::measure().
  std::vector<Observable> measure() { return observer_.measure(time(), words_, accepted_); }
  std::vector<EffectiveExponent> drain_exponents() { return observer_.drain_exponents(); }

  /// The bit-coded slopes of all replicas, [replicas, ny / 4, nx / 4].
  std::vector<std::uint32_t> words() const { return to_host(ExecutionSpace(), words_); }
  /// The heights of all replicas, [replicas, ny, nx], as heights_of().
  std::vector<std::int32_t> heights() const { return heights_of(lattice_, words(), accepted_); }
  /// The number of conditions for a surface that the slopes do not meet.
  std::uint64_t inconsistencies() const { return count_inconsistencies(ExecutionSpace(), lattice_, words_); }

  /// Writes the whole state to an archive with array(name, span, shape, unit).
  template <class Archive>
  void save(Archive& archive) const {
    const auto replicas = static_cast<std::size_t>(lattice_.replicas);
    save_view(ExecutionSpace(), archive, "slopes", words_, words_shape(lattice_));
    archive.array("streams", std::span(streams_), {replicas, 2}, "");
    archive.array("accepted", std::span(accepted_), {replicas, 2}, "");
    archive.array("attempts", std::span(&attempts_, 1), {1}, "");
    observer_.save(archive);
  }
  /// Continues from an archive written by save() with the same parameters.
  template <class Archive>
  void load(const Archive& archive) {
    const auto replicas = static_cast<std::size_t>(lattice_.replicas);
    load_view(ExecutionSpace(), archive, "slopes", words_, words_shape(lattice_));
    archive.array("streams", std::span(streams_), {replicas, 2});
    archive.array("accepted", std::span(accepted_), {replicas, 2});
    archive.array("attempts", std::span(&attempts_, 1), {1});
    observer_.load(archive);
  }

 private:
  static constexpr std::uint64_t sites = 0, chances = 1;  // what the streams of a replica are for
  static constexpr std::uint64_t attempts_at_once = 1 << 22;
  static constexpr int ahead = 16;  // sites that are drawn, and whose words are fetched, before their turn

  static const Parameters& checked(const Parameters& p) {
    validate(p);
    return p;
  }

  std::uint64_t attempts_until(double time) const {
    return static_cast<std::uint64_t>(std::ceil(time * static_cast<double>(lattice_.sites())));
  }

  /// Attempts of one replica.
  void attempt(int replica, std::uint64_t count) {
    const auto r = static_cast<std::size_t>(replica);
    Stream draw_site(streams_[2 * r]), draw_chance(streams_[2 * r + 1]);
    std::uint32_t* words = words_.data() + lattice_.words() * r;
    int xs[ahead], ys[ahead];
    while (count > 0) {
      const int some = static_cast<int>(std::min<std::uint64_t>(count, ahead));
      for (int i = 0; i < some; ++i) {
        const std::uint64_t random = draw_site.draw();
        xs[i] = static_cast<int>(random >> 40) & (lattice_.nx - 1);
        ys[i] = static_cast<int>(random >> 16 & 0xffffff) & (lattice_.ny - 1);
        __builtin_prefetch(words + lattice_.word(0, xs[i] / word_side, ys[i] / word_side));
      }
      for (int i = 0; i < some; ++i) attempt_at(r, words, xs[i], ys[i], draw_chance);
      count -= static_cast<std::uint64_t>(some);
    }
    streams_[2 * r] = draw_site.state();
    streams_[2 * r + 1] = draw_chance.state();
  }

  void attempt_at(std::size_t replica, std::uint32_t* words, int x, int y, Stream& draw_chance) {
    const int wx = x / word_side, wy = y / word_side;
    std::uint32_t& word = words[lattice_.word(0, wx, wy)];
    std::uint32_t& right = words[lattice_.word(0, wx + 1, wy)];
    std::uint32_t& above = words[lattice_.word(0, wx, wy + 1)];
    const Place p = place(x % word_side, y % word_side);
    const Slopes slopes = slopes_at(p, word, right, above);
    const bool for_deposition = slopes.are(open_to_deposition);
    if (!for_deposition && !slopes.are(open_to_removal)) return;
    const std::uint64_t threshold = for_deposition ? rates_.deposition : rates_.removal;
    if (threshold == 0 || (threshold < one && draw_chance.draw() >> 32 >= threshold)) return;
    const Flips flips = flips_at(p);
    word ^= flips.word;
    right ^= flips.right;
    above ^= flips.above;
    ++accepted_[2 * replica + (for_deposition ? 0 : 1)];
  }

  static constexpr std::uint64_t one = std::uint64_t{1} << 32;

  Parameters parameters_;
  Lattice lattice_;
  Rates rates_;
  Kokkos::View<std::uint32_t*, Kokkos::HostSpace> words_;
  std::vector<std::uint64_t> streams_;   ///< [replicas, 2]
  std::vector<std::uint64_t> accepted_;  ///< [replicas, 2]
  std::uint64_t attempts_ = 0;           ///< of each replica
  Observer<ExecutionSpace> observer_;
};

}  // namespace tessera::kpz
