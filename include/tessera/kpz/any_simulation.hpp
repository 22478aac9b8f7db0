// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tessera/analysis/cumulants.hpp>
#include <tessera/kpz/parameters.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/rank_grid.hpp>
#include <tessera/simulation/simulation_interface.hpp>
#include <vector>

namespace tessera::kpz {

/// Interface of the simulations of kpz for the run loop, the benchmarks and the tests.
class AnySimulation : public SimulationInterface {
 public:
  virtual double attempts() const = 0;
  virtual const Parameters& parameters() const = 0;
  /// Number of violated conditions for the bits to be those of a surface.
  virtual std::uint64_t inconsistencies() const = 0;
  /// Bits of all replicas, [replicas, ny, words of a row]; see Lattice.
  virtual std::vector<std::uint32_t> words() const = 0;
  /// Heights of all replicas in layers, [replicas, ny, nx], see shared_heights(); and the same to be read part by part.
  virtual std::vector<std::int32_t> heights() const = 0;
  virtual parallel::Gather<std::int32_t> height_parts() const = 0;

  bool finished() const override { return time() >= parameters().steps; }
  std::vector<double> times() const override {
    return std::vector<double>(static_cast<std::size_t>(parameters().replicas), time());
  }
  std::string time_unit() const override { return "MCS"; }
  double time_goal() const override { return parameters().steps; }
  double work() const override { return attempts(); }
  std::string rate_unit() const override { return "attempts/s"; }
  bool steady(const std::string& observable) const override;
  std::vector<analysis::FunctionOfMeans> functions_of_averages() const override {
    return analysis::cumulants_of_averages();
  }
  std::optional<std::size_t> replica_dimension(const std::string& entry) const override;
  std::vector<Field> fields() override {
    const Parameters& p = parameters();
    std::vector<Field> fields(1);
    fields[0] = {"height", "layers", {static_cast<std::size_t>(p.ny), static_cast<std::size_t>(p.nx)}, height_parts()};
    return fields;
  }
  bool has_one_time() const override { return true; }

  /// Tables of effective exponents (equation 8), each for all replicas together: beta_eff of "roughness" (W^2 ~
  /// t^(2 beta)), and lambda_eff / z of autocorrelations (C ~ t^(-lambda / z)), lambda_eff_height_S and
  /// lambda_eff_slope_S. `drained`: see Observer::drain_changes().
  std::vector<History> tables_of(std::vector<History> drained) const override;
};

/// Defined for all built execution spaces by the library tessera_simulations. `ranks` divide the lattice on `grid`, or
/// on the grid with the shortest borders.
template <class Space>
std::unique_ptr<AnySimulation> make_simulation(const Parameters& parameters, const parallel::Communicator& ranks = {},
                                               const std::optional<parallel::GridShape>& grid = {});

/// Random-sequential dynamics, for any method in the parameters.
std::unique_ptr<AnySimulation> make_sequential(const Parameters& parameters);

}  // namespace tessera::kpz
