// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "machine/stop_signal.hpp"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <cstddef>
#include <iterator>

namespace tessera::program {
namespace {

volatile sig_atomic_t received = 0;
volatile sig_atomic_t received_at = 0;  // seconds of the monotonic clock
volatile sig_atomic_t asked_for_checkpoint = 0;

/// Signals that users and batch systems send deliberately; the system itself repeats SIGXCPU every second.
bool ends_at_once(int number) { return number == SIGINT || number == SIGTERM; }

extern "C" void remember_signal(int number) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (received == 0) {
    received = number;
    received_at = static_cast<sig_atomic_t>(now.tv_sec);
  } else if (ends_at_once(number) && now.tv_sec > received_at + 1) {
    _exit(128 + number);
  }
}

extern "C" void ask_for_checkpoint(int) { asked_for_checkpoint = 1; }

constexpr int handled[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1};
bool ignored_at_start[std::size(handled)] = {};

extern "C" void look_at_signals() {
  for (std::size_t i = 0; i < std::size(handled); ++i) {
    struct sigaction present {};
    sigaction(handled[i], nullptr, &present);
    ignored_at_start[i] = present.sa_handler == SIG_IGN;
    if (handled[i] == SIGUSR1 && present.sa_handler == SIG_DFL) signal(SIGUSR1, ask_for_checkpoint);
  }
}

/// Runs before the libraries start: UCX, a part of MPI installations, installs a handler for SIGHUP.
__attribute__((section(".preinit_array"), used)) void (*const look_before_libraries)() = look_at_signals;

}  // namespace

void install_signal_handlers() {
  struct sigaction action {};
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < std::size(handled); ++i) {
    action.sa_handler = handled[i] == SIGUSR1 ? ask_for_checkpoint : remember_signal;
    if (ignored_at_start[i]) action.sa_handler = SIG_IGN;  // as shells do with SIGINT in background jobs
    sigaction(handled[i], &action, nullptr);
  }
  for (const int number : {SIGPIPE, SIGXFSZ}) signal(number, SIG_IGN);
}

int stop_signal() { return received; }

bool checkpoint_requested() { return asked_for_checkpoint != 0; }

void checkpoint_begins() { asked_for_checkpoint = 0; }

}  // namespace tessera::program
