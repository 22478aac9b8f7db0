// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "tests/program/process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <thread>

namespace tessera::testing {

Process::Process(const std::filesystem::path& folder, const std::vector<std::string>& words, const Options& options) {
  std::vector<std::string> arguments = options.launcher;
  arguments.push_back(TESSERA_PROGRAM);
  arguments.insert(arguments.end(), words.begin(), words.end());
  std::vector<char*> argument_pointers;
  for (auto& argument : arguments) argument_pointers.push_back(argument.data());
  argument_pointers.push_back(nullptr);

  std::vector<std::string> environment = options.environment;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    const auto& unset = options.unset;
    if (std::find(unset.begin(), unset.end(), text.substr(0, text.find('='))) == unset.end())
      environment.push_back(text);
  }
  std::vector<char*> environment_pointers;
  for (auto& variable : environment) environment_pointers.push_back(variable.data());
  environment_pointers.push_back(nullptr);

  const std::string directory = folder.string();
  const std::string out = (streams_ / "out").string();
  const std::string err = (streams_ / "err").string();
  int closed_pipe[2] = {-1, -1};
  if (!options.standard_output && pipe(closed_pipe) != 0) throw std::runtime_error("pipe failed");

  id_ = fork();
  if (id_ < 0) throw std::runtime_error("fork failed");
  if (id_ == 0) {
    // Only what may be called between fork and exec of a process with threads.
    const int out_file = open(out.c_str(), O_WRONLY | O_CREAT, 0600);
    const int err_file = open(err.c_str(), O_WRONLY | O_CREAT, 0600);
    dup2(options.standard_output ? out_file : closed_pipe[1], STDOUT_FILENO);
    dup2(err_file, STDERR_FILENO);
    if (closed_pipe[0] >= 0) close(closed_pipe[0]);
    if (options.largest_file >= 0) {
      const rlimit limit{static_cast<rlim_t>(options.largest_file), static_cast<rlim_t>(options.largest_file)};
      setrlimit(RLIMIT_FSIZE, &limit);
    }
    // Whatever the tests themselves were started to ignore.
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1}) ::signal(number, SIG_DFL);
    if (options.prepare != nullptr) options.prepare();
    if (chdir(directory.c_str()) != 0) _exit(127);
    execve(argument_pointers[0], argument_pointers.data(), environment_pointers.data());
    _exit(127);
  }
  for (const int end : closed_pipe) {
    if (end >= 0) close(end);
  }
}

Process::~Process() {
  if (ended_) return;
  kill(id_, SIGKILL);
  wait();
}

void Process::signal(int number) const {
  if (!ended_) kill(id_, number);  // else the number may be another process by now
}

bool Process::running() {
  if (!ended_ && waitpid(id_, &status_, WNOHANG) == id_) ended_ = true;
  return !ended_;
}

bool Process::runs_until_there_is(const std::filesystem::path& file) {
  while (running() && !std::filesystem::exists(file)) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  return running();
}

ProcessResult Process::wait() {
  while (!ended_) {
    if (waitpid(id_, &status_, 0) == id_) {
      ended_ = true;
    } else if (errno != EINTR) {
      throw std::runtime_error("waitpid failed");
    }
  }
  ProcessResult result;
  result.status = WIFEXITED(status_) ? WEXITSTATUS(status_) : 1000 + WTERMSIG(status_);
  result.out = read_file(streams_ / "out");
  result.err = read_file(streams_ / "err");
  return result;
}

ProcessResult run_tessera(const std::filesystem::path& folder, const std::vector<std::string>& words,
                          const Process::Options& options) {
  return Process(folder, words, options).wait();
}

ProcessResult complete_run(const std::filesystem::path& folder, const std::vector<std::string>& words,
                           const Process::Options& options) {
  auto result = run_tessera(folder, words, options);
  if (result.status != 0) throw std::runtime_error("exit status " + std::to_string(result.status) + ": " + result.err);
  return result;
}

std::string wall_limit_after(double seconds) {
  const TemporaryFolder folder;
  const auto start = std::chrono::steady_clock::now();
  run_tessera(folder, {"info"});
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  return std::to_string(seconds + 10 * taken.count());
}

std::size_t line_count(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace tessera::testing
