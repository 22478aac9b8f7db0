// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <tessera/core/error.hpp>
#include <tessera/kpz/state/subdomains.hpp>
#include <tessera/kpz/steps/device_layer.hpp>
#include <tessera/kpz/surface_simulation.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/rank_grid.hpp>

namespace tessera::kpz {

/// The octahedron model by domain decomposition in two layers (Kelling, Odor and Gemming, "Suppressing correlations in
/// massively parallel simulations of lattice models"), with all replicas in the same launches.
///
/// Parameters and seed determine the trajectory bit for bit, on any execution space and number of threads. Replica r
/// equals the single run with seed + r. Time advances by whole asynchronous intervals: one Monte Carlo step with double
/// tiling, less with dead borders (equation 9).
///
/// The lattice is decomposed among ranks, whose number does not change the results. All functions are collective.
/// Observables are those of the whole lattice, equal at all ranks. Arrays of the size of the lattice are gathered at
/// rank 0 in parts: save() and load() use only its archive, and words() and heights() are empty at other ranks.
template <class ExecutionSpace>
class Simulation : public SurfaceSimulation<ExecutionSpace> {
 public:
  /// Starts from a flat surface at time 0. `grid`: shape of the grid of ranks; by default the one with the shortest
  /// borders. Throws InputError if the parameters are invalid, or the lattice cannot be divided among the ranks.
  Simulation(const ExecutionSpace& space, const Parameters& parameters, const parallel::Communicator& ranks = {},
             const std::optional<parallel::GridShape>& grid = {})
      : Simulation(space, parameters, distribute(checked(parameters), ranks, grid)) {}

  /// Runs all replicas to the first end of an interval at or after `until`. All ranks call keep_going() between batches
  /// of intervals. If it returns false at any rank, advance() returns false, and the next call continues.
  bool advance(
      double until, const std::function<bool()>& keep_going = [] { return true; }) override {
    double seconds_an_interval = 0;
    while (this->time() < until) {
      if (!distribution_.ranks.all(keep_going())) return false;
      const int count = distribution_.ranks.broadcast(
          batch_size(std::min(until, observer_.next_waiting_time()), seconds_an_interval));
      const Kokkos::Timer timer;
      for (int i = 0; i < count; ++i) device_layer_.interval(this->units_++);
      device_layer_.shifted().align_to_blocks(state_.words);
      observer_.keep(this->time(), state_.words);
      this->space_.fence("tessera::kpz::advance");
      seconds_an_interval = timer.seconds() / count;
    }
    return true;
  }

 private:
  using Base = SurfaceSimulation<ExecutionSpace>;
  using Base::distribution_, Base::observer_, Base::state_;

  Simulation(const ExecutionSpace& space, const Parameters& p, const parallel::Distribution& distribution)
      : Base(space, p, distribution, interval_of(p), extents_of_streams({block_of(p, distribution), p})),
        device_layer_(space, state_, p, distribution) {}

  static TimeUnit interval_of(const Parameters& p) {
    const Decomposition d(lattice_of(p), p);
    return {"intervals", d.attempts_an_interval() / static_cast<double>(lattice_of(p).sites()),
            d.all_attempts_an_interval()};
  }

  void fill_halo(const Words<ExecutionSpace>& words) override { device_layer_.shifted().fill_halo(words); }

  /// Intervals of a batch: about 50 ms of work.
  int batch_size(double until, double seconds_an_interval) const {
    const double needed = std::ceil((until - this->time()) / this->unit_.time);
    const double affordable = seconds_an_interval > 0 ? 0.05 / seconds_an_interval : 1;
    return static_cast<int>(std::clamp(std::min(needed, affordable), 1.0, 256.0));
  }

  DeviceLayerUpdate<ExecutionSpace> device_layer_;
};

}  // namespace tessera::kpz
