// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tessera/core/observable.hpp>
#include <tessera/disks/configuration.hpp>
#include <tessera/disks/observables/correlations.hpp>
#include <tessera/disks/observables/samples.hpp>
#include <tessera/disks/observables/statistics.hpp>
#include <tessera/disks/parameters.hpp>
#include <tessera/disks/state/loaded_entries.hpp>
#include <tessera/disks/steps/radius_tuning.hpp>
#include <tessera/io/checkpoint.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/rank_grid.hpp>
#include <tessera/simulation/simulation_interface.hpp>
#include <utility>
#include <vector>

namespace tessera::disks {

/// Base class of the simulations of disks: parameters, observables, and progress of the run.
class AnySimulation : public SimulationInterface {
 public:
  const Parameters& parameters() const { return parameters_; }  ///< as given
  const Point& box() const { return box_; }                     ///< sides in sigma
  double density() const { return static_cast<double>(parameters_.particles) / (box_[0] * box_[1]); }  ///< rho sigma^2
  /// Trial moves of each replica since sweep 0.
  const std::vector<MoveCount>& moves() const { return moves_; }
  /// Box coordinates of the disks, [replica][disk].
  virtual std::vector<std::vector<Point>> points() const = 0;
  /// g(r) of the current configuration of each replica, [replicas * rings] with the rings of snapshot_rings.
  virtual std::vector<double> pair_distribution() const = 0;
  History drain_history() { return statistics_.drain_history(); }  ///< samples since the last call: table `samples`

  /// Completed sweeps; half a sweep less until the sample after the last one is complete.
  double time() const override { return static_cast<double>(done_) - (sample_due_ ? 0.5 : 0); }
  /// Statistics::measure(); `acceptance`, the fraction of accepted trial moves so far; and the current `move_radius`.
  std::vector<Observable> measure() override {
    auto all = statistics_.measure();
    Observable acceptance{"acceptance", "", {}};
    for (const MoveCount& m : moves_)
      acceptance.values.push_back(static_cast<double>(m.accepted) / static_cast<double>(m.tried));
    all.push_back(std::move(acceptance));
    all.push_back({"move_radius", "sigma", tuning_.radii()});
    return all;
  }
  /// Averages of g(r), g6(r) and S(q), as requested by the parameters; see Correlations::functions().
  std::vector<AveragedFunction> functions(double from = 0) override { return correlations_.functions(from); }

  bool finished() const override { return time() >= parameters_.sweeps; }
  std::vector<double> times() const override { return std::vector<double>(moves_.size(), time()); }
  std::string time_unit() const override { return "sweeps"; }
  double stopping_time() const override { return parameters_.sweeps; }
  double work() const override {
    double sum = 0;
    for (const MoveCount& count : moves_) sum += static_cast<double>(count.tried);
    return sum;
  }
  std::string rate_unit() const override { return "trial moves/s"; }

  SampleTable sample_table() const override {
    using Row = std::span<const double>;  // in the order of Statistics::names
    const auto square = [](Row row) { return row[3] * row[3] + row[4] * row[4]; };
    const auto column = [](std::size_t c) { return [c](Row row) { return row[c]; }; };
    // Waves of the density, which is conserved, are slow but hardly part of the pressure: they are measured only.
    return {"samples",
            {Statistics::names.begin(), Statistics::names.end()},
            {{"pressure", Statistics::units[2], column(2)},
             {"contact_value", "", [rho = density()](Row row) { return Statistics::contact_value(row[2], rho); }},
             {"psi6", "", [square](Row row) { return std::sqrt(square(row)); }},
             {"psi6_2", "", square},
             {"psi6_4", "", [square](Row row) { return square(row) * square(row); }},
             {"disk_variance_4", "", column(5)},
             {"disk_variance_8", "", column(6)},
             {"disk_variance_16", "", column(7)},
             {"psi6_re", "", column(3), 0},  // psi6 has no preferred direction
             {"psi6_im", "", column(4), 0}}};
  }
  /// Binder cumulant and susceptibility of psi6.
  std::vector<analysis::FunctionOfMeans> functions_of_averages() const override {
    using Means = std::span<const double>;
    const auto particles = static_cast<double>(parameters_.particles);
    return {{"binder_cumulant", "", {"psi6_2", "psi6_4"}, [](Means m) { return 1 - m[1] / (3 * m[0] * m[0]); }},
            {"susceptibility", "", {"psi6", "psi6_2"}, [=](Means m) { return particles * (m[1] - m[0] * m[0]); }}};
  }

  /// Current g(r), in rings of width 0.02 sigma.
  std::vector<Field> fields() override {
    const auto rings = static_cast<std::size_t>(snapshot_rings.count);
    return {{"pair_distribution", "", {rings}, gather_of(pair_distribution())}};
  }
  std::vector<ParticleFrame> particles() override { return {{"disks", "sigma", box_, points()}}; }
  std::size_t particles_of_replica() const override { return static_cast<std::size_t>(parameters_.particles); }

  std::vector<History> drain_histories() override { return {drain_history()}; }
  std::optional<std::size_t> replica_dimension(const std::string& entry) const override {
    if (entry == "sweeps" || entry == "sample_due") return std::nullopt;
    return 0;
  }
  bool has_one_time() const override { return true; }

 protected:
  /// At sweep 0, without disks. `box`: its sides, in sigma.
  AnySimulation(const Parameters& p, const Point& box)
      : parameters_(p),
        box_(box),
        tuning_(p),
        sample_times_{static_cast<std::int64_t>(p.equilibrate), static_cast<std::int64_t>(p.sample_every)},
        statistics_(p, density()),
        correlations_(p, box),
        moves_(static_cast<std::size_t>(p.replicas)) {}

  /// Writes everything but the disks.
  void save_progress(io::CheckpointWriter& archive) const {
    archive.array("moves", viewed_as<std::uint64_t>(moves_), {moves_.size(), 2});
    archive.array("sweeps", std::span(&done_, 1));
    if (sample_due_) archive.array("sample_due", std::array<std::int64_t, 1>{1});
    tuning_.save(archive);
    statistics_.save(archive);
    correlations_.save(archive);
  }
  /// Reads what save_progress() writes. A replica makes `least` to `most` trial moves in a sweep.
  void load_progress(const io::CheckpointReader& archive, std::int64_t least, std::int64_t most) {
    archive.array("moves", viewed_as<std::uint64_t>(moves_), {moves_.size(), 2});
    archive.array("sweeps", std::span(&done_, 1));
    require_progress(done_, moves_, least, most);
    sample_due_ = sample_times_.due(done_) && archive.has("sample_due");
    const std::uint64_t samples = sample_times_.count(done_) - (sample_due_ ? 1 : 0);
    tuning_.load(archive, moves_);
    statistics_.load(archive, samples);
    correlations_.load(archive, samples);
  }

  Parameters parameters_;         ///< as given
  Point box_;                     ///< sides in sigma
  RadiusTuning tuning_;           ///< of the move radii
  SampleTimes sample_times_;      ///< in sweeps
  Statistics statistics_;         ///< samples
  Correlations correlations_;     ///< averages of g(r), g6(r), S(q)
  std::vector<MoveCount> moves_;  ///< [replicas], since sweep 0
  std::int64_t done_ = 0;         ///< sweeps
  bool sample_due_ = false;       ///< after the last sweep
};

/// Base class of Simulation<Space>, which stores disks in cells.
class AnyParallelSimulation : public AnySimulation {
 public:
  /// The whole grid.
  const Geometry& geometry() const { return geometry_; }
  virtual Configuration configuration() const = 0;  ///< at rank 0
  /// A sample of the current configuration of each replica, not added to the averages.
  virtual std::vector<Sample> sample() const = 0;

 protected:
  /// `whole`: the grid of all ranks.
  AnyParallelSimulation(const Parameters& p, const Geometry& whole)
      : AnySimulation(p, {whole.box_x(), whole.box_y()}), geometry_(whole) {}

  Geometry geometry_;  ///< the whole grid
};

// The library tessera_simulations defines these functions.

/// A Simulation from the initial configuration of the parameters.
template <class Space>
std::unique_ptr<AnyParallelSimulation> make_simulation(const Parameters& parameters);
/// A Simulation from given points.
template <class Space>
std::unique_ptr<AnyParallelSimulation> make_simulation(const Parameters& parameters,
                                                       const std::vector<std::vector<Point>>& points,
                                                       const parallel::Communicator& ranks = {},
                                                       const std::optional<parallel::GridShape>& grid = {});

/// A SequentialSimulation from the initial configuration of the parameters.
std::unique_ptr<AnySimulation> make_sequential(const Parameters& parameters);
/// A SequentialSimulation from given points.
std::unique_ptr<AnySimulation> make_sequential(const Parameters& parameters,
                                               const std::vector<std::vector<Point>>& points);

}  // namespace tessera::disks
