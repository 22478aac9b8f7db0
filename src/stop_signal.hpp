// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

namespace tessera::program {

/// From here on SIGINT and SIGTERM ask the run to stop: stop_signal() tells. Another one, a second or more later, ends
/// the program at once with status 128 + signal. (Batch systems and `timeout` send the same signal twice in quick
/// succession.) SIGPIPE and SIGXFSZ become errors of the writes that cause them.
void install_signal_handlers();

/// The number of the first SIGINT or SIGTERM received, 0 if none.
int stop_signal();

}  // namespace tessera::program
