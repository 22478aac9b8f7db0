// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <tessera/core/history.hpp>
#include <tessera/core/observable.hpp>
#include <tessera/parallel/pieces.hpp>
#include <variant>
#include <vector>

namespace tessera::io {
class CheckpointReader;
class CheckpointWriter;
}  // namespace tessera::io

namespace tessera::program {

/// A lattice field now: `shape` is that of one replica, slowest dimension first; `data` is row-major, replica by
/// replica, at rank 0. What is read in parts, by all ranks, is read before the simulation goes on.
struct Field {
  std::string name;
  std::string unit;
  std::vector<std::size_t> shape;
  std::variant<std::vector<double>, parallel::Gather<std::int8_t>, parallel::Gather<std::int16_t>,
               parallel::Gather<std::int32_t>, parallel::Gather<std::uint8_t>, parallel::Gather<std::uint16_t>,
               parallel::Gather<std::uint32_t>>
      data;
};

/// Particles now, of all replicas in boxes of the same sides, periodic, in two dimensions with the origin at a corner.
struct ParticleFrame {
  std::string name;
  std::string unit;
  std::array<double, 2> box{};
  std::vector<std::vector<std::array<double, 2>>> positions;  ///< [replica][particle]
};

/// What the run loop needs of a simulation, whatever its method and backend. Where ranks compute it together each has
/// one, and all call the same functions in the same order: what decides how to go on is the same at all of them, what
/// goes to the file and the terminal is complete at rank 0, which alone has the archives.
class SimulationInterface {
 public:
  virtual ~SimulationInterface() = default;

  /// Makes what a run begins with, where that can take long, and returns true; or false, without a state to save, when
  /// keep_going() is false. Called once before advance(), unless the state was loaded.
  virtual bool start(const std::function<bool()>& keep_going) {
    static_cast<void>(keep_going);
    return true;
  }

  /// Runs every replica to time `until` or to its own goal and returns true; or stops earlier, at a consistent state,
  /// when keep_going() is false, and returns false. Where it is interrupted does not change the trajectory.
  virtual bool advance(
      double until, const std::function<bool()>& keep_going = [] { return true; }) = 0;

  /// Every replica has reached its goal, in time or in work.
  virtual bool finished() const = 0;

  /// The smallest time of all replicas, and the time of each.
  virtual double time() const = 0;
  virtual std::vector<double> times() const = 0;

  /// The unit of all times: "1/k_2", "MCS", "sweeps".
  virtual std::string time_unit() const = 0;

  /// The time to run to; infinity when only work_goal() ends the run.
  virtual double time_goal() const = 0;

  /// Events (attempts, trial moves) done so far by all replicas together, and how many make the run complete or
  /// infinity.
  virtual double work() const = 0;
  virtual double work_goal() const = 0;

  /// The unit of work() per wall second: "events/s".
  virtual std::string rate_unit() const = 0;

  /// What is measured now.
  virtual std::vector<Observable> measure() = 0;

  /// Whether an observable, by its name, is one of a steady state, of which a mean over time tells something: no
  /// counter, nothing that grows, no mean over time already.
  virtual bool steady(const std::string& observable) const {
    static_cast<void>(observable);
    return false;
  }

  /// Of a counter, by its name, the unit of the rate at which it grows, and what this rate is per, such as the number
  /// of sites; 0: no counter whose rate is one of a steady state.
  struct RateOfCounter {
    double per = 0;
    std::string unit;
  };
  virtual RateOfCounter rate_of_counter(const std::string& observable) const {
    static_cast<void>(observable);
    return {};
  }

  virtual std::vector<Field> fields() = 0;

  virtual std::vector<ParticleFrame> particles() { return {}; }
  /// How many the frames have of each replica.
  virtual std::size_t particles_of_replica() const { return 0; }

  /// The rows recorded since the last call, for join_histories().
  virtual std::vector<History> drain_histories() = 0;

  virtual void save(io::CheckpointWriter& checkpoint) const = 0;
  virtual void load(const io::CheckpointReader& checkpoint) = 0;

  /// Makes of what simulations that each have some of the replicas, one after the other, have drained the history of
  /// all replicas, also of a simulation that has them all. `first[i]`: number of the first replica of simulation i.
  virtual std::vector<History> join_histories(const std::vector<std::vector<History>>& histories,
                                              const std::vector<int>& first) const = 0;

  // Of one of several such simulations:

  /// The dimension of an entry of the checkpoint that numbers the replicas; nothing if it is of all of them together,
  /// and the same in each of the simulations.
  virtual std::optional<std::size_t> replica_dimension(const std::string& entry) const {
    static_cast<void>(entry);
    return 0;
  }

  /// All replicas are always at the same time.
  virtual bool has_one_time() const { return false; }

  /// Memory that the state takes where it is computed, in bytes.
  virtual std::size_t bytes() const = 0;
};

}  // namespace tessera::program
