// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tessera::program {

/// The words with which this program was started, without its arguments: its name, or a dynamic loader and what it was
/// told. `arguments` are those of main().
std::vector<std::string> words_of_start(const std::vector<std::string>& arguments);

/// A run of this program in a process of its own: what ends it does not end this one. When this process ends, however
/// it ends, the child gets SIGTERM. A launcher of ranks (mpirun, srun) has started this process alone.
class Child {
 public:
  /// Starts the program with these words, the first of which are words_of_start(); standard output and standard error
  /// go to files. Throws RunError if the system makes no process.
  Child(const std::vector<std::string>& arguments, const std::filesystem::path& out, const std::filesystem::path& err);

  void signal(int number) const;

  /// The exit status once it has ended, 1000 + N if signal N ended it.
  std::optional<int> status();

 private:
  pid_t id_ = -1;
  std::optional<int> status_;
};

}  // namespace tessera::program
