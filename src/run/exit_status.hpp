// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: Tessera contributors
#pragma once

namespace tessera::program {

inline constexpr int exit_done = 0;
inline constexpr int exit_failed = 1;
inline constexpr int exit_bad_input = 2;
inline constexpr int exit_wall_limit = 3;  ///< unfinished, with a checkpoint
inline constexpr int exit_signal = 128;    ///< plus the signal's number: stopped with a checkpoint

inline constexpr const char* exit_status_help =
    "Exit status: 0 done, 1 failed while running, 2 bad input (nothing was written), 3 unfinished because\n"
    "of --wall-limit, 128 + N stopped by signal N (SIGHUP, SIGINT, SIGTERM, SIGXCPU), with a checkpoint.\n";

}  // namespace tessera::program
