# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Pictures of output files: `python3 -m tessera_io.plot FILE`. Needs matplotlib."""

from .curves import draw_average, draw_column, draw_observable, draw_pair_distribution
from .snapshots import draw_field, draw_particles
from .style import figure, save, use

__all__ = [
    "draw_average",
    "draw_column",
    "draw_field",
    "draw_observable",
    "draw_pair_distribution",
    "draw_particles",
    "figure",
    "save",
    "use",
]
