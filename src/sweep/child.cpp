// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "sweep/child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <tessera/core/error.hpp>

#if defined(__linux__)
#include <sys/prctl.h>
#endif

namespace tessera::program {
namespace {

/// That of this process without what launchers of parallel programs tell it: a child is no rank of theirs.
std::vector<char*> environment_of_child() {
  constexpr const char* of_launchers[] = {"OMPI_", "PMIX_", "PMI_", "PRTE_", "PALS_", "MV2_", "SLURM_STEP_NUM_TASKS="};
  std::vector<char*> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (std::ranges::none_of(of_launchers, [&](const char* begin) { return text.starts_with(begin); }))
      variables.push_back(*variable);
  }
  variables.push_back(nullptr);
  return variables;
}

}  // namespace

std::vector<std::string> words_of_start(const std::vector<std::string>& arguments) {
  // Called by way of the loader, the file of this process is the loader, which takes its own words away from main().
  std::vector<std::string> words;
  std::ifstream all("/proc/self/cmdline");
  for (std::string word; std::getline(all, word, '\0');) words.push_back(word);
  if (words.size() < arguments.size()) return {arguments.front()};
  words.resize(words.size() - arguments.size() + 1);
  return words;
}

Child::Child(const std::vector<std::string>& arguments, const std::filesystem::path& out,
             const std::filesystem::path& err) {
  std::vector<char*> words;
  for (const auto& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  const auto environment = environment_of_child();
  const pid_t parent = ::getpid();
  id_ = ::fork();
  if (id_ < 0) throw RunError(std::string("no process can be started: ") + std::strerror(errno));
  if (id_ > 0) return;
  // Only what may be called between fork and exec of a process with threads.
#if defined(__linux__)
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
  if (::getppid() != parent) ::_exit(128 + SIGTERM);
  constexpr int mode = 0666;
  const int out_file = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, mode);
  const int err_file = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, mode);
  if (out_file >= 0) ::dup2(out_file, STDOUT_FILENO);
  if (err_file >= 0) ::dup2(err_file, STDERR_FILENO);
  ::execve("/proc/self/exe", words.data(), environment.data());
  ::_exit(127);
}

void Child::signal(int number) const {
  if (!status_) ::kill(id_, number);
}

std::optional<int> Child::status() {
  int status = 0;
  if (!status_ && ::waitpid(id_, &status, WNOHANG) == id_)
    status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  return status_;
}

}  // namespace tessera::program
