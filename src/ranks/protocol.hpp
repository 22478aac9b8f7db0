// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include "ranks/packed.hpp"
#include "simulation_interface.hpp"

namespace tessera::program {

/// What rank 0, which alone runs the run loop and has the terminal and the output file, tells the others; from `make`
/// on the heads of the groups, each of which tells its group, whose ranks have a part of each of its replicas. Each
/// command but `group`, `over`, `next`, `serve_fields`, `give_up` and `end` has an answer.
enum class Command : unsigned char {
  group,         ///< make groups of so many ranks
  check,         ///< method, input, backend, ...: can it be run here?
  make,          ///< make the simulation, with this transport, and follow the head of the group
  start,         ///< begin; until `over`
  load,          ///< begin, from what rank 0 reads: asks it for entries, Answer::request
  advance,       ///< to a time; until `over`
  over,          ///< stop advancing, if that is still going on
  measure,       ///< observables
  history,       ///< rows since the last time
  fields,        ///< look at the fields
  field_part,    ///< elements of a field
  serve_fields,  ///< of systems that are shared out: give rank 0 what it reads of them
  particles,     ///< frames
  save,          ///< name the entries of the checkpoint, one after the other, Answer::entry
  entry_part,    ///< elements of the entry named last
  next,          ///< go on to the next entry
  give_up,       ///< end saving
  end,           ///< of the program, with a status
};

/// What a follower sends.
enum class Answer : unsigned char {
  done,         ///< with what was asked for
  input_error,  ///< what, instead
  run_error,
  note,     ///< a signal has come: its number, or that a checkpoint is asked for; an answer is still to come
  request,  ///< while loading: an entry
  entry,    ///< while saving: an entry
};

/// Where a part of the replicas stands.
struct Report {
  bool arrived = true;  ///< it was not stopped on the way
  bool finished = false;
  double time = 0, time_goal = 0;
  std::vector<double> times;
  double work = 0, work_goal = 0;
  std::size_t bytes = 0;

  Report() = default;
  Report(const SimulationInterface& simulation, bool has_arrived)
      : arrived(has_arrived),
        finished(simulation.finished()),
        time(simulation.time()),
        time_goal(simulation.time_goal()),
        times(simulation.times()),
        work(simulation.work()),
        work_goal(simulation.work_goal()),
        bytes(simulation.bytes()) {}

  /// All of it ended by work before its goal in time: its time is that of its last events.
  bool ended_early() const { return finished && time < time_goal; }
};
auto fields(MaybeConst<Report> auto& r) {
  return std::tie(r.arrived, r.finished, r.time, r.time_goal, r.times, r.work, r.work_goal, r.bytes);
}

}  // namespace tessera::program
