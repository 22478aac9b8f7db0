# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Processes that end with this one."""

import os
import signal


def end_with_this():
    """preexec_fn of a child: on Linux it receives SIGTERM when this process ends, however that happens. None elsewhere."""
    try:
        import ctypes

        prctl = ctypes.CDLL(None).prctl
    except (ImportError, OSError, AttributeError):
        return None
    set_death_signal, parent = 1, os.getpid()

    def prepare():
        prctl(set_death_signal, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(128 + signal.SIGTERM)

    return prepare
