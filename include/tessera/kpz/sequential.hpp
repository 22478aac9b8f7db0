// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <span>
#include <tessera/core/host_array.hpp>
#include <tessera/core/observable.hpp>
#include <tessera/core/streams.hpp>
#include <tessera/kpz/any_simulation.hpp>
#include <tessera/kpz/observables/consistency.hpp>
#include <tessera/kpz/observables/heights.hpp>
#include <tessera/kpz/observables/loaded.hpp>
#include <tessera/kpz/observables/observer.hpp>
#include <tessera/kpz/parameters.hpp>
#include <tessera/kpz/state/attempt_numbers.hpp>
#include <tessera/kpz/state/rates.hpp>
#include <tessera/kpz/state/state.hpp>
#include <vector>

namespace tessera::kpz {

/// The octahedron model with random-sequential dynamics: one attempt after another, each at a site drawn from the whole
/// lattice. Runs on one core; the reference for the decomposition schemes. Replica r equals the single run with seed +
/// r. Functions are those of Simulation.
class Sequential : public AnySimulation {
 public:
  using ExecutionSpace = Kokkos::DefaultHostExecutionSpace;

  /// Starts from a flat surface at time 0. Throws InputError if the parameters are invalid.
  explicit Sequential(const Parameters& p)
      : parameters_(checked(p)),
        lattice_(lattice_of(p)),
        log2_nx_(std::countr_zero(static_cast<unsigned>(p.nx))),
        log2_sites_(log2_nx_ + std::countr_zero(static_cast<unsigned>(p.ny))),
        rates_(p.p, p.q),
        words_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "tessera::kpz::words"), lattice_.all_words()),
        accepted_(2 * static_cast<std::size_t>(p.replicas)),
        observer_(ExecutionSpace(), lattice_, p.waiting_times) {
    flatten(ExecutionSpace(), lattice_, words_);
    for (int r = 0; r < p.replicas; ++r)
      for (const std::uint64_t stream : {for_sites, for_chances})
        streams_.push_back(stream_start(p.seed + static_cast<std::uint64_t>(r), stream));
    observer_.keep(0, words_);
  }

  /// Runs all replicas to time `until`. Calls `keep_going` every few million attempts; returns false if it does, and a
  /// later call continues from there.
  bool advance(
      double until, const std::function<bool()>& keep_going = [] { return true; }) override {
    while (time() < until) {
      if (!keep_going()) return false;
      const std::uint64_t goal = attempts_until(std::min(until, observer_.next_waiting_time()));
      const std::uint64_t count = std::min(goal - attempts_, attempts_at_once);
      for (int r = 0; r < lattice_.replicas; ++r) {
        if (rates_.rule == Rule::one_certain)
          attempt<true>(r, count);
        else
          attempt<false>(r, count);
      }
      attempts_ += count;
      observer_.keep(time(), words_);
    }
    return true;
  }

  double time() const override { return static_cast<double>(attempts_) / static_cast<double>(lattice_.sites()); }
  double attempts() const override { return static_cast<double>(attempts_) * lattice_.replicas; }
  const Parameters& parameters() const override { return parameters_; }
  std::size_t bytes() const override { return words_.span() * sizeof(std::uint32_t) + observer_.bytes(); }

  std::vector<Observable> measure() override { return observer_.measure(time(), words_, accepted_); }
  std::vector<QuantityChange> drain_changes() override { return observer_.drain_changes(); }

  std::vector<std::uint32_t> words() const override { return to_host(ExecutionSpace(), words_); }
  std::vector<std::int32_t> heights() const override {
    return Heights(ExecutionSpace(), lattice_, words_, accepted_).all();
  }
  parallel::Gather<std::int32_t> height_parts() const override {
    return shared_heights(ExecutionSpace(), lattice_, words_, accepted_, {});
  }
  std::uint64_t inconsistencies() const override { return count_inconsistencies(ExecutionSpace(), lattice_, words_); }

  void save(io::CheckpointWriter& archive) const override {
    const auto replicas = static_cast<std::size_t>(lattice_.replicas);
    transfer_of_words(ExecutionSpace(), lattice_).save(archive, "surface", words_);
    archive.array("streams", std::span(streams_), {replicas, 2}, "");
    archive.array("accepted", std::span(accepted_), {replicas, 2}, "");
    archive.array("attempts", std::span(&attempts_, 1), {1}, "");
    observer_.save(archive);
  }
  /// Continues from a checkpoint that save() wrote with the same parameters. Throws InputError if an entry is invalid;
  /// the simulation must not be used then.
  void load(const io::CheckpointReader& archive) override {
    const auto replicas = static_cast<std::size_t>(lattice_.replicas);
    archive.array("streams", std::span(streams_), {replicas, 2});
    archive.array("accepted", std::span(accepted_), {replicas, 2});
    archive.array("attempts", std::span(&attempts_, 1), {1});
    if (!(time() < most_steps(parameters_) + 2)) refuse_loaded("attempts", "it exceeds the largest possible number");
    check_loaded_streams(ExecutionSpace(), host_array(streams_));
    load_surface(ExecutionSpace(), archive, "surface", lattice_, words_);
    check_loaded_counts(ExecutionSpace(), lattice_, words_, accepted_, static_cast<double>(attempts_));
    observer_.load(archive, time(), accepted_);
  }

 private:
  static constexpr std::uint64_t for_sites = 0, for_chances = 1;  // streams of a replica: sites, and chances
  static constexpr std::uint64_t attempts_at_once = 1 << 22;
  static constexpr int ahead = 32;  // sites that are drawn, and whose words are prefetched, in advance

  std::uint64_t attempts_until(double time) const {
    return static_cast<std::uint64_t>(std::ceil(time * static_cast<double>(lattice_.sites())));
  }

  /// A site: its row, the words above and below, and its x.
  struct Target {
    std::uint32_t* row;
    const std::uint32_t *above, *below;
    std::uint32_t x;
  };

  /// Attempts of one replica.
  template <bool certain>
  void attempt(int replica, std::uint64_t count) {
    const auto r = static_cast<std::size_t>(replica);
    AttemptNumbers sites(log2_sites_, streams_[2 * r], attempts_),
        chances(32, streams_[2 * r + 1], certain ? 0 : attempts_);
    std::uint32_t* const words = words_.data() + lattice_.words() * r;
    const int log2_nx = log2_nx_, log2_words_x = std::countr_zero(static_cast<unsigned>(lattice_.words_x()));
    const std::uint32_t last_x = static_cast<std::uint32_t>(lattice_.nx) - 1,
                        last_y = static_cast<std::uint32_t>(lattice_.ny) - 1, images = lattice_.image_bits();
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
        // No branches: their outcome is random.
        std::uint32_t deposited, removed = 0;
        if constexpr (certain) {
          // Inversion of the own bit turns a site open to removal into one open to deposition.
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
    streams_[2 * r] = sites.state();
    streams_[2 * r + 1] = chances.state();
    const bool swapped = certain && rates.removes;
    accepted_[2 * r + (swapped ? 1 : 0)] += accepted[0];
    accepted_[2 * r + (swapped ? 0 : 1)] += accepted[1];
  }

  Parameters parameters_;
  Lattice lattice_;
  int log2_nx_, log2_sites_;
  Rates rates_;
  Kokkos::View<std::uint32_t*, Kokkos::HostSpace> words_;
  std::vector<std::uint64_t> streams_;   ///< [replicas, 2]
  std::vector<std::uint64_t> accepted_;  ///< [replicas, 2]
  std::uint64_t attempts_ = 0;           ///< of each replica
  Observer<ExecutionSpace> observer_;
};

}  // namespace tessera::kpz
