// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <tessera/io/memory_archive.hpp>
#include <tessera/kmc/models.hpp>
#include <tessera/kmc/parameters.hpp>

#include "cases.hpp"
#include "simulations/kmc.hpp"

namespace tessera::perf {

using Archive = io::MemoryArchive;

/// What a simulation has done since its time 0, summed over its replicas.
struct Counts {
  std::uint64_t events = 0;    ///< each counted once, in accepted steps
  std::uint64_t steps = 0;     ///< accepted and rejected; 0 for a method without steps
  std::uint64_t rejected = 0;  ///< steps
  std::uint64_t repaired = 0;  ///< tiles that were run again
};

/// The simulation of a case: the tile method on its space, or a sequential method.
class KmcSystem {
 public:
  KmcSystem(const KmcCase& c, const kmc::Parameters& parameters);

  /// Goes on until all replicas have had their number of events, or keep_going() is false. It is asked at least every
  /// 100 ms or after a few steps, by a sequential method every 1e5 events; counts() is up to date then. All work is
  /// done when run() returns.
  void run(const std::function<bool()>& keep_going);
  Counts counts() const;
  void save(Archive& archive) const { simulation_->save(archive); }
  /// Goes on from a surface that the tile method has saved, of the same phi, size and seeds.
  void load(const Archive& surface);
  std::size_t bytes() const { return simulation_->bytes(); }
  double tiles() const;  ///< of all replicas; 0 for a method without

 private:
  std::unique_ptr<kmc::AnySimulation<kmc::SolidOnSolid>> simulation_;
  const kmc::AnyTileMethod<kmc::SolidOnSolid>* tiles_ = nullptr;  ///< the same, if it is one
};

}  // namespace tessera::perf
