// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "io/in_child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>

#include "io/failure.hpp"
#include "tessera/core/error.hpp"

namespace tessera::io {
namespace {

/// First byte of the child's message; the rest is the reason.
enum class Outcome : char { good = '+', wrong_input = 'i', failure = 'f', other = 'o' };

/// Signals of users and batch systems, as opposed to those of a crash.
constexpr int stop_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};

std::string read_all(int descriptor) {
  std::string text;
  char part[256];
  for (;;) {
    const ssize_t bytes = uninterrupted([&] { return ::read(descriptor, part, sizeof(part)); });
    if (bytes <= 0) return text;
    text.append(part, static_cast<std::size_t>(bytes));
  }
}

/// Terminates the child with its parent, and on signals that the parent handles.
void end_with(pid_t parent) {
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction present {};
    if (::sigaction(number, nullptr, &present) == 0 && present.sa_handler != SIG_IGN) ::signal(number, SIG_DFL);
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(0);
}

/// Runs the child, without error output or a core dump if a library crashes.
[[noreturn]] void call_and_report(const std::function<void()>& action, int parent) noexcept {
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  const auto report = [&](Outcome outcome, const char* reason) {
    const std::string text = std::string(1, static_cast<char>(outcome)) + reason;
    write_fully(parent, text.data(), text.size());
  };
  try {
    action();
    report(Outcome::good, "");
  } catch (const InputError& error) {
    report(Outcome::wrong_input, error.what());
  } catch (const Failure& failure) {
    report(Outcome::failure, failure.what());
  } catch (const std::exception& error) {
    report(Outcome::other, error.what());
  }
  ::_exit(0);
}

}  // namespace

void in_child(const std::function<void()>& action, const Descriptor& lock) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return action();
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    if (lock.valid()) ::close(lock.get());
    end_with(parent);
    call_and_report(action, ends[1]);
  }
  ::close(ends[1]);
  const std::string report = child < 0 ? "" : read_all(ends[0]);
  ::close(ends[0]);
  if (child < 0) return action();
  int status = 0;
  uninterrupted([&] { return ::waitpid(child, &status, 0); });
  if (report.empty() && WIFSIGNALED(status) && std::ranges::count(stop_signals, WTERMSIG(status)) > 0)
    throw RunError("signal " + std::to_string(WTERMSIG(status)) + " ended the process that reads it");
  if (report.empty()) throw Failure("the HDF5 library crashes when reading it");
  const std::string reason = report.substr(1);
  const Outcome outcome{report.front()};
  if (outcome == Outcome::wrong_input) throw InputError(reason);
  if (outcome == Outcome::failure) throw Failure(reason);
  if (outcome == Outcome::other) throw std::runtime_error(reason);
}

}  // namespace tessera::io
