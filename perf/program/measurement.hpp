// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "../method.hpp"
#include "cases.hpp"

namespace tessera::perf {

/// Measurement of a run of the program as a process, from its start to its end. The output is in a temporary directory.
class ProgramMeasurement : public Measurement {
 public:
  /// Runs the program once, as the first repetition. Throws DoesNotFit if the repetitions would take too long.
  ProgramMeasurement(const ProgramCase& c, const std::string& program, int repetitions, const TimeLimit& limit);
  ~ProgramMeasurement() override;

  /// Throws RunError if the program fails.
  Repetition repeat() override;

 private:
  Repetition run() const;

  ProgramCase case_;
  std::string program_;
  std::filesystem::path folder_;
  std::optional<Repetition> first_;  ///< repetition that repeat() has not returned yet
};

}  // namespace tessera::perf
