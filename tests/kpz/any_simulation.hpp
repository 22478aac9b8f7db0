// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tessera/kpz/observables/observable.hpp>
#include <tessera/kpz/parameters.hpp>
#include <utility>
#include <vector>

#include "tests/kmc/memory_archive.hpp"

namespace tessera::testing {

/// kpz::Simulation<Space> or kpz::Sequential without its type, compiled once for all tests.
class AnySimulation {
 public:
  virtual ~AnySimulation() = default;
  virtual void advance(
      double until, const std::function<bool()>& keep_going = [] { return true; }) = 0;
  virtual double time() const = 0;
  virtual double attempts() const = 0;
  virtual std::vector<kpz::Observable> measure() = 0;
  virtual std::vector<kpz::EffectiveExponent> drain_exponents() = 0;
  virtual std::vector<std::uint32_t> words() const = 0;
  virtual std::vector<std::int32_t> heights() const = 0;
  virtual std::uint64_t inconsistencies() const = 0;
  virtual std::size_t bytes() const = 0;
  virtual void save(MemoryArchive& archive) const = 0;
  virtual void load(const MemoryArchive& archive) = 0;

  /// The values of an observable, by replica.
  std::vector<double> values(const std::string& name) {
    for (const auto& observable : measure())
      if (observable.name == name) return observable.values;
    return {};
  }
};

/// For systems too small to be shared out among threads.
#if defined(KOKKOS_ENABLE_SERIAL)
using OneThread = Kokkos::Serial;
#else
using OneThread = Kokkos::DefaultHostExecutionSpace;
#endif

/// Defined for every execution space.
template <class Space>
std::unique_ptr<AnySimulation> make_simulation(const kpz::Parameters& p);

std::unique_ptr<AnySimulation> make_sequential(const kpz::Parameters& p);

/// How often each site has been attempted in `intervals` intervals on the default host space, [ny, nx], and the time.
std::pair<std::vector<std::uint32_t>, double> attempts_of_sites(const kpz::Parameters& p, int intervals);

}  // namespace tessera::testing
