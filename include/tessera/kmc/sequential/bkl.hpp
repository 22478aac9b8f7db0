// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <sstream>
#include <tessera/core/exponential_variate.hpp>
#include <tessera/kmc/sequential.hpp>
#include <tessera/kmc/sequential/rate_tree.hpp>
#include <tessera/kmc/state/clock.hpp>
#include <tessera/kmc/state/loaded.hpp>
#include <tessera/kmc/state/waiting_times.hpp>
#include <vector>

namespace tessera::kmc {

/// A system of the rejection-free method of Bortz, Kalos and Lebowitz (1975).
///
/// The next event occurs after an exponentially distributed time of mean 1 / (sum of all rates), in a cell drawn from a
/// binary tree of sums with a probability proportional to its rate. All variates are drawn from a Mersenne twister,
/// except those of Model::next() and Model::event(), which are drawn from one stream with a seed from the twister.
template <Model M>
class BklReplica {
 public:
  /// At time 0, in the states of the model or in those given, [ny][nx].
  BklReplica(const Parameters& parameters, const M& model, std::uint64_t seed,
             std::span<const typename M::State> states = {})
      : window(model, static_cast<double>(parameters.nx) * parameters.ny),
        counted(static_cast<std::size_t>(groups_of(model))),
        lattice(parameters.nx, parameters.ny),
        common_bits_(std::min(bits(parameters.nx), bits(parameters.ny))),
        rates_(leaf_count(parameters)),
        generator_(hash(seed, 0, Purpose::kmc_bkl)),
        stream_(generator_() | 1) {
    for (std::uint32_t c = 0; c < lattice.states().size(); ++c)
      lattice.states()[c] =
          states.empty() ? start_state(window.model, seed, c, parameters.nx, parameters.ny) : states[c];
    sum_rates();
    draw_next_event();
  }

  /// Time of the next event, drawn directly after the last one, so that it does not depend on the calls of advance().
  double next_event() const { return next_event_; }

  /// Performs the event at next_event(), and draws the following one.
  void perform_event() {
    time = next_event_;
    ++events;
    const double point = static_cast<double>(generator_() >> 11) * 0x1p-53 * rates_.total();
    const auto cell = cell_of(rates_.find(point));
    const auto event = draw_event(window.model, lattice.neighbourhood(cell), stream_);
    if constexpr (counts_events<M>)
      if (event.group >= 0) ++counted[static_cast<std::size_t>(event.group)];
    std::uint32_t changed[Concerned<M>::positions];
    int count = 0;
    lattice.perform(cell, event, [&](const auto& affected) {
      const double rate = window.model.rate(lattice.neighbourhood(affected));
      const std::uint32_t leaf = leaf_of(affected.x, affected.y);
      if (rate == rates_.rate(leaf)) return;
      rates_.set(leaf, rate);
      changed[count++] = leaf;
    });
    rates_.update(changed, count);
    draw_next_event();
  }

  /// Takes the next event across a boundary, to the rates of `window`.
  void cross(const Passage& passage, const M&) {
    const double mean = 1 / rates_.total();
    if (passage.changes_rates) sum_rates();
    std::uint64_t stream = stream_.state();
    next_event_ = passed(passage, next_event_, mean, 1 / rates_.total(), stream);
    stream_ = Stream(stream);
  }

  /// Bytes of states and rates.
  std::size_t bytes() const { return lattice.states().size() * sizeof(typename M::State) + rates_.bytes(); }

  /// Number of leaves of the rate tree: the product of the sides, each rounded up to a power of two.
  static std::uint32_t leaf_count(const Parameters& p) { return std::uint32_t{1} << (bits(p.nx) + bits(p.ny)); }

  /// State of the generators and time of the next event, for a checkpoint.
  std::vector<std::uint64_t> generator_state() const {
    std::ostringstream text;
    text << generator_;
    std::istringstream numbers(text.str());
    std::vector<std::uint64_t> state{stream_.state(), Kokkos::bit_cast<std::uint64_t>(next_event_)};
    for (std::uint64_t number = 0; numbers >> number;) state.push_back(number);
    return state;
  }

  /// Continues from the current states of the lattice and the result of generator_state(). `redraw`: the time of the
  /// next event is drawn anew. Throws InputError if the state is impossible.
  void resume(const std::uint64_t* state, std::size_t size, bool redraw) {
    constexpr std::size_t words = std::mt19937_64::state_size;
    const std::uint64_t* const twister = state + 2;
    const bool all_zero = std::all_of(twister, twister + words, [](std::uint64_t word) { return word == 0; });
    // libstdc++ writes the index of the next word after the words.
    const bool beyond = size > 2 + words && twister[words] > words;
    if (state[0] == 0 || all_zero || beyond) refuse_loaded("generator", "it must be a state of the generator");
    std::ostringstream numbers;
    for (std::size_t i = 2; i < size; ++i) numbers << state[i] << ' ';
    std::istringstream text(numbers.str());
    if (!(text >> generator_)) refuse_loaded("generator", "it must be a state of a Mersenne twister");
    stream_ = Stream(state[0]);
    next_event_ = Kokkos::bit_cast<double>(state[1]);
    sum_rates();
    if (redraw) return draw_next_event();
    const double mean = rates_.total() > 0 ? 1 / rates_.total() : std::numeric_limits<double>::infinity();
    if (!possible_time(time, next_event_, mean))
      refuse_loaded("generator", "the next event must have a time in the future that the rates allow");
  }

  double time = 0, last_event = 0;     ///< times, relative to `origin`
  Origin origin;                       ///< of times
  RateWindow<M> window;                ///< current rates
  std::uint64_t events = 0;            ///< since time 0
  std::vector<std::uint64_t> counted;  ///< events of each group
  HostLattice<M> lattice;              ///< current states

 private:
  /// Leaves follow the Z curve, so that paths from neighbouring cells to the root share most nodes: the bits of x and y
  /// alternate, followed by the remaining bits of the longer side.
  static int bits(int sites) { return std::bit_width(static_cast<std::uint32_t>(sites) - 1); }
  std::uint32_t leaf_of(int x, int y) const {
    const auto ux = static_cast<std::uint32_t>(x), uy = static_cast<std::uint32_t>(y);
    const std::uint32_t low = (std::uint32_t{1} << common_bits_) - 1;
    return spread(ux & low) | spread(uy & low) << 1 | (((ux | uy) >> common_bits_) << (2 * common_bits_));
  }
  auto cell_of(std::uint32_t leaf) const {
    const std::uint32_t mixed = leaf & ((std::uint32_t{1} << (2 * common_bits_)) - 1);
    const std::uint32_t above = leaf >> (2 * common_bits_) << common_bits_;
    const std::uint32_t x = gather(mixed), y = gather(mixed >> 1);
    return lattice.nx() >= lattice.ny() ? lattice.cell_at(static_cast<int>(x | above), static_cast<int>(y))
                                        : lattice.cell_at(static_cast<int>(x), static_cast<int>(y | above));
  }
  /// Moves bit i of a 16-bit number to bit 2 i; gather() moves the even bits back.
  static std::uint32_t spread(std::uint32_t v) {
    v = (v | v << 8) & 0x00ff00ffu;
    v = (v | v << 4) & 0x0f0f0f0fu;
    v = (v | v << 2) & 0x33333333u;
    return (v | v << 1) & 0x55555555u;
  }
  static std::uint32_t gather(std::uint32_t v) {
    v &= 0x55555555u;
    v = (v | v >> 1) & 0x33333333u;
    v = (v | v >> 2) & 0x0f0f0f0fu;
    v = (v | v >> 4) & 0x00ff00ffu;
    return (v | v >> 8) & 0x0000ffffu;
  }

  void sum_rates() {
    for (int y = 0; y < lattice.ny(); ++y)
      for (int x = 0; x < lattice.nx(); ++x)
        rates_.set(leaf_of(x, y), window.model.rate(lattice.neighbourhood(lattice.cell_at(x, y))));
    rates_.update_all();
  }

  void draw_next_event() {
    next_event_ = rates_.total() > 0 ? time + exponential_variate(generator_()) / rates_.total()
                                     : std::numeric_limits<double>::infinity();
  }

  int common_bits_;
  RateTree rates_;
  std::mt19937_64 generator_;
  Stream stream_;
  double next_event_;
};

/// The sequential rejection-free method, with a trajectory of its own. See Sequential for its functions.
template <Model M>
class BklSimulation : public Sequential<BklReplica<M>, M> {
  using Base = Sequential<BklReplica<M>, M>;

 public:
  using Base::Base;

  /// Writes `state` [replicas][ny][nx], `time` and `events` [replicas], and `generator` [replicas][...], which
  /// determine the rest of the run.
  void save(io::CheckpointWriter& archive) const override {
    this->save_common(archive);
    std::vector<std::uint64_t> all;
    for (const auto& replica : this->replicas_) {
      const std::vector<std::uint64_t> one = replica.generator_state();
      all.insert(all.end(), one.begin(), one.end());
    }
    archive.array("generator", all, generator_shape(), "");
  }

  /// Continues the run, with a new time of the next event if Parameters::redraw. Throws InputError if it is invalid.
  void load(const io::CheckpointReader& archive) override {
    this->load_common(archive);
    const std::vector<std::size_t> shape = generator_shape();
    std::vector<std::uint64_t> all(shape[0] * shape[1]);
    archive.array("generator", all, shape);
    for (std::size_t r = 0; r < shape[0]; ++r)
      this->replicas_[r].resume(all.data() + r * shape[1], shape[1], this->parameters_.redraw);
  }

 private:
  std::vector<std::size_t> generator_shape() const {
    return {this->replicas_.size(), this->replicas_.front().generator_state().size()};
  }
};

}  // namespace tessera::kmc
