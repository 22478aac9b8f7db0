// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tessera/analysis/estimate.hpp>
#include <tessera/analysis/moments.hpp>
#include <tessera/kpz/parameters.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/rank_grid.hpp>
#include <tessera/simulation/simulation_interface.hpp>
#include <vector>

namespace tessera::kpz {

/// Unit in which time advances: an asynchronous interval, or an attempt of each replica.
struct TimeUnit {
  std::string name;  ///< of the number of units in a checkpoint
  double time;       ///< in Monte Carlo steps
  double attempts;   ///< of a replica
};

/// Base class of the simulations of kpz: parameters, and progress of the run.
class AnySimulation : public SimulationInterface {
 public:
  const Parameters& parameters() const { return parameters_; }  ///< as given
  /// Bits of all replicas, [replicas, ny, words of a row]; see Lattice.
  virtual std::vector<std::uint32_t> words() const = 0;
  /// Heights of all replicas in layers, [replicas, ny, nx].
  virtual std::vector<std::int32_t> heights() const = 0;

  bool finished() const override { return time() >= parameters_.steps; }
  /// Time in Monte Carlo steps: attempts on sites outside dead borders, divided by the number of sites.
  double time() const override { return static_cast<double>(units_) * unit_.time; }
  std::vector<double> times() const override { return std::vector<double>(replicas(), time()); }
  std::string time_unit() const override { return "MCS"; }
  double stopping_time() const override { return parameters_.steps; }
  /// Attempts of all replicas, dead borders included.
  double work() const override { return attempts_of_replica() * parameters_.replicas; }
  std::string rate_unit() const override { return "attempts/s"; }
  /// Skewness and kurtosis follow from the moments.
  bool steady(const std::string& observable) const override {
    for (const char* name : {"roughness", "moment_3", "moment_4", "velocity", "acceptance"})
      if (observable == name) return true;
    return false;
  }
  std::vector<analysis::FunctionOfMeans> functions_of_averages() const override {
    return analysis::cumulants_of_averages();
  }
  std::vector<SlowMode> slow_modes() const override { return {SlowMode::longest_waves("height")}; }
  std::optional<std::size_t> replica_dimension(const std::string& entry) const override {
    for (const char* name : {"intervals", "attempts", "kept_times", "measured_time", "measured_before_time"})
      if (entry == name) return std::nullopt;
    return entry.ends_with("_quantities") ? 1 : 0;
  }
  bool has_one_time() const override { return true; }

  /// Effective exponents (equation 8) of all replicas together, from Observer::drain_changes(): beta_eff of W^2 ~ t^(2
  /// beta), and lambda / z of C ~ t^(-lambda / z) for heights and slopes.
  std::vector<History> tables_of(std::vector<History> drained) const override {
    for (History& table : drained) {
      const double time_before = table.columns[0].front(), time = table.columns[1].front();
      const auto &before = table.columns[2], &now = table.columns[3];
      const double sign = table.name == "beta_eff" ? 0.5 : -1;
      const auto e = analysis::effective_exponent(time_before, before, time, now);
      const auto propagated = analysis::effective_exponent(time_before, analysis::mean_with_scatter(before), time,
                                                           analysis::mean_with_scatter(now));
      table = {
          table.name,
          {"time_before", "time", "value", "error", "propagated_error"},
          {"MCS", "MCS", "", "", ""},
          {{time_before}, {time}, {sign * e.value}, {std::abs(sign) * e.error}, {std::abs(sign) * propagated.error}}};
    }
    return drained;
  }

 protected:
  /// At time 0.
  AnySimulation(const Parameters& p, const TimeUnit& unit) : parameters_(p), unit_(unit) {}

  std::size_t replicas() const { return static_cast<std::size_t>(parameters_.replicas); }
  double attempts_of_replica() const { return static_cast<double>(units_) * unit_.attempts; }

  Parameters parameters_;    ///< as given
  TimeUnit unit_;            ///< of units_
  std::uint64_t units_ = 0;  ///< since time 0
};

/// See the constructor of Simulation. The library tessera_simulations defines this function.
template <class Space>
std::unique_ptr<AnySimulation> make_simulation(const Parameters& parameters, const parallel::Communicator& ranks = {},
                                               const std::optional<parallel::GridShape>& grid = {});

/// Random-sequential dynamics, for any method in the parameters.
std::unique_ptr<AnySimulation> make_sequential(const Parameters& parameters);

}  // namespace tessera::kpz
