// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "run_loop.hpp"
#include "sweep/machine_share.hpp"
#include "sweep/point.hpp"
#include "sweep/sweep_folder.hpp"

namespace tessera::program {

/// How the runs of the points of a sweep ended.
struct PointsEnding {
  Ending ending = Ending::goal_reached;  ///< wall_limit and stop_signal: there are points left to be made
  std::vector<std::string> failures;     ///< a line for each point that failed
};

/// The points among these that have not reached their goals yet, by their numbers.
std::vector<std::size_t> unfinished(const SweepFolder& folder, const std::vector<Point>& points,
                                    const std::vector<std::size_t>& numbers);

/// What all runs of a sweep have in common.
struct RunsOfPoints {
  std::vector<std::string> program;  ///< words_of_start()
  std::string method;
  RunOptions run;
  MachineShare share;
};

/// Makes the points of these numbers, several at a time, each by a run of its own, which goes on with the output that
/// an earlier call left. When a stop is asked for, or the wall limit is near, the runs that are under way end with a
/// checkpoint, and no other one begins.
PointsEnding run_points(const RunsOfPoints& runs, const SweepFolder& folder, const std::vector<Point>& points,
                        const std::vector<std::size_t>& numbers, const WallClock& clock, ProgressStyle style);

}  // namespace tessera::program
