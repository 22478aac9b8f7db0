// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <tessera/analysis/estimate.hpp>
#include <tessera/analysis/fourier_modes.hpp>
#include <tessera/core/observable.hpp>
#include <tessera/io/checkpoint.hpp>
#include <tessera/parallel/pieces.hpp>
#include <utility>
#include <vector>

namespace tessera {

/// The current state of a lattice field. `shape`: of one replica, slowest dimension first; `data`: elements of `type`
/// in bytes, row-major, replica by replica, at rank 0. All ranks must read the Gather before the simulation continues.
struct Field {
  std::string name;                  ///< of the group in /fields
  std::string unit;                  ///< empty for pure numbers
  std::vector<std::size_t> shape;    ///< of one replica
  io::ElementType type;              ///< of `data`
  parallel::Gather<std::byte> data;  ///< elements in bytes

  /// From elements of type T.
  template <io::Element T>
  Field(const std::string& its_name, const std::string& its_unit, const std::vector<std::size_t>& its_shape,
        const parallel::Gather<T>& elements)
      : name(its_name),
        unit(its_unit),
        shape(its_shape),
        type(io::element_type_of<T>()),
        data(parallel::in_bytes(elements)) {}

  /// Number of elements of a replica.
  std::size_t size() const { return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>()); }
};

/// A Gather of values that rank 0 has.
inline parallel::Gather<double> gather_of(std::vector<double> values) {
  return [values = std::move(values)](std::size_t first, std::size_t, std::span<double> to) {
    if (!to.empty()) std::copy_n(values.data() + first, to.size(), to.data());
  };
}

/// The current particles of all replicas, in equal periodic boxes in two dimensions with the origin at a corner.
struct ParticleFrame {
  std::string name;                                           ///< of the group in /particles
  std::string unit;                                           ///< of lengths
  std::array<double, 2> box{};                                ///< its sides
  std::vector<std::vector<std::array<double, 2>>> positions;  ///< [replica][particle]
};

/// Interface of a simulation of any method and backend for the run loop. Ranks that share a simulation each have an
/// object and call the same functions in the same order. Results that control the run are the same at all ranks;
/// results for the file and the terminal are complete at rank 0, which alone has the archives.
class SimulationInterface {
 public:
  virtual ~SimulationInterface() = default;

  /// Constructs the initial state, if that can take long, and returns true; returns false, without a state to save, if
  /// keep_going() does. Call it once before advance(), unless the state was loaded.
  virtual bool start(const std::function<bool()>& /*keep_going*/) { return true; }

  /// Runs every replica to the time `until` or to its end, and returns true; returns false earlier, in a consistent
  /// state, if keep_going() does. Interruptions do not change the trajectory.
  virtual bool advance(
      double until, const std::function<bool()>& keep_going = [] { return true; }) = 0;

  /// Whether every replica has reached its end, in time or in work.
  virtual bool finished() const = 0;

  /// Smallest time of all replicas.
  virtual double time() const = 0;
  virtual std::vector<double> times() const = 0;  ///< of each replica

  /// Time of the last event of each replica in which no event is possible any more; infinity for others.
  virtual std::vector<double> absorbed() const {
    return std::vector<double>(times().size(), std::numeric_limits<double>::infinity());
  }
  /// Whether replicas have ended early because no event is possible.
  bool ended_absorbed() const { return finished() && std::isinf(stopping_time()) && work() < stopping_work(); }

  /// Unit of all times: "1/k_2", "MCS", "sweeps".
  virtual std::string time_unit() const = 0;

  /// Time at which the run ends; infinity if only stopping_work() ends it.
  virtual double stopping_time() const = 0;

  /// Number of events (attempts, trial moves) of all replicas so far.
  virtual double work() const = 0;
  /// work() that ends the run.
  virtual double stopping_work() const { return std::numeric_limits<double>::infinity(); }

  /// Unit of work() per wall second: "events/s".
  virtual std::string rate_unit() const = 0;

  /// Measures the current state.
  virtual std::vector<Observable> measure() = 0;

  /// Functions averaged over the samples so far, from about the time `from` on.
  virtual std::vector<AveragedFunction> functions(double /*from*/ = 0) { return {}; }

  /// For dry runs: takes no more samples of functions; returns the wall seconds they would take, estimated from a part.
  virtual double leave_out_functions() { return 0; }

  /// Whether an observable has a meaningful time average in a steady state, unlike counters and growing quantities.
  virtual bool steady(const std::string& /*observable*/) const { return false; }

  /// Rate of a counter in a steady state.
  struct RateOfCounter {
    double per = 0;    ///< divisor, such as the number of sites; 0: no rate
    std::string unit;  ///< of the rate
  };
  /// Of a counter; see RateOfCounter.
  virtual RateOfCounter rate_of_counter(const std::string& /*observable*/) const { return {}; }

  /// Functions of time averages of steady observables.
  virtual std::vector<analysis::FunctionOfMeans> functions_of_averages() const { return {}; }

  /// Equivalent observables of slow fluctuations, such as the real and imaginary parts of a Fourier mode along both
  /// axes. A run in which they relax too slowly is too short for all its averages.
  struct SlowMode {
    std::string name;             ///< for messages
    std::vector<std::string> of;  ///< names of observables, or of quantities of the samples
    double slower;  ///< their autocorrelation time over the slowest one of averages: 2 if these contain their squares

    /// Of a quantity; see add_longest_waves().
    static SlowMode longest_waves(const std::string& quantity) {
      return {"S(k_min) of " + quantity, analysis::names_of_waves(quantity), 2};
    }
  };
  /// Besides order parameters, coverages, roughness, and the samples whose mean is known by symmetry.
  virtual std::vector<SlowMode> slow_modes() const { return {}; }

  /// The table of drain_histories() with samples to be averaged: a row for each replica at each time. The first two
  /// columns are the number of the replica and the time. Without a name: no such table.
  struct SampleTable {
    /// An observable of the rows.
    struct Quantity {
      std::string name, unit;                                 ///< of the observable
      std::function<double(std::span<const double>)> of_row;  ///< its value from the columns of a row
      std::optional<double> mean = {};                        ///< by symmetry; tests stationarity, is not averaged
    };
    std::string name;                  ///< of the table
    std::vector<std::string> columns;  ///< their names
    std::vector<Quantity> quantities;  ///< to be averaged
  };
  virtual SampleTable sample_table() const { return {}; }  ///< see SampleTable

  virtual std::vector<Field> fields() = 0;  ///< of the current state

  virtual std::vector<ParticleFrame> particles() { return {}; }  ///< of the current state
  /// Number of particles of each replica in the frames.
  virtual std::size_t particles_of_replica() const { return 0; }

  /// Returns the rows recorded since the last call, for tables_of().
  virtual std::vector<History> drain_histories() = 0;
  /// The tables of the file, from drained rows of all replicas.
  virtual std::vector<History> tables_of(std::vector<History> drained) const { return drained; }

  /// Writes the whole state. Throws RunError if it is invalid.
  virtual void save(io::CheckpointWriter& checkpoint) const = 0;
  virtual void load(const io::CheckpointReader& checkpoint) = 0;  ///< throws InputError if an entry is invalid

  /// The dimension of a checkpoint entry that numbers the replicas. Empty if the entry belongs to all replicas together
  /// and is the same in simulations of some of them.
  virtual std::optional<std::size_t> replica_dimension(const std::string& /*entry*/) const { return 0; }

  /// Whether all replicas always have the same time.
  virtual bool has_one_time() const { return false; }
};

}  // namespace tessera
