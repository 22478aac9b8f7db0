// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <tessera/core/observable.hpp>
#include <tessera/io/checkpoint_reader.hpp>
#include <tessera/io/checkpoint_writer.hpp>
#include <tessera/io/memory_archive.hpp>
#include <tessera/kpz/observables/effective_exponent.hpp>
#include <tessera/kpz/parameters.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/rank_grid.hpp>
#include <vector>

namespace tessera::kpz {

/// Simulation<Space> or Sequential, without its type: they take long to compile, and are compiled once for the program,
/// the benchmarks and the tests. The members are those of Simulation.
class AnySimulation {
 public:
  virtual ~AnySimulation() = default;
  virtual void advance(double until, const std::function<bool()>& keep_going = [] { return true; }) = 0;
  virtual double time() const = 0;
  virtual double attempts() const = 0;
  virtual std::size_t bytes() const = 0;
  virtual std::vector<Observable> measure() = 0;
  virtual std::vector<EffectiveExponent> drain_exponents() = 0;
  virtual std::vector<QuantityChange> drain_changes() = 0;
  virtual std::uint64_t inconsistencies() const = 0;
  virtual std::vector<std::uint32_t> words() const = 0;
  virtual std::vector<std::int32_t> heights() const = 0;
  /// The same, to be read part by part, as io::Parts are.
  virtual std::function<void(std::size_t first, std::span<std::int32_t> part)> height_parts() const = 0;
  /// What ranks other than 0 call instead: returns when that of rank 0 is gone.
  virtual void serve_heights() const = 0;
  virtual void save(io::CheckpointWriter& checkpoint) const = 0;
  virtual void save(io::MemoryArchive& archive) const = 0;
  virtual void load(const io::CheckpointReader& checkpoint) = 0;
  virtual void load(const io::MemoryArchive& archive) = 0;
};

/// Defined for every execution space that this Kokkos has. `ranks` share out the lattice, on a grid that is chosen
/// unless it is given.
template <class Space>
std::unique_ptr<AnySimulation> make_simulation(const Parameters& parameters, const parallel::Communicator& ranks = {},
                                               const std::optional<parallel::GridShape>& grid = {});

/// Random-sequential dynamics, whatever the method of the parameters.
std::unique_ptr<AnySimulation> make_sequential(const Parameters& parameters);

}  // namespace tessera::kpz
