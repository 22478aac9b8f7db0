// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "../method.hpp"
#include "cases.hpp"

namespace tessera::perf {

/// A run of the program that is being measured as a user sees it: a process, from its start to its end. Its output is
/// in a folder of its own in the folder for temporary files.
class ProgramMeasurement : public Measurement {
 public:
  /// Runs it once, which is the first repetition. Throws DoesNotFit if the repetitions would take too long.
  ProgramMeasurement(const ProgramCase& c, const std::string& program, int repetitions, const TimeLimit& limit);
  ~ProgramMeasurement() override;

  /// Throws RunError if the program fails.
  Repetition repeat() override;

 private:
  Repetition run() const;

  ProgramCase case_;
  std::string program_;
  std::filesystem::path folder_;
  std::optional<Repetition> first_;  ///< that repeat() has not given yet
};

}  // namespace tessera::perf
