// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <tessera/core/history.hpp>
#include <tessera/core/observable.hpp>
#include <tessera/io/checkpoint_reader.hpp>
#include <tessera/io/checkpoint_writer.hpp>
#include <tessera/io/memory_archive.hpp>
#include <tessera/kmc/kernels/window_frame.hpp>
#include <tessera/kmc/model.hpp>
#include <tessera/kmc/parameters.hpp>
#include <tessera/kmc/step_state.hpp>
#include <tessera/kmc/tile_sizes.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/rank_grid.hpp>
#include <vector>

namespace tessera::kmc {

/// Any of the simulations of kmc, without its type: they take long to compile, and are compiled once for the program,
/// the benchmarks and the tests. The members are those of Simulation.
template <Model M>
class AnySimulation {
 public:
  virtual ~AnySimulation() = default;
  virtual void advance(double until, const std::function<bool()>& keep_going = [] { return true; }) = 0;
  virtual bool finished() const = 0;
  virtual double time() const = 0;
  virtual std::vector<double> times() const = 0;
  virtual std::vector<std::uint64_t> events() const = 0;
  virtual const Parameters& parameters() const = 0;
  virtual std::size_t bytes() const = 0;
  virtual std::vector<Observable> measure() const = 0;
  virtual History drain_history() = 0;
  virtual std::vector<typename M::State> states() const = 0;
  /// The states, to be read part by part, as io::Parts are.
  virtual std::function<void(std::size_t first, std::span<typename M::State> part)> state_parts() const = 0;
  /// What ranks other than 0 call instead: returns when that of rank 0 is gone.
  virtual void serve_states() const = 0;
  virtual void save(io::CheckpointWriter& checkpoint) const = 0;
  virtual void save(io::MemoryArchive& archive) const = 0;
  virtual void load(const io::CheckpointReader& checkpoint) = 0;
  virtual void load(const io::MemoryArchive& archive) = 0;
};

/// Simulation<Space, M>, and of its TileSteps what tests set.
template <Model M>
class AnyTileMethod : public AnySimulation<M> {
 public:
  virtual const std::vector<StepState>& step_states() const = 0;
  virtual const TileSizes& tile_sizes() const = 0;
  virtual std::vector<double> waiting_times() const = 0;
  virtual std::vector<std::uint64_t> streams() const = 0;
  virtual void begin_in_order(EventOrder order) = 0;
  virtual void check_only(unsigned side_mask) = 0;
};

/// Defined for every execution space that this Kokkos has and for the models that ship. `ranks` share out the lattice,
/// on a grid that is chosen unless it is given.
template <class Space, Model M>
std::unique_ptr<AnyTileMethod<M>> make_tile_method(const Parameters& parameters, const M& model,
                                                   const parallel::Communicator& ranks = {},
                                                   const std::optional<parallel::GridShape>& grid = {});

// The sequential methods, defined for the models that ship.

template <Model M>
std::unique_ptr<AnySimulation<M>> make_bkl(const Parameters& parameters, const M& model);
template <Model M>
std::unique_ptr<AnySimulation<M>> make_waiting_time(const Parameters& parameters, const M& model);

}  // namespace tessera::kmc
