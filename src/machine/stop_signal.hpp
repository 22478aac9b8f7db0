// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

namespace tessera::program {

/// Handles signals. SIGINT, SIGTERM, SIGHUP (terminal closed) and SIGXCPU (CPU time limit) request a stop; see
/// stop_signal(). A second SIGINT or SIGTERM, at least one second later, ends the program at once with status 128 +
/// signal. (Batch systems and `timeout` send the same signal twice in quick succession.) SIGUSR1 requests a checkpoint;
/// see checkpoint_asked_for(). Signals that were ignored at the start remain ignored. SIGPIPE and SIGXFSZ become errors
/// of the writes that cause them.
void install_signal_handlers();

/// Before the program starts itself again: what has taken such a signal since the start would leave it at its default.
void ignore_signals_as_at_start();

/// Number of the first stop signal received; 0 if none.
int stop_signal();

/// Whether SIGUSR1 was received since the last call of checkpoint_begins().
bool checkpoint_asked_for();
void checkpoint_begins();

}  // namespace tessera::program
