// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <tessera/core/history.hpp>
#include <tessera/core/observable.hpp>
#include <tessera/disks/configuration.hpp>
#include <tessera/disks/observables/samples.hpp>
#include <tessera/disks/observables/statistics.hpp>
#include <tessera/disks/parameters.hpp>
#include <tessera/io/checkpoint_reader.hpp>
#include <tessera/io/checkpoint_writer.hpp>
#include <tessera/io/memory_archive.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/rank_grid.hpp>
#include <vector>

namespace tessera::disks {

/// Simulation<Space> or SequentialSimulation, without its type: they take long to compile, and are compiled once for
/// the program, the benchmarks and the tests. The members are those of Simulation.
class AnySimulation {
 public:
  virtual ~AnySimulation() = default;
  virtual bool start(const std::function<bool()>& keep_going) = 0;
  virtual void advance(double until, const std::function<bool()>& keep_going = [] { return true; }) = 0;
  virtual bool finished() const = 0;
  virtual double time() const = 0;
  virtual const std::vector<MoveCount>& moves() const = 0;
  virtual std::size_t bytes() const = 0;
  virtual Point box() const = 0;
  virtual std::vector<std::vector<Point>> points() const = 0;
  virtual std::vector<double> pair_distribution() const = 0;
  virtual std::vector<Observable> measure() const = 0;
  virtual History drain_history() = 0;
  virtual void save(io::CheckpointWriter& checkpoint) const = 0;
  virtual void save(io::MemoryArchive& archive) const = 0;
  virtual void load(const io::CheckpointReader& checkpoint) = 0;
  virtual void load(const io::MemoryArchive& archive) = 0;
};

/// Simulation<Space>, which has cells.
class AnyParallelSimulation : public AnySimulation {
 public:
  virtual Geometry geometry() const = 0;
  virtual Configuration configuration() const = 0;
  virtual std::vector<Sample> sample() const = 0;
};

// Defined for every execution space that this Kokkos has: from the start of the parameters; or from these points,
// without points before start() or load(). `ranks` share out the cells, on a grid that is chosen unless it is given.

template <class Space>
std::unique_ptr<AnyParallelSimulation> make_simulation(const Parameters& parameters);
template <class Space>
std::unique_ptr<AnyParallelSimulation> make_simulation(const Parameters& parameters,
                                                       const std::vector<std::vector<Point>>& points,
                                                       const parallel::Communicator& ranks = {},
                                                       const std::optional<parallel::GridShape>& grid = {});

/// Sequential Metropolis, likewise.
std::unique_ptr<AnySimulation> make_sequential(const Parameters& parameters);
std::unique_ptr<AnySimulation> make_sequential(const Parameters& parameters,
                                               const std::vector<std::vector<Point>>& points);

}  // namespace tessera::disks
