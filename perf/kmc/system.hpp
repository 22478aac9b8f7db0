// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <tessera/kmc/parameters.hpp>

#include "cases.hpp"
#include "tests/io/memory_archive.hpp"

namespace tessera::perf {

using Archive = io::MemoryArchive;

/// Counts of a simulation since time 0, summed over its replicas.
struct Counts {
  std::uint64_t events = 0;    ///< events of accepted steps, each counted once
  std::uint64_t steps = 0;     ///< accepted and rejected steps; 0 for a method without steps
  std::uint64_t rejected = 0;  ///< steps
  std::uint64_t repaired = 0;  ///< repaired tiles
};

/// Simulation of a case: the tile method on its space, or a sequential method.
class KmcSystem {
 public:
  virtual ~KmcSystem() = default;
  /// Continues until all replicas have reached the number of events, or keep_going() returns false. It is called at
  /// least every 100 ms or after a few steps, by a sequential method every 1e5 events; counts() is up to date then. The
  /// device is idle on return.
  virtual void run(const std::function<bool()>& keep_going) = 0;
  virtual Counts counts() const = 0;
  virtual void save(Archive& archive) const = 0;
  /// Continues from a state saved by the tile method, with the same model, size and seeds.
  virtual void load(const Archive& state) = 0;
  virtual std::size_t bytes() const = 0;
  virtual double tiles() const = 0;  ///< of all replicas; 0 for a method without
};

std::unique_ptr<KmcSystem> make_kmc_system(const KmcCase& c, const kmc::Parameters& parameters);

}  // namespace tessera::perf
