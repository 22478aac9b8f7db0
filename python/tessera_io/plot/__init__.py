# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Pictures of output files: `python3 -m tessera_io.plot FILE`. Needs matplotlib."""

from importlib import import_module

# Imported when they are asked for: the commands of this package have a line of their own where there is no matplotlib.
_MODULES = {
    "draw_average": ".curves",
    "draw_column": ".curves",
    "draw_field": ".snapshots",
    "draw_observable": ".curves",
    "draw_pair_distribution": ".curves",
    "draw_power_law": ".curves",
    "draw_particles": ".snapshots",
    "figure": ".style",
    "save": ".style",
    "use": ".style",
}
__all__ = list(_MODULES)


def __getattr__(name):
    if name not in _MODULES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(_MODULES[name], __name__), name)
