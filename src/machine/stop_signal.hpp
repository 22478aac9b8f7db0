// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

namespace tessera::program {

/// Handles signals. SIGINT, SIGTERM, SIGHUP (terminal closed) and SIGXCPU (CPU time limit) request a stop; see
/// stop_signal(). A second SIGINT or SIGTERM, at least one second later, ends the program at once with status 128 +
/// signal: batch systems and `timeout` send it twice in quick succession. SIGUSR1 requests a checkpoint; see
/// checkpoint_requested(). Signals ignored at the start remain so. SIGPIPE and SIGXFSZ become errors of writes.
void install_signal_handlers();

/// Number of the first stop signal received; 0 if none.
int stop_signal();

/// Whether SIGUSR1 was received since the last call of checkpoint_begins().
bool checkpoint_requested();
void checkpoint_begins();

}  // namespace tessera::program
