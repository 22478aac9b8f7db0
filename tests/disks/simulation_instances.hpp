// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <functional>
#include <memory>
#include <tessera/disks/configuration.hpp>
#include <tessera/disks/observables/samples.hpp>
#include <tessera/disks/observables/statistics.hpp>
#include <tessera/disks/parameters.hpp>

#include "tests/kmc/memory_archive.hpp"

namespace tessera::disks {

using tessera::testing::MemoryArchive;

/// Simulation on an execution space, compiled once for all tests (simulation_instances.cpp).
class AnySimulation {
 public:
  virtual ~AnySimulation() = default;
  virtual void advance(
      double until, const std::function<bool()>& keep_going = [] { return true; }) = 0;
  virtual bool start(const std::function<bool()>& keep_going) = 0;
  virtual bool finished() const = 0;
  virtual double time() const = 0;
  virtual Geometry geometry() const = 0;
  virtual Configuration configuration() const = 0;
  virtual std::vector<std::vector<Point>> points() const = 0;
  virtual std::vector<double> pair_distribution() const = 0;
  virtual std::vector<Observable> measure() const = 0;
  virtual History drain_history() = 0;
  /// A sample of what is now.
  virtual std::vector<Sample> sample() const = 0;
  virtual void save(MemoryArchive& archive) const = 0;
  virtual void load(const MemoryArchive& archive) = 0;
};

template <class Space>
std::unique_ptr<AnySimulation> make_simulation(const Parameters& p);
template <class Space>
std::unique_ptr<AnySimulation> make_simulation(const Parameters& p, const std::vector<std::vector<Point>>& points);

/// The observable of this name.
inline Observable find(const std::vector<Observable>& all, const std::string& name) {
  for (const Observable& one : all)
    if (one.name == name) return one;
  return {};
}

}  // namespace tessera::disks
