// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <string>
#include <tessera/core/observable.hpp>
#include <tessera/io/checkpoint.hpp>
#include <tessera/io/output_file.hpp>
#include <tessera/parallel/communicator.hpp>
#include <tessera/simulation/simulation_interface.hpp>
#include <utility>
#include <vector>

#include "run/averager.hpp"
#include "run/progress.hpp"
#include "run/schedule.hpp"

namespace tessera::program {

/// Times of writing, in wall seconds since the program started.
struct WallClock {
  std::function<double()> elapsed;
  double checkpoint_every = 0;  ///< 0: at the end only; writing takes at most a tenth of the time
  double limit = std::numeric_limits<double>::infinity();  ///< the run stops with a checkpoint before this
  std::function<bool()> requested = [] { return false; };  ///< whether a checkpoint was requested
};

/// Inputs and outputs of a run loop, apart from the simulation.
struct RunTools {
  using Row = void(const std::vector<Observable>& measured, std::int64_t step, const std::vector<double>& times);

  io::OutputFile* output;  ///< at rank 0; null at the other ranks
  Progress& progress;
  WallClock clock;
  std::function<int()> stop_signal;      ///< not 0 after a request to stop
  std::function<void()> before_publish;  ///< called before each write of the output file; must set its provenance
  std::string input;                     ///< the full input, which a restart reads back
  parallel::Communicator ranks = {};
  /// Values of the parameters of the model that change with time, at a time.
  std::function<std::vector<std::pair<std::string, double>>(double)> parameters = {};
  double bytes = 0;                ///< of the state, to estimate how long its first checkpoint takes
  std::function<Row> on_row = {};  ///< called with each row of measurements, its step and the times of the replicas
};

enum class Ending { stopping_time, absorbed, wall_limit, stop_signal, error };
inline bool is_complete(Ending ending) { return ending <= Ending::absorbed; }

/// Runs a simulation of any method to its stopping time: advance to the next stop, record, report, checkpoint.
/// Interruption and continuation of a run change neither the trajectory nor the recorded data.
///
/// Of several ranks each has a run loop, and all call the same functions. Stops and checkpoints apply to all.
class RunLoop {
 public:
  RunLoop(SimulationInterface& simulation, const Schedule& schedule, const RunTools& tools);

  /// Restores the run and the simulation from the output file. Throws InputError if its checkpoint is invalid.
  void load();

  /// Constructs the initial configuration of a new run and returns true. Returns false, with nothing to write, near the
  /// wall-time limit or after a request to stop. Throws InputError if it is not possible.
  bool start();

  /// Runs until the simulation has finished or fails, the wall-time limit is near or a stop is requested, and publishes
  /// the output file, if worth_writing(). Throws RunError if that fails.
  Ending run();

  /// The failure of the simulation that ended run().
  const std::string& error() const { return error_; }

  /// How a simulation that has finished has ended.
  Ending end() const { return simulation_.ended_absorbed() ? Ending::absorbed : Ending::stopping_time; }

  /// Writes the output file in the present state. Throws RunError if that fails.
  void publish();

  /// Averages over the measurements so far, including those of continued runs, if the schedule requires them.
  io::Averages averages() const { return averager_.averages(); }

  /// Work of run() per wall second of computing and measuring, without the writing of the output file.
  double rate() const { return work_done() / (tools_.clock.elapsed() - began_ - written_seconds_); }

  /// Whether run() has computed anything; if not, another call with the same wall time would not either.
  bool advanced() const { return work_done() > 0 || simulation_.time() > time_at_start_; }

  /// Whether a stopped run has anything to write, or writes it quickly.
  bool worth_writing() const { return loaded_ || advanced() || publish_seconds_ < 2; }

 private:
  Ending run_to_end();
  bool adapt_interval(double time, bool is_late);
  double next_look() const;
  void record(double stop, bool last);
  template <class Work>
  void put(const Work& work);
  void measure();
  void record_fields();
  void drain_history();
  /// Due actions: a stop by a signal, its number, or by the wall-time limit, progress, a checkpoint; failure of put().
  enum Action { signal, limit, show, write_file, failure };
  using Due = std::array<std::int64_t, 5>;
  Due due() const;
  Due agree();
  double last_moment() const;
  double work_done() const { return simulation_.work() - work_at_start_; }

  SimulationInterface& simulation_;
  Schedule schedule_;
  RunTools tools_;
  Averager averager_;
  std::exception_ptr failure_;  ///< of put(); reported to all ranks where they agree
  std::string error_;
  bool loaded_ = false;

  /// Recordings at given times, of which number `number` is the next one.
  struct Recorder {
    RecordTimes times;
    void (RunLoop::*record)();
    std::int64_t number = 0;
  };
  double next(const Recorder& one) const { return one.times.at(one.number, simulation_.stopping_time()); }

  Recorder measurements_, fields_;
  /// With Schedule::measure_work: number of the interval among the short_times(); 1 if it is still to be found; time
  /// and work at the last measurement, or at the last time that was tried; time since which the interval is the same.
  std::array<double, 5> interval_{0, 1, 0, 0, 0};
  double look_ = 0;           ///< next_look()
  std::int64_t records_ = 0;  ///< by this call of run()

  double began_ = 0;  ///< wall seconds, as the following
  double last_publish_ = 0;
  double last_look_ = 0;  ///< time of the last call of keep_going()
  double last_show_ = 0;
  double longest_batch_ = 0;    ///< longest time between two such calls
  double publish_seconds_ = 0;  ///< duration of the last publish, or an estimate
  double written_seconds_ = 0;  ///< time that run() spent on fields and publishes
  double publish_rest_ = 0;     ///< minimum time between two publishes
  double work_at_start_ = 0;
  double time_at_start_ = 0;
  double fraction_at_start_ = 0;
};

}  // namespace tessera::program
