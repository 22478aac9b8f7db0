# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
import numpy as np

from .errors import check_index, check_rows, reading
from .text import text_of

NEIGHBOURS = 6


class Particles:
    """A trajectory of particles in two dimensions, in H5MD with a third coordinate, 0; rows are read from the file on demand.

    name, unit  texts; the unit is that of the positions. time_unit: a text
    time, step  [rows]
    count       the number of particles
    """

    def __init__(self, group, path):
        self.name = group.name.rsplit("/", 1)[-1]
        self._path = path
        self._position = group["position/value"]
        self._edges = group["box/edges/value"]
        self.unit = text_of(group.attrs["length_unit"])
        self.time_unit = text_of(group.attrs.get("time_unit", ""))
        self.time = group["position/time"][()]
        self.step = group["position/step"][()]
        self.count = self._position.shape[1]
        check_rows(self._position, self._edges, self.time, self.step)

    def position(self, row=-1):
        """[count, 2]: positions, folded into the box."""
        check_index(f"{self._path}: no row {row} of {self.name}", row, len(self), from_end=True)
        with reading(self._path, f"row {row} of {self.name}"):
            return np.mod(self._position[row % len(self)][:, :2], self.box(row))

    def box(self, row=-1):
        """[2]: the edges of the periodic box."""
        with reading(self._path, f"the box of {self.name}"):
            return np.diag(self._edges[row % len(self)])[:2]

    def __len__(self):
        return self._position.shape[0]

    def __repr__(self):
        return f"<particles {self.name}: {len(self)} rows of {self.count}>"


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
