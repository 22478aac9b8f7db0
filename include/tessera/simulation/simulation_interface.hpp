// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <tessera/analysis/estimate.hpp>
#include <tessera/core/history.hpp>
#include <tessera/core/observable.hpp>
#include <tessera/parallel/pieces.hpp>
#include <utility>
#include <variant>
#include <vector>

namespace tessera::io {
class CheckpointReader;
class CheckpointWriter;
}  // namespace tessera::io

namespace tessera {

/// The present state of a lattice field. `shape` is that of one replica, slowest dimension first; `data` is row-major,
/// replica by replica, at rank 0. A Gather must be read, by all ranks, before the simulation continues.
struct Field {
  std::string name;
  std::string unit;
  std::vector<std::size_t> shape;
  std::variant<parallel::Gather<double>, parallel::Gather<std::int8_t>, parallel::Gather<std::int16_t>,
               parallel::Gather<std::int32_t>, parallel::Gather<std::uint8_t>, parallel::Gather<std::uint16_t>,
               parallel::Gather<std::uint32_t>, parallel::Gather<std::int64_t>>
      data;
};

/// Values that are complete at rank 0 as such an array.
inline parallel::Gather<double> gather_of(std::vector<double> values) {
  return [values = std::move(values)](std::size_t first, std::size_t, std::span<double> to) {
    if (!to.empty()) std::copy_n(values.data() + first, to.size(), to.data());
  };
}

/// The present particles of all replicas, in periodic boxes of equal sides, in two dimensions with the origin at a
/// corner.
struct ParticleFrame {
  std::string name;
  std::string unit;
  std::array<double, 2> box{};
  std::vector<std::vector<std::array<double, 2>>> positions;  ///< [replica][particle]
};

/// Interface of a simulation of any method and backend for the run loop. If ranks share a simulation, each has an
/// object and all call the same functions in the same order. Results that control the run are the same at all ranks;
/// results for the file and the terminal are complete at rank 0, which alone has the archives.
class SimulationInterface {
 public:
  virtual ~SimulationInterface() = default;

  /// Constructs the initial state, if that can take long, and returns true. Returns false, without a state to save, if
  /// keep_going() returns false. Call it once before advance(), unless the state was loaded.
  virtual bool start(const std::function<bool()>& /*keep_going*/) { return true; }

  /// Runs every replica to the time `until` or to its stopping time, and returns true. Returns false earlier, in a
  /// consistent state, if keep_going() returns false. Interruptions do not change the trajectory.
  virtual bool advance(
      double until, const std::function<bool()>& keep_going = [] { return true; }) = 0;

  /// Whether every replica has reached its end, in time or in work.
  virtual bool finished() const = 0;

  /// Smallest time of all replicas, and the time of each.
  virtual double time() const = 0;
  virtual std::vector<double> times() const = 0;

  /// Time of the last event of each replica in which no event is possible any more; infinity for the others.
  virtual std::vector<double> absorbed() const {
    return std::vector<double>(times().size(), std::numeric_limits<double>::infinity());
  }
  /// Whether replicas have ended because no event is possible in them, before the stopping time.
  bool ended_absorbed() const { return finished() && std::isinf(time_goal()) && work() < work_goal(); }

  /// Unit of all times: "1/k_2", "MCS", "sweeps".
  virtual std::string time_unit() const = 0;

  /// Time at which the run ends; infinity if only work_goal() ends it.
  virtual double time_goal() const = 0;

  /// Number of events (attempts, trial moves) of all replicas so far, and the number at which the run is complete, or
  /// infinity.
  virtual double work() const = 0;
  virtual double work_goal() const { return std::numeric_limits<double>::infinity(); }

  /// Unit of work() per wall second: "events/s".
  virtual std::string rate_unit() const = 0;

  /// Measures the present state.
  virtual std::vector<Observable> measure() = 0;

  /// Functions averaged over the samples so far that are later than about the time `from`.
  virtual std::vector<AveragedFunction> functions(double /*from*/ = 0) { return {}; }

  /// For dry runs: takes no samples of functions from now on. Returns the wall seconds of those that are left to the
  /// stopping time, estimated from a part of one.
  virtual double leave_out_functions() { return 0; }

  /// Whether an observable has a meaningful time average in a steady state: false for counters, for growing quantities
  /// and for averages over time.
  virtual bool steady(const std::string& /*observable*/) const { return false; }

  /// Rate of a counter in a steady state: its unit, and the divisor that normalises it, such as the number of sites; 0:
  /// no such rate.
  struct RateOfCounter {
    double per = 0;
    std::string unit;
  };
  virtual RateOfCounter rate_of_counter(const std::string& /*observable*/) const { return {}; }

  /// Functions of averages over time of steady observables.
  virtual std::vector<analysis::FunctionOfMeans> functions_of_averages() const { return {}; }

  /// The table of drain_histories() that has samples, which are averaged: a row for each replica at each time. The
  /// first two of the columns are the number of the replica and the time. No name: there is none.
  struct SampleTable {
    struct Quantity {
      std::string name, unit;
      std::function<double(std::span<const double>)> of_row;
      std::optional<double> mean = {};  ///< that it has by symmetry; it is then judged, not averaged
    };
    std::string name;
    std::vector<std::string> columns;
    std::vector<Quantity> quantities;
  };
  virtual SampleTable sample_table() const { return {}; }

  virtual std::vector<Field> fields() = 0;

  virtual std::vector<ParticleFrame> particles() { return {}; }
  /// Number of particles of each replica in the frames.
  virtual std::size_t particles_of_replica() const { return 0; }

  /// Returns the rows recorded since the last call, for tables_of().
  virtual std::vector<History> drain_histories() = 0;
  /// The tables of the file, from drained rows of all replicas.
  virtual std::vector<History> tables_of(std::vector<History> drained) const { return drained; }

  /// Write and read the whole state. Throw InputError if an entry is invalid, and RunError if the state is.
  virtual void save(io::CheckpointWriter& checkpoint) const = 0;
  virtual void load(const io::CheckpointReader& checkpoint) = 0;

  // For one of several such simulations:

  /// Dimension of a checkpoint entry that numbers the replicas; empty if the entry is of all replicas together and the
  /// same in each simulation.
  virtual std::optional<std::size_t> replica_dimension(const std::string& /*entry*/) const { return 0; }

  /// Whether all replicas always have the same time.
  virtual bool has_one_time() const { return false; }

  /// Size of the state in bytes in the memory of the backend.
  virtual std::size_t bytes() const = 0;
};

}  // namespace tessera
