// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tessera/core/history.hpp>
#include <tessera/disks/configuration.hpp>
#include <tessera/disks/observables/samples.hpp>
#include <tessera/disks/observables/statistics.hpp>
#include <tessera/disks/parameters.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/rank_grid.hpp>
#include <tessera/simulation/simulation_interface.hpp>
#include <vector>

namespace tessera::disks {

/// Interface of the simulations of disks for the run loop, the benchmarks and the tests.
class AnySimulation : public SimulationInterface {
 public:
  /// Counts of trial moves of each replica since sweep 0.
  virtual const std::vector<MoveCount>& moves() const = 0;
  virtual const Parameters& parameters() const = 0;
  virtual Point box() const = 0;
  /// Box coordinates of the disks, replica by replica.
  virtual std::vector<std::vector<Point>> points() const = 0;
  /// g(r) of the present configuration of each replica in snapshot_rings, [replicas * rings].
  virtual std::vector<double> pair_distribution() const = 0;
  virtual History drain_history() = 0;

  bool finished() const override { return time() >= parameters().sweeps; }
  std::vector<double> times() const override {
    return std::vector<double>(static_cast<std::size_t>(parameters().replicas), time());
  }
  std::string time_unit() const override { return "sweeps"; }
  double time_goal() const override { return parameters().sweeps; }
  double work() const override {
    double sum = 0;
    for (const MoveCount& count : moves()) sum += static_cast<double>(count.tried);
    return sum;
  }
  std::string rate_unit() const override { return "trial moves/s"; }

  SampleTable sample_table() const override {
    using Row = std::span<const double>;  // in the order of Statistics::names
    const double density = static_cast<double>(parameters().particles) / (box()[0] * box()[1]);
    const auto square = [](Row row) { return row[3] * row[3] + row[4] * row[4]; };
    const auto column = [](std::size_t c) { return [c](Row row) { return row[c]; }; };
    return {"samples",
            {Statistics::names.begin(), Statistics::names.end()},
            {{"pressure", Statistics::units[2], column(2)},
             {"contact_value", "", [density](Row row) { return Statistics::contact_value(row[2], density); }},
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
    const auto particles = static_cast<double>(parameters().particles);
    return {{"binder_cumulant", "", {"psi6_2", "psi6_4"}, [](Means m) { return 1 - m[1] / (3 * m[0] * m[0]); }},
            {"susceptibility", "", {"psi6", "psi6_2"}, [=](Means m) { return particles * (m[1] - m[0] * m[0]); }}};
  }

  /// Current g(r), in rings of width 0.02 sigma.
  std::vector<Field> fields() override {
    std::vector<Field> fields(1);
    fields[0] = {
        "pair_distribution", "", {static_cast<std::size_t>(snapshot_rings.count)}, gather_of(pair_distribution())};
    return fields;
  }
  std::vector<ParticleFrame> particles() override { return {{"disks", "sigma", box(), points()}}; }
  std::size_t particles_of_replica() const override { return static_cast<std::size_t>(parameters().particles); }

  std::vector<History> drain_histories() override { return {drain_history()}; }
  std::optional<std::size_t> replica_dimension(const std::string& entry) const override {
    if (entry == "sweeps" || entry == "sample_due") return std::nullopt;
    return 0;
  }
  bool has_one_time() const override { return true; }
};

/// Interface of Simulation<Space>, which stores disks in cells.
class AnyParallelSimulation : public AnySimulation {
 public:
  virtual const Geometry& geometry() const = 0;
  virtual Configuration configuration() const = 0;
  virtual std::vector<Sample> sample() const = 0;
};

// Defined for all built execution spaces by the library tessera_simulations. Without points, the parameters determine
// the start; an empty list of points requires start() or load() before use. `ranks` divide the cells on `grid`, or on
// the grid with the shortest borders.

template <class Space>
std::unique_ptr<AnyParallelSimulation> make_simulation(const Parameters& parameters);
template <class Space>
std::unique_ptr<AnyParallelSimulation> make_simulation(const Parameters& parameters,
                                                       const std::vector<std::vector<Point>>& points,
                                                       const parallel::Communicator& ranks = {},
                                                       const std::optional<parallel::GridShape>& grid = {});

/// Sequential Metropolis method, with the same choice of starts.
std::unique_ptr<AnySimulation> make_sequential(const Parameters& parameters);
std::unique_ptr<AnySimulation> make_sequential(const Parameters& parameters,
                                               const std::vector<std::vector<Point>>& points);

}  // namespace tessera::disks
