# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Local orientation of particles in two dimensions."""

import numpy as np

NEIGHBOURS = 6


def local_orientation(position, box):
    """psi_6 of each particle: the mean of exp(6 i theta) over the bonds to its six nearest neighbours. Needs SciPy.

    position  [N, 2], in a periodic box with the edges `box`, [2]; N > 6
    returns   [N] complex. The modulus is 1 where the neighbours form a regular hexagon; the phase over 6 is the angle
              between the hexagon and the x axis, from -30 to 30 degrees.
    """
    from scipy.spatial import cKDTree

    position, box = np.asarray(position, float), np.asarray(box, float)
    if len(position) <= NEIGHBOURS:
        raise ValueError(f"local orientation needs more than {NEIGHBOURS} particles")
    inside = np.mod(position, box)
    inside[inside >= box] = 0  # -1e-20 is rounded to an edge
    _, nearest = cKDTree(inside, boxsize=box).query(inside, NEIGHBOURS + 1)  # the first one is the particle itself
    bond = inside[nearest[:, 1:]] - inside[:, None]
    bond -= box * np.rint(bond / box)
    return np.exp(6j * np.arctan2(bond[..., 1], bond[..., 0])).mean(axis=1)
