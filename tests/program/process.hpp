// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

#include <sys/types.h>

#include <Kokkos_Macros.hpp>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "tests/program/temporary_folder.hpp"

namespace tessera::io {
class InputFile;
}

namespace tessera::testing {

using io::InputFile;

/// A backend that every build has and that computes on the host: not every Kokkos comes with Serial.
#if defined(KOKKOS_ENABLE_SERIAL)
inline constexpr const char* host_backend = "serial";
#else
inline constexpr const char* host_backend = "openmp";
#endif

/// Words of a command line.
using Words = std::vector<std::string>;

inline Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// `"kmc --size 64"_words`: the words between blanks.
inline Words operator""_words(const char* line, std::size_t) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

inline const Words on_host{"--backend", host_backend};

struct ProcessResult {
  int status = -1;  ///< exit status, or 1000 + signal if one ended the process
  std::string out;
  std::string err;
};

/// A run of the program `tessera` in a folder.
class Process {
 public:
  struct Options {
    long largest_file = -1;                ///< RLIMIT_FSIZE in bytes, if not negative
    bool standard_output = true;           ///< false: the reader of standard output is gone before anything is written
    std::vector<std::string> environment;  ///< "NAME=value", besides that of the test or instead
    std::vector<std::string> unset;        ///< names that the environment shall not have
    std::vector<std::string> launcher;     ///< words before the program: "/usr/bin/mpirun", "-n", "2"
    void (*prepare)() = nullptr;           ///< called in the new process, which may not allocate memory
  };

  /// Starts `tessera` with these words in `folder`.
  Process(const std::filesystem::path& folder, const std::vector<std::string>& words, const Options& options);
  Process(const std::filesystem::path& folder, const std::vector<std::string>& words)
      : Process(folder, words, Options()) {}
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();

  /// To the program, unless it is known to have ended.
  void signal(int number) const;
  bool running();

  /// Waits until the program has published this file or ended; whether it still runs.
  bool runs_until_there_is(const std::filesystem::path& file);

  ProcessResult wait();

 private:
  TemporaryFolder streams_;
  pid_t id_ = -1;
  int status_ = -1;
  bool ended_ = false;
};

/// Runs `tessera` to its end.
ProcessResult run_tessera(const std::filesystem::path& folder, const std::vector<std::string>& words,
                          const Process::Options& options = {});

/// The same; throws what it printed as an error if its exit status is not 0.
ProcessResult complete_run(const std::filesystem::path& folder, const std::vector<std::string>& words,
                           const Process::Options& options = {});

/// A wall-time limit at which `tessera` has computed for `seconds` or longer: on a busy machine with a GPU its start
/// alone takes some.
std::string wall_limit_after(double seconds);

/// The number of lines in a text.
std::size_t line_count(const std::string& text);

}  // namespace tessera::testing
