// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tessera/core/exponential_variate.hpp>
#include <tessera/kmc/sequential.hpp>
#include <tessera/kmc/sequential/waiting_time_tree.hpp>
#include <tessera/kmc/state/clock.hpp>
#include <tessera/kmc/state/loaded.hpp>
#include <tessera/kmc/state/waiting_times.hpp>
#include <vector>

namespace tessera::kmc {

/// A system of the sequential waiting-time method (Dall and Sibani, 2001).
///
/// The next event is that of the cell with the smallest waiting time; among equal times, of the cell with the smaller
/// number. Its outcome is drawn from the cell's stream. Then each affected cell draws a new waiting time from its own
/// stream, in the order of Concerned, which begins with the cell itself.
template <Model M>
class WaitingTimeReplica : public ReplicaState<M> {
  using Base = ReplicaState<M>;

 public:
  using Base::lattice, Base::time, Base::window;

  /// At time 0, in the states of the model or in those given, [ny][nx].
  WaitingTimeReplica(const Parameters& parameters, const M& model, std::uint64_t seed,
                     std::span<const typename M::State> states = {})
      : Base(parameters, model, 1, seed, states), streams_(lattice.states().size()) {
    for (std::uint32_t c = 0; c < streams_.size(); ++c) streams_[c] = stream_start(seed, c);
    redraw(parameters);
  }

  double next_event() const { return times_.time(times_.earliest()); }  ///< its time

  /// Performs the event at next_event(); affected cells draw new waiting times.
  void perform_event() {
    const auto cell = lattice.cell_at(times_.earliest());
    time = next_event();
    Stream stream(streams_[cell.cell]);
    const auto event = Base::draw(cell, stream);
    streams_[cell.cell] = stream.state();
    double next = 0;  // of this cell, which changes last: while it is the earliest one, other changes end early
    lattice.perform(window.model, cell, event, [&](const auto& affected) {
      const double its = draw(affected);
      if (affected.cell == cell.cell)
        next = its;
      else
        times_.change(affected.cell, its);
    });
    times_.change(cell.cell, next);
  }

  /// Takes all waiting times across a boundary, to the rates of `window`.
  void cross(const Passage& passage, const M& before) {
    if (!passage.changes_rates) return times_.move_origin(passage.from);
    std::vector<double> times(streams_.size());
    for (std::uint32_t c = 0; c < times.size(); ++c) {
      const auto n = lattice.neighbourhood(lattice.cell_at(c));
      times[c] = passed(passage, times_.time(c), mean_waiting_time(before, n), mean_waiting_time(window.model, n),
                        streams_[c]);
    }
    times_.assign(times, window.epoch);
  }

  double waiting_time(std::uint32_t cell) const { return times_.time(cell); }  ///< its next event
  std::uint64_t stream(std::uint32_t cell) const { return streams_[cell]; }    ///< its state

  /// Continues from these waiting times and states of streams, one per cell.
  void resume(std::span<const double> times, std::span<const std::uint64_t> streams) {
    times_.assign(times, window.epoch);
    streams_.assign(streams.begin(), streams.end());
  }

  /// Draws all waiting times anew.
  void redraw(const Parameters& p = {}) {
    std::vector<double> times(streams_.size());
    for (std::uint32_t c = 0; c < times.size(); ++c) {
      watch(p, c);
      times[c] = draw(lattice.cell_at(c));
    }
    times_.assign(times, window.epoch);
  }

 private:
  double draw(const typename HostLattice<M>::Cell& cell) {
    Stream stream(streams_[cell.cell]);
    const double mean = mean_waiting_time(window.model, lattice.neighbourhood(cell));
    const std::uint64_t random = stream.draw();
    streams_[cell.cell] = stream.state();
    if (std::isinf(mean)) return mean;  // without the variate
    return next_waiting_time(time, mean, exponential_variate(random));
  }

  std::vector<std::uint64_t> streams_;
  WaitingTimeTree times_;
};

/// The sequential waiting-time method (see Sequential). Its trajectory is that of the tile method, to the last bit.
template <Model M>
class WaitingTimeSimulation : public Sequential<WaitingTimeReplica<M>, M> {
  using Replica = WaitingTimeReplica<M>;
  using Base = Sequential<Replica, M>;

 public:
  using Base::Base;

  /// Time of the next event of each cell, [replicas][ny][nx]; infinite if the rate is 0.
  std::vector<double> waiting_times() const {
    return this->template of_cells<double>([](const Replica& r, std::uint32_t c) { return r.waiting_time(c); });
  }

  /// States of the streams of all cells, [replicas][ny][nx].
  std::vector<std::uint64_t> streams() const {
    return this->template of_cells<std::uint64_t>([](const Replica& r, std::uint32_t c) { return r.stream(c); });
  }

  /// Writes `state`, `waiting_time` and `stream` [replicas][ny][nx], and `time` and `events` [replicas], which
  /// determine the rest of the run. The tile method reads and writes the same entries.
  void save(io::CheckpointWriter& archive) const override {
    this->save_common(archive);
    archive.array("waiting_time", waiting_times(), this->lattice_shape(), time_unit_of(this->model_));
    archive.array("stream", streams(), this->lattice_shape(), "");
  }

  /// Continues the run; Parameters::redraw: with new waiting times. Throws InputError if a value is impossible.
  void load(const io::CheckpointReader& archive) override {
    this->load_common(archive);
    const auto next = this->template load_cells<double>(archive, "waiting_time");
    const auto random = this->template load_cells<std::uint64_t>(archive, "stream");
    for (std::size_t r = 0; r < this->replicas_.size(); ++r)
      this->replicas_[r].resume(this->of_replica(next, r), this->of_replica(random, r));
    std::int64_t number = 0;
    for (const Replica& replica : this->replicas_)
      for (std::uint32_t c = 0; c < replica.lattice.states().size(); ++c, ++number) {
        const auto n = replica.lattice.neighbourhood(replica.lattice.cell_at(c));
        const CellFault fault = fault_of_cell(replica.window.model, n, replica.time, replica.waiting_time(c),
                                              replica.stream(c), this->parameters_.redraw);
        if (fault != CellFault::none) refuse_cell(fault, number);
      }
    if (this->parameters_.redraw)
      for (Replica& replica : this->replicas_) replica.redraw();
  }
};

}  // namespace tessera::kmc
