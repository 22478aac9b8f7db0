// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tessera::program {

/// What a point's run has told at its end.
struct Record {
  struct Quantity {
    std::string name, unit;
    double value = 0;
    double error = std::numeric_limits<double>::quiet_NaN();
  };

  std::string course;     ///< the goal that the run had, as an input text
  bool finished = false;  ///< whether it has reached it
  double time = 0;        ///< simulated
  double wall_seconds = 0;
  std::vector<Quantity> observables;  ///< at the end, in the order of the summary
  std::vector<Quantity> averages;     ///< over time, likewise
};

/// Keeps the summary, a JSON object as json_summary() makes it, of a run with this goal. Throws RunError if it cannot.
void write_record(const std::filesystem::path& path, const std::string& course, const std::string& summary);

/// Nothing if there is none, or one that cannot be read.
std::optional<Record> read_record(const std::filesystem::path& path);

/// Puts a text at a path, complete or not at all. Throws RunError if it cannot.
void write_whole(const std::filesystem::path& path, const std::string& text);

}  // namespace tessera::program
