// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "measurement.hpp"

#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <cerrno>
#include <system_error>
#include <tessera/core/error.hpp>
#include <vector>
#ifdef __linux__
#include <sched.h>
#endif

#include "../spaces.hpp"

extern char** environ;

namespace tessera::perf {
namespace {

/// Allows this thread and its child processes to run on all cores during its lifetime: OpenMP may have bound it to one.
class OnAllCores {
#ifdef __linux__
 public:
  OnAllCores() {
    sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t all;
    CPU_ZERO(&all);
    for (int core = 0; core < CPU_SETSIZE; ++core) CPU_SET(core, &all);
    sched_setaffinity(0, sizeof all, &all);
  }
  OnAllCores(const OnAllCores&) = delete;
  OnAllCores& operator=(const OnAllCores&) = delete;
  ~OnAllCores() { sched_setaffinity(0, sizeof before_, &before_); }

 private:
  cpu_set_t before_{};
#endif
};

/// Runs a program to its end. Throws RunError unless it ends with exit status 0.
void run_process(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t process = 0;
  {
    [[maybe_unused]] const OnAllCores on_all_cores;
    if (const int error = posix_spawn(&process, words[0].c_str(), nullptr, nullptr, arguments.data(), environ);
        error != 0)
      throw RunError(words[0] + ": " + std::generic_category().message(error));
  }
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw RunError(words[0] + " " + words[1] + " failed");
}

std::filesystem::path make_folder() {
  std::string folder = (std::filesystem::temp_directory_path() / "tessera-perf-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) throw RunError(folder + ": " + std::generic_category().message(errno));
  return folder;
}

}  // namespace

ProgramMeasurement::ProgramMeasurement(const ProgramCase& c, const std::string& program, int repetitions,
                                       const TimeLimit& limit)
    : case_(c), program_(program) {
  // Not attempted on a host with few cores, which does not update a million sites in a second.
  if (!is_of_gpu(c.space) && c.sites() > 1e7) limit.need(repetitions * 1e-6 * c.sites(), "the runs");
  folder_ = make_folder();
  try {
    first_ = run();
    limit.need((repetitions - 1) * first_->seconds, "the runs");
  } catch (...) {
    std::filesystem::remove_all(folder_);
    throw;
  }
}

ProgramMeasurement::~ProgramMeasurement() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

Repetition ProgramMeasurement::repeat() {
  if (!first_) return run();
  const Repetition repetition = *first_;
  first_.reset();
  return repetition;
}

Repetition ProgramMeasurement::run() const {
  const std::filesystem::path output = folder_ / "run.h5";
  std::vector<std::string> words = case_.words();
  words.insert(words.begin(), program_);
  words.insert(words.end(), {"--output", output.string()});
  const Stopwatch watch;
  run_process(words);
  const double seconds = watch.seconds();
  const auto bytes = static_cast<double>(std::filesystem::file_size(output));
  std::filesystem::remove(output);
  return {seconds, case_.sites(), {{"seconds", seconds}, {"file_bytes", bytes}}};
}

}  // namespace tessera::perf
