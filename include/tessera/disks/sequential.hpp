// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <functional>
#include <tessera/disks/any_simulation.hpp>
#include <tessera/disks/observables/host_samples.hpp>
#include <tessera/disks/parameters.hpp>
#include <tessera/disks/steps/initial_configuration.hpp>
#include <tessera/disks/steps/metropolis.hpp>
#include <utility>
#include <vector>

namespace tessera::disks {

/// Sequential Metropolis Monte Carlo, the reference implementation, on one CPU core. A sweep is one trial move per
/// disk. Both sides of the box must be at least two diameters. Functions are those of Simulation.
class SequentialSimulation : public AnySimulation {
 public:
  /// Initial configuration of the parameters. Throws InputError if the parameters are invalid or disks overlap.
  explicit SequentialSimulation(const Parameters& parameters) : SequentialSimulation(parameters, {}) { start(); }

  /// Starts from given points. If `points` is empty, call start() or load() next.
  SequentialSimulation(const Parameters& parameters, const std::vector<std::vector<Point>>& points)
      : AnySimulation(checked(parameters), {box_width(parameters), box_height(parameters)}), parts_(moves_.size()) {
    start_from(points);
  }

  bool start(const std::function<bool()>& keep_going = [] { return true; }) override {
    start_from(start_points(parameters_, keep_going));
    return !replicas_.empty();
  }

  bool advance(
      double until, const std::function<bool()>& keep_going = [] { return true; }) override {
    const auto last = static_cast<std::int64_t>(std::ceil(std::min(until, parameters_.sweeps)));
    Kokkos::Timer since_call;
    const auto go_on = [&] {
      if (since_call.seconds() <= 0.1) return true;
      since_call.reset();
      return keep_going();
    };
    while (time() < static_cast<double>(last)) {
      if (!go_on()) return false;
      if (sample_due_) {
        if (!take_sample(go_on)) return false;
        continue;
      }
      ++done_;
      for (std::size_t r = 0; r < replicas_.size(); ++r) {
        moves_[r].accepted += replicas_[r].sweep(tuning_.radii()[r]);
        moves_[r].tried += static_cast<std::uint64_t>(parameters_.particles);
      }
      if (tuning_.due(done_)) tuning_.tune(moves_);
      sample_due_ = sample_times_.due(done_);
    }
    return true;
  }

  std::vector<double> pair_distribution() const override {
    std::vector<double> all;
    for (const Metropolis& replica : replicas_) {
      const auto one = disks::pair_distribution(replica.points(), box_);
      all.insert(all.end(), one.begin(), one.end());
    }
    return all;
  }

  std::vector<std::vector<Point>> points() const override {
    std::vector<std::vector<Point>> all;
    for (const Metropolis& replica : replicas_) all.push_back(replica.points());
    return all;
  }

  void save(io::CheckpointWriter& archive) const override {
    std::vector<Point> points;
    points.reserve(replicas_.size() * particles_of_replica());
    std::vector<Xoshiro::State> states;
    for (const Metropolis& replica : replicas_) {
      if (replica.any_overlap([] {})) throw RunError("the state is damaged: disks overlap");
      points.insert(points.end(), replica.points().begin(), replica.points().end());
      states.push_back(replica.random().state());
    }
    archive.array("position", viewed_as<double>(points), {replicas_.size(), particles_of_replica(), 2}, "sigma");
    archive.array("generator", viewed_as<std::uint64_t>(states), {replicas_.size(), 4});
    save_progress(archive);
  }

  void load(const io::CheckpointReader& archive) override {
    const std::size_t count = moves_.size(), particles = particles_of_replica();
    std::vector<Point> all(count * particles);
    std::vector<Xoshiro::State> states(count);
    archive.array("position", viewed_as<double>(all), {count, particles, 2});
    archive.array("generator", viewed_as<std::uint64_t>(states), {count, 4});
    load_progress(archive, parameters_.particles, parameters_.particles);
    replicas_.clear();
    parts_.assign(count, {});
    for (std::size_t r = 0; r < count; ++r) {
      std::vector<Point> points(&all[r * particles], &all[r * particles] + particles);
      require_in_box(points, box_);
      require_no_overlap("checkpoint entry 'position': ", points, box_);
      require_of_entry(states[r] != Xoshiro::State{}, "generator", "a state of the generator is zero");
      replicas_.emplace_back(std::move(points), box_, 1.0, Xoshiro(states[r]));
    }
  }

 private:
  void start_from(const std::vector<std::vector<Point>>& start) {
    for (const auto& points : start) require_no_overlap("--start: ", points, box_);
    std::uint64_t seed = parameters_.seed;
    for (const auto& points : start) replicas_.emplace_back(points, box_, 1.0, Xoshiro(seed++));
  }

  /// Continues the current sample until go_on() returns false. Returns whether it is complete.
  template <class GoOn>
  bool take_sample(const GoOn& go_on) {
    for (std::size_t r = 0; r < replicas_.size(); ++r)
      if (!parts_[r].take(replicas_[r].points(), box_, correlations_.plan(), go_on)) return false;
    for (std::size_t r = 0; r < replicas_.size(); ++r) {
      statistics_.add(r, static_cast<double>(done_),
                      sample_points(replicas_[r].points(), box_, PairBins{parameters_.pressure_fit}));
      if (!correlations_.empty()) correlations_.add(r, std::exchange(parts_[r], {}).sample);
    }
    sample_due_ = false;
    return true;
  }

  std::vector<Metropolis> replicas_;
  std::vector<PartOfSample> parts_;
};

}  // namespace tessera::disks
