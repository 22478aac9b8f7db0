// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <optional>
#include <string>

#include "tests/program/temporary_folder.hpp"

namespace tessera::testing {

struct ShellResult {
  int status;
  std::string output;  ///< standard output and standard error
};

/// A folder as a reader of the documents has it, with inputs/, in which `tessera` runs the program on lattices of 32 x
/// 32 sites and for a twentieth of the time (small_tessera.sh). Of the tools that the documents use, srun and sbatch
/// are stand-ins (a job is the first one of an array of eight), h5dump if the machine lacks it. Sweeps make no plots.
class Shell {
 public:
  Shell();
  const TemporaryFolder& folder() const { return folder_; }

  /// Runs a script with bash; it ends at the first command that fails.
  ShellResult bash(const std::string& script) const;

  /// Runs a script with a Python that has these modules; nothing if there is no such Python.
  std::optional<ShellResult> python(const std::string& script, const std::string& modules) const;

  /// Runs a script with bash in which `python3` is a Python with h5py and matplotlib; nothing if there is no such
  /// Python. Python finds the packages of python/ in either case.
  std::optional<ShellResult> bash_with_python(const std::string& script) const;

 private:
  ShellResult run(const std::string& command) const;
  std::optional<std::string> python_with(const std::string& modules) const;

  TemporaryFolder folder_;
};

}  // namespace tessera::testing
