// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tessera/analysis/moments.hpp>
#include <tessera/kpz/parameters.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/rank_grid.hpp>
#include <tessera/simulation/simulation_interface.hpp>
#include <vector>

namespace tessera::kpz {

/// Interface of the simulations of kpz.
class AnySimulation : public SimulationInterface {
 public:
  virtual double attempts() const = 0;               ///< of all replicas since time 0
  virtual const Parameters& parameters() const = 0;  ///< as given
  /// See count_inconsistencies().
  virtual std::uint64_t inconsistencies() const = 0;
  /// Bits of all replicas, [replicas, ny, words of a row]; see Lattice.
  virtual std::vector<std::uint32_t> words() const = 0;
  /// Heights of all replicas in layers, [replicas, ny, nx].
  virtual std::vector<std::int32_t> heights() const = 0;
  virtual parallel::Gather<std::int32_t> height_parts() const = 0;  ///< heights() in parts

  bool finished() const override { return time() >= parameters().steps; }
  std::vector<double> times() const override {
    return std::vector<double>(static_cast<std::size_t>(parameters().replicas), time());
  }
  std::string time_unit() const override { return "MCS"; }
  double stopping_time() const override { return parameters().steps; }
  double work() const override { return attempts(); }
  std::string rate_unit() const override { return "attempts/s"; }
  bool steady(const std::string& observable) const override;
  std::vector<analysis::FunctionOfMeans> functions_of_averages() const override {
    return analysis::cumulants_of_averages();
  }
  std::vector<SlowMode> slow_modes() const override { return {SlowMode::longest_waves("height")}; }
  std::optional<std::size_t> replica_dimension(const std::string& entry) const override;
  std::vector<Field> fields() override {
    const Parameters& p = parameters();
    return {{"height", "layers", {static_cast<std::size_t>(p.ny), static_cast<std::size_t>(p.nx)}, height_parts()}};
  }
  bool has_one_time() const override { return true; }

  /// Effective exponents (equation 8) of all replicas together, from Observer::drain_changes(): beta_eff of W^2 ~ t^(2
  /// beta), and lambda / z of C ~ t^(-lambda / z) for heights and slopes: lambda_eff_height_S, lambda_eff_slope_S.
  std::vector<History> tables_of(std::vector<History> drained) const override;
};

/// See the constructor of Simulation. The library tessera_simulations defines this function.
template <class Space>
std::unique_ptr<AnySimulation> make_simulation(const Parameters& parameters, const parallel::Communicator& ranks = {},
                                               const std::optional<parallel::GridShape>& grid = {});

/// Random-sequential dynamics, for any method in the parameters.
std::unique_ptr<AnySimulation> make_sequential(const Parameters& parameters);

}  // namespace tessera::kpz
