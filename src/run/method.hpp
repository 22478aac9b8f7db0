// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <tessera/core/error.hpp>
#include <tessera/parallel/distribution.hpp>
#include <tessera/simulation/simulation_interface.hpp>
#include <utility>
#include <vector>

#include "machine/backend.hpp"
#include "machine/machine.hpp"
#include "options/json.hpp"
#include "options/read_options.hpp"
#include "run/known_bias.hpp"
#include "run/schedule.hpp"

namespace tessera::program {

/// A method of the program: its options and the construction of its simulation.
class Method {
 public:
  virtual ~Method() = default;

  /// Adds the method's options; they are bound to this object.
  virtual void add_options(OptionTable& table) = 0;

  /// A restart of a run whose parameters (Option::can_change) have changed last at this time; 0: never. `now`: this
  /// restart changes them, so that the state of the checkpoint is one of other rates.
  virtual void parameters_changed(double /*time*/, bool /*now*/) {}

  /// Called for new runs before check(): if averages are required, and no interval between measurements is given,
  /// chooses one with some 1000 measurements.
  virtual void choose_interval() {}

  /// Collective, called before check(): what the options need of the files that they name, from rank 0.
  virtual void read_files(const parallel::Communicator& /*ranks*/) {}

  /// Called before check(): the number of threads of all ranks on a host, or 0 if ranks share systems.
  virtual void use_cores(int) {}

  /// Whether these cores of a host are faster than a GPU.
  virtual bool is_faster_on_host(int /*cores*/) const { return false; }

  /// Number of these threads that the method can use on a backend.
  virtual int useful_threads(Backend, int threads) const { return threads; }

  /// Throws InputError, "--key value: what is allowed", if the options cannot be run on this backend.
  virtual void check(Backend backend) const = 0;

  /// The method's options without effect, given the values of its other options.
  virtual std::vector<WithoutEffect> without_effect() const = 0;

  /// Known deviations of observables that the algorithm chosen has.
  virtual std::vector<KnownBias> known_biases() const { return {}; }

  /// The algorithm chosen: "tile".
  virtual std::string algorithm() const = 0;

  /// Whether the algorithm runs on one core of the host, independently of the backend.
  virtual bool sequential() const = 0;

  /// Description of the system: "sos, phi = 1, 256 x 256".
  virtual std::string system() const = 0;

  /// What readers of an output file need of the model: `method` and `title`, names for captions; `parameters`, those
  /// of the model, with `symbol` and `unit`; `without_effect`, those of other models; the unit cell, as io::UnitCell
  /// reads it, with the `position` of each site; of a model from a file `colours` of species; `processes`, each with
  /// `name`, `step`, `reverse` (its own name if it is that), `sites`, and whether it is `possible`; and `description`,
  /// lines for --dry-run. The events of steps are counted in observables events_STEP.
  virtual Json model() const = 0;

  /// Values at a time of the parameters of a model that change with time, and of those in this set.
  virtual std::vector<std::pair<std::string, double>> changing_parameters(
      double /*time*/, const std::set<std::string>& /*others*/) const {
    return {};
  }

  /// Part of the help after the options: the list of models, or details of the model if one is `chosen`.
  virtual std::string help_of_models(bool /*chosen*/) const { return {}; }

  virtual std::uint64_t seed() const = 0;

  /// Number of independent systems that run together.
  virtual int replicas() const = 0;

  /// The method for a rank that has replicas first to first + count - 1 of this one. Its simulation equals the part of
  /// this one's for these replicas, and is one of several (SimulationInterface).
  virtual std::unique_ptr<Method> part(Backend backend, int first, int count) const = 0;

  /// Whether ranks can share each system, and run them together on a backend.
  virtual bool can_be_shared(Backend backend) const = 0;

  /// The blocks of the ranks that share the systems. Throws InputError if these cannot be divided among the ranks.
  virtual parallel::Distribution distribution(const Execution& execution) const = 0;

  virtual Schedule schedule() const = 0;

  /// The largest entry of its checkpoints, and the number of its elements.
  virtual std::pair<std::string, std::int64_t> largest_entry() const = 0;

  /// Simulated time to run to; infinity if only the amount of work ends the run.
  virtual double stopping_time() const = 0;

  /// Memory of the simulation, with start, fields and checkpoints; with several ranks that of one rank, on the host
  /// that of rank 0. Throws like distribution().
  virtual MemoryNeeded memory(const Execution& execution) const = 0;

  /// The simulation at time 0; disks are not placed yet. Requires Kokkos. Each of several ranks constructs one, and
  /// calls the same functions in the same order. Null if a stop signal came during the construction.
  virtual std::unique_ptr<SimulationInterface> make_simulation(const Execution& execution) const = 0;
};

/// A method by its name on the command line.
struct MethodEntry {
  std::string name;
  std::string summary;
  std::string example;  // a call
  std::unique_ptr<Method> (*make)();
};

/// The methods of this program.
const std::vector<MethodEntry>& methods();
/// The method with this name. Throws InputError, which suggests the closest of these and `others`, or else `advice`.
const MethodEntry& method_named(const std::string& name, std::vector<std::string> others, const std::string& advice);
std::unique_ptr<Method> make_disks();
std::unique_ptr<Method> make_kmc();
std::unique_ptr<Method> make_kpz();

/// A method and the options of its run, with the table that sets them.
struct BoundMethod {
  explicit BoundMethod(const MethodEntry& entry) : method(entry.make()) {
    method->add_options(table);
    run.add_options(table);
  }
  BoundMethod(const BoundMethod&) = delete;
  BoundMethod& operator=(const BoundMethod&) = delete;

  std::unique_ptr<Method> method;
  RunOptions run;
  OptionTable table;
};

/// Backend of a run, by default a host's if the algorithm is sequential, or faster there by one rank than on a GPU.
/// Throws InputError like choose_backend(), and if another backend is given for a sequential algorithm.
inline Backend backend_for(const RunOptions& run, const Method& method, int ranks = 1) {
  const Backend best = choose_backend(run.backend), host = built_backends().front();
  if (method.sequential() && !run.backend.empty() && best != host)
    throw InputError("--backend " + run.backend + ": --method " + method.algorithm() +
                     " is sequential and requires --backend " + backend_name(host));
  if (method.sequential()) return host;
  const bool may_choose = is_gpu(best) && run.backend.empty() && ranks == 1;
  return may_choose && method.is_faster_on_host(available_cores()) ? built_backends().rbegin()[1] : best;
}

}  // namespace tessera::program
