// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <tessera/kmc/parameters.hpp>

#include "cases.hpp"
#include "tests/kmc/memory_archive.hpp"

namespace tessera::perf {

using Archive = tessera::testing::MemoryArchive;

/// What a simulation has done since its time 0, summed over its replicas.
struct Counts {
  std::uint64_t events = 0;    ///< each counted once, in accepted steps
  std::uint64_t steps = 0;     ///< accepted and rejected; 0 for a method without steps
  std::uint64_t rejected = 0;  ///< steps
  std::uint64_t repaired = 0;  ///< tiles that were run again
};

/// Any of the simulations, as the benchmarks see it.
class KmcSystem {
 public:
  virtual ~KmcSystem() = default;
  /// Goes on until all replicas have had their number of events, or keep_going() is false. It is asked at least every
  /// 100 ms or after a few steps; counts() is up to date then. All work is done when run() returns.
  virtual void run(const std::function<bool()>& keep_going) = 0;
  virtual Counts counts() const = 0;
  virtual void save(Archive& archive) const = 0;
  /// Goes on from a surface that the tile method has saved, of the same phi, size and seeds.
  virtual void load(const Archive& surface) = 0;
  virtual std::size_t bytes() const = 0;
  virtual double tiles() const = 0;  ///< of all replicas; 0 for a method without
};

/// The method of the case, on its space.
std::unique_ptr<KmcSystem> make_system(const KmcCase& c, const kmc::Parameters& parameters);

/// The method of the parameters, which is a sequential one.
std::unique_ptr<KmcSystem> make_sequential(const kmc::Parameters& parameters);

// The tile method on an execution space; those that this Kokkos has are defined.
std::unique_ptr<KmcSystem> make_tile_serial(const kmc::Parameters& parameters);
std::unique_ptr<KmcSystem> make_tile_openmp(const kmc::Parameters& parameters);
std::unique_ptr<KmcSystem> make_tile_cuda(const kmc::Parameters& parameters);

}  // namespace tessera::perf
