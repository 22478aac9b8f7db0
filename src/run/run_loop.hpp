// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <string>
#include <tessera/io/checkpoint_reader.hpp>
#include <tessera/io/output_file.hpp>
#include <tessera/parallel/communicator.hpp>

#include "run/averager.hpp"
#include "run/progress.hpp"
#include "run/schedule.hpp"
#include "run/simulation_interface.hpp"

namespace tessera::program {

/// When to write, in wall seconds since the program started.
struct WallClock {
  std::function<double()> elapsed;
  double checkpoint_every = 0;                             ///< 0: at the end only; at most a tenth goes into writing
  double limit = std::numeric_limits<double>::infinity();  ///< the run stops with a checkpoint before this
  std::function<bool()> asked = [] { return false; };      ///< whether somebody wants a checkpoint now
};

enum class Ending { goal_reached, wall_limit, stop_signal };

/// Drives a simulation to its goal: advance to the next stop, record, tell, checkpoint, whatever the method. Where a
/// run is interrupted and continued changes neither the trajectory nor what is recorded.
///
/// Of several ranks each has one, and all call the same functions. A rank with a reason to stop, to write or to show
/// how far the run is has it for all.
class RunLoop {
 public:
  /// `before_publish` is called before each write of the output file and has to set its provenance.
  /// `stop_signal` is not 0 once the run has been asked to stop. `output`: at rank 0; null elsewhere.
  RunLoop(SimulationInterface& simulation, io::OutputFile* output, Progress& progress, const Schedule& schedule,
          const WallClock& clock, std::function<int()> stop_signal, std::function<void()> before_publish,
          std::string input, const parallel::Communicator& ranks = {});

  /// Continues the run that the output file continues, the simulation's state included. Throws InputError if its
  /// checkpoint does not fit.
  void load();

  /// Makes what a new run begins with, and returns true; or false, with nothing to write, when the wall limit is near
  /// or a stop is asked for. Throws InputError if there is no such start.
  bool start();

  /// Runs until the simulation has finished, or until the wall limit is near or a stop is asked for, and publishes the
  /// output file. Throws RunError if that fails.
  Ending run();

  /// Writes the output file as the run stands. Throws RunError if that fails.
  void publish();

  /// Over the measurements so far, those of the runs that this one continues included, if the schedule wants them.
  io::Averages averages() const { return averager_.averages(); }

  /// Work of run() per wall second of computing and measuring: the time in which it writes the output file is a matter
  /// of the disk.
  double rate() const { return work_done() / (seconds() - written_seconds_); }

  /// Whether run() has computed anything: else another call with as much wall time would not either.
  bool advanced() const { return work_done() > 0 || simulation_.time() > time_at_start_; }

 private:
  double next_stop() const;
  double stop_time(std::int64_t number, double every) const;
  double measurement_time(std::int64_t number) const;
  void record(double stop, bool last);
  template <class Work>
  void put(const Work& work);
  void record_fields();
  void write(const Field& field, std::int64_t step, const std::vector<double>& times);
  void drain_history();
  bool due() const;
  struct Due {
    int signal;
    bool limit, show, publish;
    double now;
  };
  Due agree();
  bool publish_due(double now) const;
  double last_moment() const;
  double work_done() const { return simulation_.work() - work_at_start_; }
  double seconds() const { return clock_.elapsed() - began_; }
  Advancement advancement() const;
  double fraction() const;

  SimulationInterface& simulation_;
  io::OutputFile* output_;
  Progress& progress_;
  Schedule schedule_;
  Averager averager_;
  WallClock clock_;
  std::function<int()> stop_signal_;
  std::function<void()> before_publish_;
  std::string input_;  ///< the full input, which a restart reads back
  parallel::Communicator ranks_;
  std::exception_ptr failure_;  ///< of put(), which all hear of in agree()

  std::int64_t next_measurement_ = 0;  ///< the next measurement is at measurement_time(next_measurement_)
  std::int64_t next_field_ = 0;
  std::int64_t records_ = 0;  ///< by this call of run()

  double began_ = 0;  ///< wall seconds, as the following
  double last_publish_ = 0;
  double last_look_ = 0;  ///< when the simulation last asked whether to go on
  double last_show_ = 0;
  double longest_batch_ = 0;    ///< between two such questions
  double publish_seconds_ = 0;  ///< what the last publish took, or a guess
  double written_seconds_ = 0;  ///< what fields and publishes of run() took
  double publish_rest_ = 0;     ///< between the last publish and the next one at least
  double work_at_start_ = 0;
  double time_at_start_ = 0;
  double fraction_at_start_ = 0;
};

}  // namespace tessera::program
