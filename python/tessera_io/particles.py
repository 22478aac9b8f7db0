# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
import numpy as np

from .text import unit_of


class Particles:
    """A trajectory of particles as H5MD has it; it is read from the file row by row.

    name, unit  texts; the unit is that of the positions
    time, step  [rows]
    count       the number of particles
    """

    def __init__(self, group, path):
        self.name = group.name.rsplit("/", 1)[-1]
        self._path = path
        self._position = group["position/value"]
        self._edges = group["box/edges"]
        self.unit = unit_of(self._position)
        self.time = group["position/time"][()]
        self.step = group["position/step"][()]
        self.count = self._position.shape[1]

    def position(self, row=-1):
        """[count, dimensions]: positions, folded into the box."""
        if not -len(self) <= row < len(self):
            raise IndexError(f"{self._path}: row {row} of {self.name}; there are {len(self)}, from 0 on")
        return np.mod(self._position[row % len(self)], self.box(row))

    def box(self, row=-1):
        """[dimensions]: the edges of the periodic box."""
        edges = self._edges
        if hasattr(edges, "keys"):  # a box that changes with time
            return edges["value"][row % edges["value"].shape[0]]
        return edges[()]

    def __len__(self):
        return self._position.shape[0]

    def __repr__(self):
        return f"<particles {self.name}: {len(self)} rows of {self.count}>"
