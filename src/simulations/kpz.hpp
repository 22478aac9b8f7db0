// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <tessera/analysis/cumulants.hpp>
#include <tessera/io/memory_archive.hpp>
#include <tessera/kpz/observables/effective_exponent.hpp>
#include <tessera/kpz/parameters.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/rank_grid.hpp>
#include <vector>

#include "run/simulation_interface.hpp"

namespace tessera::kpz {

/// Interface of the simulations of kpz for the run loop, the benchmarks and the tests.
class AnySimulation : public program::SimulationInterface {
 public:
  using SimulationInterface::load;
  using SimulationInterface::save;
  virtual void save(io::MemoryArchive& archive) const = 0;
  virtual void load(const io::MemoryArchive& archive) = 0;
  virtual double attempts() const = 0;
  virtual const Parameters& parameters() const = 0;
  virtual std::vector<EffectiveExponent> drain_exponents() = 0;
  virtual std::uint64_t inconsistencies() const = 0;
  virtual std::vector<std::uint32_t> words() const = 0;
  virtual std::vector<std::int32_t> heights() const = 0;

  bool finished() const override { return time() >= parameters().steps; }
  std::vector<double> times() const override {
    return std::vector<double>(static_cast<std::size_t>(parameters().replicas), time());
  }
  std::string time_unit() const override { return "MCS"; }
  double time_goal() const override { return parameters().steps; }
  double work() const override { return attempts(); }
  double work_goal() const override { return std::numeric_limits<double>::infinity(); }
  std::string rate_unit() const override { return "attempts/s"; }
  bool steady(const std::string& observable) const override;
  std::vector<analysis::FunctionOfMeans> functions_of_averages() const override {
    return analysis::cumulants_of_averages();
  }
  std::optional<std::size_t> replica_dimension(const std::string& entry) const override;
  bool has_one_time() const override { return true; }

  /// For each quantity, the values of all replicas from which its effective exponent is computed; see join_histories().
  std::vector<History> drain_histories() override;
  /// Tables of effective exponents: beta_eff, lambda_eff_height_S, lambda_eff_slope_S, each for all replicas together.
  std::vector<History> join_histories(const std::vector<std::vector<History>>& histories,
                                      const std::vector<int>& first) const override;

 protected:
  virtual std::vector<QuantityChange> drain_changes() = 0;
};

/// Defined for all built execution spaces. `ranks` divide the lattice on `grid`, or on the grid with the shortest
/// borders.
template <class Space>
std::unique_ptr<AnySimulation> make_simulation(const Parameters& parameters, const parallel::Communicator& ranks = {},
                                               const std::optional<parallel::GridShape>& grid = {});

/// Random-sequential dynamics, for any method in the parameters.
std::unique_ptr<AnySimulation> make_sequential(const Parameters& parameters);

}  // namespace tessera::kpz
