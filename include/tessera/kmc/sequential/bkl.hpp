// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <tessera/core/exponential_variate.hpp>
#include <tessera/kmc/sequential.hpp>
#include <tessera/kmc/sequential/rate_classes.hpp>
#include <tessera/kmc/state/clock.hpp>
#include <tessera/kmc/state/loaded.hpp>
#include <tessera/kmc/state/waiting_times.hpp>
#include <vector>

namespace tessera::kmc {

/// A system of the rejection-free method of Bortz, Kalos and Lebowitz (1975).
///
/// Attempts follow each other after exponentially distributed times of mean 1 / (sum of the bounds of all cells), each
/// in a cell drawn with a probability proportional to its bound (RateClasses); with the probability rate / bound, the
/// attempt is the next event. All variates are drawn from one stream.
template <Model M>
class BklReplica : public ReplicaState<M> {
  using Base = ReplicaState<M>;

 public:
  using Base::lattice, Base::time, Base::window;

  /// At time 0, in the states of the model or in those given, [ny][nx].
  BklReplica(const Parameters& parameters, const M& model, std::uint64_t seed,
             std::span<const typename M::State> states = {})
      : Base(parameters, model, static_cast<double>(parameters.nx) * parameters.ny, seed, states),
        classes_(static_cast<std::uint32_t>(lattice.states().size())),
        stream_(hash(seed, 0, Purpose::kmc_bkl) | 1) {
    set_rates(parameters);
    draw_next_event();
  }

  /// Time of the next event, drawn directly after the last one, so that it does not depend on the calls of advance().
  double next_event() const { return next_event_; }

  /// Performs the event at next_event(), and draws the following one.
  void perform_event() {
    time = next_event_;
    const auto cell = lattice.cell_at(next_cell_);
    lattice.perform(window.model, cell, this->draw(cell, stream_), [&](const auto& affected) {
      classes_.set(affected.cell, window.model.rate(lattice.neighbourhood(affected)));
    });
    draw_next_event();
  }

  /// Takes the next event across a boundary. If it is to the rates of `window`, the event is drawn anew, which is
  /// exact, since waiting has no memory.
  void cross(const Passage& passage, const M&) {
    time = passage.to;
    next_event_ = next_event_ - passage.from + passage.to;
    if (!passage.changes_rates) return;
    set_rates();
    draw_next_event();
  }

  /// The cells by their rates (RateClasses::order()).
  const std::vector<std::uint32_t>& order() const { return classes_.order(); }
  /// State of the stream, time and cell of the next event, for a checkpoint.
  std::array<std::uint64_t, 3> generator_state() const {
    return {stream_.state(), Kokkos::bit_cast<std::uint64_t>(next_event_), next_cell_};
  }

  /// Continues from the current states of the lattice and the results of order() and generator_state(). `redraw`: the
  /// next event is drawn anew. Throws InputError if the state is impossible.
  void resume(std::span<const std::uint32_t> order, const std::uint64_t* state, bool redraw) {
    if (state[0] == 0) refuse_loaded("generator", "it must be a state of the generator");
    stream_ = Stream(state[0]);
    const double mean = 1 / set_rates();
    if (redraw) return draw_next_event();
    if (!classes_.set_order(order)) refuse_loaded("order", "it must have each cell once, by their rates");
    next_event_ = Kokkos::bit_cast<double>(state[1]);
    next_cell_ = static_cast<std::uint32_t>(state[2]);
    const bool has_rate = state[2] < order.size() && (std::isinf(mean) || rate_of(next_cell_) > 0);
    if (!has_rate || !possible_time(time, next_event_, mean))
      refuse_loaded("generator", "the next event must be in a cell with a rate, in the future as the rates allow");
  }

 private:
  double rate_of(std::uint32_t cell) const { return window.model.rate(lattice.neighbourhood(lattice.cell_at(cell))); }
  /// Returns the sum of all rates.
  double set_rates(const Parameters& p = {}) {
    double sum = 0;
    for (std::uint32_t c = 0; c < lattice.states().size(); ++c) {
      watch(p, c);
      const double rate = rate_of(c);
      classes_.set(c, rate);
      sum += rate;
    }
    return sum;
  }

  void draw_next_event() {
    const double total = classes_.total();
    next_event_ = total > 0 ? time : std::numeric_limits<double>::infinity();
    for (bool happens = false; !happens && std::isfinite(next_event_);) {
      next_event_ += exponential_variate(stream_.draw()) / total;
      const RateClasses::Drawn drawn = classes_.draw(total, stream_);
      next_cell_ = drawn.cell;
      happens = drawn.height < rate_of(drawn.cell);
    }
  }

  RateClasses classes_;
  Stream stream_;
  double next_event_;
  std::uint32_t next_cell_ = 0;
};

/// The sequential rejection-free method, with a trajectory of its own. See Sequential for its functions.
template <Model M>
class BklSimulation : public Sequential<BklReplica<M>, M> {
  using Base = Sequential<BklReplica<M>, M>;

 public:
  using Base::Base;

  /// Writes `state` and `order` [replicas][ny][nx], `time` and `events` [replicas], and `generator` [replicas][3],
  /// which determine the rest of the run.
  void save(io::CheckpointWriter& archive) const override {
    this->save_common(archive);
    const auto order_of = [](const BklReplica<M>& replica, std::uint32_t c) { return replica.order()[c]; };
    archive.array("order", this->template of_cells<std::uint32_t>(order_of), this->lattice_shape(), "");
    std::vector<std::uint64_t> all;
    for (const auto& replica : this->replicas_)
      for (const std::uint64_t word : replica.generator_state()) all.push_back(word);
    archive.array("generator", all, {this->replicas_.size(), 3}, "");
  }

  /// Continues the run, with a new next event if Parameters::redraw. Throws InputError if it is invalid.
  void load(const io::CheckpointReader& archive) override {
    this->load_common(archive);
    const std::size_t replicas = this->replicas_.size();
    std::vector<std::uint64_t> all(3 * replicas);
    archive.array("generator", all, {replicas, 3});
    const auto order = this->template load_cells<std::uint32_t>(archive, "order");
    for (std::size_t r = 0; r < replicas; ++r)
      this->replicas_[r].resume(this->of_replica(order, r), &all[3 * r], this->parameters_.redraw);
  }
};

}  // namespace tessera::kmc
