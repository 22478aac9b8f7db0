// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

namespace tessera::program {

/// From here on SIGINT, SIGTERM, SIGHUP (the terminal is gone) and SIGXCPU (the limit of CPU time) ask the run to stop:
/// stop_signal() tells. A SIGINT or SIGTERM after that, a second or more later, ends the program at once with status
/// 128 + signal. (Batch systems and `timeout` send the same signal twice in quick succession.) SIGUSR1 asks for a
/// checkpoint: checkpoint_asked_for() tells. What the program was started to ignore it ignores. SIGPIPE and SIGXFSZ
/// become errors of the writes that cause them.
void install_signal_handlers();

/// Before the program starts itself again: what has taken such a signal since the start would leave it at its default.
void ignore_signals_as_at_start();

/// The number of the first signal to stop that was received; 0 if none.
int stop_signal();

/// Whether SIGUSR1 has come since checkpoint_begins() was last called.
bool checkpoint_asked_for();
void checkpoint_begins();

}  // namespace tessera::program
