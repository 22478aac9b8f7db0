# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Pictures of output files: `python3 -m tessera_io.plot FILE`. Needs matplotlib."""

from importlib import import_module

# Imported on first use: without matplotlib the commands of this package print a message.
_MODULES = {
    "draw_autocorrelations": ".autocorrelations",
    "draw_average": ".curves",
    "draw_column": ".curves",
    "draw_field": ".snapshots",
    "draw_observable": ".curves",
    "draw_function": ".curves",
    "draw_histogram": ".distributions",
    "draw_joint_histogram": ".distributions",
    "draw_pair_distribution": ".curves",
    "draw_fit": ".curves",
    "draw_particles": ".snapshots",
    "draw_sizes": ".distributions",
    "draw_wave_vectors": ".snapshots",
    "figure": ".style",
    "save": ".style",
    "use": ".style",
}
__all__ = list(_MODULES)


def __getattr__(name):
    if name not in _MODULES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(_MODULES[name], __name__), name)
