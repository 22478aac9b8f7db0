// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <tessera/core/history.hpp>
#include <tessera/core/host_array.hpp>
#include <tessera/core/observable.hpp>
#include <tessera/disks/check.hpp>
#include <tessera/disks/configuration.hpp>
#include <tessera/disks/observables/samples.hpp>
#include <tessera/disks/observables/statistics.hpp>
#include <tessera/disks/pair_distribution.hpp>
#include <tessera/disks/parameters.hpp>
#include <tessera/disks/points.hpp>
#include <tessera/disks/radius_tuning.hpp>
#include <tessera/disks/starts.hpp>
#include <tessera/disks/sweeps.hpp>
#include <vector>

namespace tessera::disks {

/// The grid for these parameters. Throws InputError if no checkerboard fits the box.
inline Geometry checkerboard(const Parameters& p) {
  const auto g = fit_cells(box_width(p), box_height(p), p.replicas);
  if (!g)
    throw InputError("--method mpmc: no checkerboard fits a box of " + std::to_string(box_width(p)) + " x " +
                     std::to_string(box_height(p)) + " diameters; take --method sequential");
  return *g;
}

/// Massively parallel Monte Carlo of hard disks: Anderson, Jankowski, Grubb, Engel and Glotzer, J. Comput. Phys. 254,
/// 27 (2013). All replicas advance in the same launches; replica r is the single run with seed + r.
template <class ExecutionSpace>
class Simulation {
 public:
  using MemorySpace = typename ExecutionSpace::memory_space;
  using Points = std::vector<std::vector<Point>>;  ///< [replica][disk]

  /// The start at sweep 0. Throws InputError if the parameters cannot be run or the disks of the start overlap.
  Simulation(const ExecutionSpace& space, const Parameters& parameters,
             SweepShape shape = default_sweep_shape<ExecutionSpace>)
      : Simulation(space, parameters, Points(), shape) {
    start();
  }

  /// The same from these points, in a box of the parameters' sides; without points, before start() or load().
  Simulation(const ExecutionSpace& space, const Parameters& parameters, const Points& points,
             SweepShape shape = default_sweep_shape<ExecutionSpace>)
      : space_(space),
        parameters_(checked(parameters)),
        geometry_(checkerboard(parameters)),
        sweeps_(space, State<MemorySpace>(geometry_, shape.arrangement),
                {parameters.moves_per_cell, static_cast<float>(parameters.move_radius), parameters.shuffle_particles},
                parameters.shuffle_checkerboard, parameters.seed, shape),
        tuning_(parameters),
        sampler_(space, parameters.replicas, PairBins{parameters.pressure_fit}),
        sample_times_{static_cast<std::int64_t>(parameters.equilibrate),
                      static_cast<std::int64_t>(parameters.sample_every)},
        statistics_(parameters, density()) {
    if (!points.empty()) start_from(points);
    look();
  }

  /// Puts the disks where the parameters have them start, and returns true; or false, with no disk in the box, once
  /// keep_going() says so, which is asked every tenth of a second or so. Throws InputError if they overlap there.
  bool start(const std::function<bool()>& keep_going = [] { return true; }) {
    if (parameters_.start == Start::lattice) {
      place(LatticeStart(parameters_.particles, box_width(parameters_), box_height(parameters_)));
      return true;
    }
    try {
      start_from(start_points(parameters_, keep_going));
      return true;
    } catch (const StartStopped&) {
      return false;
    }
  }

  /// Runs to `until` sweeps. `keep_going` is asked every tenth of a second or so; if it says false, the run stops where
  /// it is, and a later call goes on from there.
  void advance(double until, const std::function<bool()>& keep_going = [] { return true; }) {
    const auto goal = static_cast<std::int64_t>(std::ceil(std::min(until, parameters_.sweeps)));
    while (done_ < goal && keep_going()) {
      const auto begin = std::chrono::steady_clock::now();
      const std::int64_t first = done_;
      // Without a look at the clock as long as that takes less than a tenth of a second.
      for (double left = affordable_sweeps(); left >= 1 && done_ < goal;)
        left -= static_cast<double>(some_sweeps(goal, left));
      look();
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      seconds_a_sweep_ = seconds / static_cast<double>(done_ - first);
    }
  }

  bool finished() const { return static_cast<double>(done_) >= parameters_.sweeps; }
  double time() const { return static_cast<double>(done_); }
  /// Trial moves of each replica since sweep 0.
  const std::vector<MoveCount>& moves() const { return moves_; }
  const Parameters& parameters() const { return parameters_; }
  const Geometry& geometry() const { return geometry_; }
  double density() const {
    return static_cast<double>(parameters_.particles) / (geometry_.box_x() * geometry_.box_y());
  }
  Point box() const { return {geometry_.box_x(), geometry_.box_y()}; }
  std::size_t bytes() const { return sweeps_.bytes(); }

  /// What Statistics::measure() gives, with `acceptance` and `move_radius`.
  std::vector<Observable> measure() const {
    auto all = statistics_.measure();
    add_moves(all, moves_, tuning_.radii());
    return all;
  }
  /// A sample of what is now, for each replica; it does not count.
  std::vector<Sample> sample() const { return sampler_(sweeps_.state().cells, parameters_.particles); }
  /// g(r) of the disks of each replica as they are now, [replicas * rings].
  std::vector<double> pair_distribution() const {
    return disks::pair_distribution(space_, sweeps_.state().cells, parameters_.particles);
  }
  History drain_history() { return statistics_.drain_history(); }

  /// Where the disks are in the box, replica by replica.
  Points points() const { return points_of(space_, sweeps_.state(), parameters_.particles); }
  Configuration configuration() const { return configuration_of(space_, sweeps_.state()); }

  /// Writes the whole state to an archive with array(name, span, shape, unit), after it has been found free of overlaps
  /// and complete; throws RunError if it is not.
  template <class Archive>
  void save(Archive& archive) const {
    require_intact(space_, sweeps_.state().cells, all_disks());
    const Configuration c = configuration();
    const auto [r, rows, columns, disks] = shape();
    archive.array("count", c.counts, {r, rows, columns}, "");
    archive.array("position", c.positions, {disks, 2}, "sigma");
    archive.array("origin", c.origins, {r, 2}, "2^-22 sigma");
    archive.array("moves", c.moves, {r, 2}, "");
    archive.array("sweeps", std::vector<std::int64_t>{done_}, {1}, "");
    tuning_.save(archive);
    statistics_.save(archive);
  }

  /// Continues from what save() wrote, on whatever execution space; everything but the goal must be the same. Throws
  /// InputError if a run with these parameters cannot have written it.
  template <class Archive>
  void load(const Archive& archive) {
    const auto [r, rows, columns, disks] = shape();
    Configuration c;
    c.counts.resize(r * rows * columns);
    c.positions.resize(2 * disks);
    c.origins.resize(2 * r);
    c.moves.resize(2 * r);
    std::vector<std::int64_t> done(1);
    archive.array("count", c.counts, {r, rows, columns});
    archive.array("position", c.positions, {disks, 2});
    archive.array("origin", c.origins, {r, 2});
    archive.array("moves", c.moves, {r, 2});
    archive.array("sweeps", done, {1});
    require_sweeps(done[0]);
    const std::int64_t particles = parameters_.particles, moves = parameters_.moves_per_cell;
    require_moves(c.moves, done[0], moves * ((particles + most_in_a_cell - 1) / most_in_a_cell),
                  moves * std::min(particles, std::int64_t{geometry_.cells()}));
    require_contents(c, geometry_, particles);
    tuning_.load(archive, c.moves);
    statistics_.load(archive, sample_times_.count(done[0]));
    sweeps_.set_radii(tuning_.radii());
    require_of_entry(put_configuration(space_, c, sweeps_.state()) == 0, "position", "disks outside their cells");
    require_of_entry(take_census(space_, sweeps_.state().cells).overlaps == 0, "position", "disks overlap");
    done_ = done[0];
    look();
  }

 private:
  struct Shape {
    std::size_t replicas, rows, columns, disks;
  };

  static const Parameters& checked(const Parameters& p) {
    validate(p);
    static_cast<void>(checkerboard(p));
    return p;
  }
  void start_from(const Points& points) {
    const ListedPoints<MemorySpace> listed(parameters_.replicas, parameters_.particles);
    for (std::size_t r = 0; r < points.size(); ++r)
      Kokkos::deep_copy(space_, listed.of(r), PointsOnHost<const double>(points[r].data()->data(), points[r].size()));
    place(listed);
  }
  template <class PointOf>
  void place(const PointOf& point_of) {
    const Point sides{box_width(parameters_), box_height(parameters_)};
    place_points(space_, point_of, parameters_.particles, sides, sweeps_.state());
    const Census census = take_census(space_, sweeps_.state().cells);
    if (census.overlaps > 0)
      throw InputError("--start: there are " + std::to_string(census.overlaps) + " pairs of disks that overlap");
  }

  std::uint64_t all_disks() const {
    return static_cast<std::uint64_t>(parameters_.particles) * static_cast<std::uint64_t>(parameters_.replicas);
  }
  Shape shape() const {
    return {static_cast<std::size_t>(geometry_.replicas), static_cast<std::size_t>(geometry_.rows),
            static_cast<std::size_t>(geometry_.columns), all_disks()};
  }

  double affordable_sweeps() const { return seconds_a_sweep_ > 0 ? std::max(1.0, 0.1 / seconds_a_sweep_) : 1; }

  /// Sweeps up to the next sample or change of the radius, the goal, or as many as are affordable, and what is due
  /// then. Returns their number.
  std::int64_t some_sweeps(std::int64_t goal, double affordable) {
    const auto stop = std::min({goal, sample_times_.next(done_), tuning_.next(done_)});
    const auto count = std::min(
        {stop - done_, std::int64_t{Sweeps<ExecutionSpace>::most_at_once}, static_cast<std::int64_t>(affordable)});
    sweeps_.run(done_, static_cast<int>(count));
    done_ += count;
    if (tuning_.due(done_)) {
      look();
      tuning_.tune(moves_);
      sweeps_.set_radii(tuning_.radii());
    }
    if (sample_times_.due(done_)) {
      const auto samples = sampler_(sweeps_.state().cells, parameters_.particles);
      for (std::size_t r = 0; r < samples.size(); ++r) statistics_.add(r, static_cast<double>(done_), samples[r]);
    }
    return count;
  }

  /// Waits for the device and takes over its count of moves.
  void look() {
    moves_.resize(static_cast<std::size_t>(parameters_.replicas));
    copy_and_wait(space_, host_array(moves_), sweeps_.state().moves);
  }

  ExecutionSpace space_;
  Parameters parameters_;
  Geometry geometry_;
  Sweeps<ExecutionSpace> sweeps_;
  RadiusTuning tuning_;
  Sampler<ExecutionSpace> sampler_;
  SampleTimes sample_times_;
  Statistics statistics_;
  std::vector<MoveCount> moves_;
  std::int64_t done_ = 0;
  double seconds_a_sweep_ = 0;
};

}  // namespace tessera::disks
