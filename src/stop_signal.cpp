// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#include "stop_signal.hpp"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <initializer_list>

namespace tessera::program {
namespace {

volatile sig_atomic_t received = 0;
volatile sig_atomic_t received_at = 0;  // seconds of the monotonic clock

extern "C" void remember_signal(int number) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (received == 0) {
    received = number;
    received_at = static_cast<sig_atomic_t>(now.tv_sec);
  } else if (now.tv_sec > received_at + 1) {
    _exit(128 + number);
  }
}

}  // namespace

void install_signal_handlers() {
  struct sigaction stop {};
  stop.sa_handler = remember_signal;
  stop.sa_flags = SA_RESTART;
  sigemptyset(&stop.sa_mask);
  for (const int number : {SIGINT, SIGTERM}) {
    struct sigaction present {};
    sigaction(number, nullptr, &present);
    // A shell starts background jobs with SIGINT ignored: leave it so.
    if (present.sa_handler != SIG_IGN) sigaction(number, &stop, nullptr);
  }
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, nullptr);
  sigaction(SIGXFSZ, &ignore, nullptr);
}

int stop_signal() { return static_cast<int>(received); }

}  // namespace tessera::program
