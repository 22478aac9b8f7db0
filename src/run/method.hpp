// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tessera/core/memory.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/parallel/rank_grid.hpp>
#include <vector>

#include "machine/backend.hpp"
#include "options/option_table.hpp"
#include "options/without_effect.hpp"
#include "run/schedule.hpp"
#include "run/simulation_interface.hpp"

namespace tessera::program {

/// Where a run computes: on a backend of this process, or of ranks that share out each system of it.
struct Sharing {
  Backend backend;
  parallel::Communicator ranks = {};
  std::optional<parallel::GridShape> grid = {};  ///< --rank-grid
};

/// What the program must know of a method to run it: its options and how to make its simulation.
class Method {
 public:
  virtual ~Method() = default;

  /// Adds the method's options; they are bound to this object.
  virtual void add_options(OptionTable& table) = 0;

  /// Throws InputError, "--key value: what is allowed", unless the options can be run on this backend.
  virtual void check(Backend backend) const = 0;

  /// The method's options that change nothing beside others of them.
  virtual std::vector<WithoutEffect> without_effect() const = 0;

  /// The algorithm chosen: "tile".
  virtual std::string algorithm() const = 0;

  /// The algorithm runs on one core of the host, whatever the backend.
  virtual bool sequential() const = 0;

  /// What is simulated, for people: "sos, phi = 1, 256 x 256".
  virtual std::string system() const = 0;

  /// What was understood of a model that a file describes, in several lines, for --dry-run; or nothing.
  virtual std::string description() const { return {}; }

  virtual std::uint64_t seed() const = 0;

  /// Independent systems that run together.
  virtual int replicas() const = 0;

  /// The method of a rank that has the replicas first to first + count - 1 of this one. Its simulation does of them
  /// what this one's does of all, and is one of many (SimulationInterface).
  virtual std::unique_ptr<Method> part(Backend backend, int first, int count) const = 0;

  /// Whether ranks can share out each system, and run all of them together on a backend.
  virtual bool can_be_shared(Backend backend) const = 0;

  /// The grid of ranks that share out the systems. Throws InputError if they cannot be cut into so many parts.
  virtual parallel::GridShape rank_grid(const Sharing& sharing) const = 0;

  virtual Schedule schedule() const = 0;

  /// The simulated time to run to; infinity when only a goal in work ends the run.
  virtual double time_goal() const = 0;

  /// What the simulation takes, its start, fields and checkpoints with it; of several ranks one, on the host rank 0.
  /// Throws as rank_grid() does.
  virtual MemoryNeeded memory(const Sharing& sharing) const = 0;

  /// What there is to be said of a run that was begun by an earlier Tessera, with files of this format, and is
  /// continued by this one: where it does not go on as it would have there; or nothing.
  virtual std::string changed_since(int format_version) const {
    static_cast<void>(format_version);
    return {};
  }

  /// The simulation at time 0, of disks before they are placed; needs Kokkos. Several ranks each make one, and call the
  /// same functions of it in the same order.
  virtual std::unique_ptr<SimulationInterface> make_simulation(const Sharing& sharing) const = 0;
};

/// A method by the name that the command line calls it.
struct MethodEntry {
  std::string name;
  std::string summary;
  std::unique_ptr<Method> (*make)();
};

/// The methods of this program.
const std::vector<MethodEntry>& methods();

}  // namespace tessera::program
