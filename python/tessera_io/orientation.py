# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Local orientation of particles in two dimensions."""

import numpy as np

NEIGHBOURS = 6
_CHUNK = 1 << 17


def local_orientation(position, box):
    """psi_6 of each particle: the mean of exp(6 i theta) over the bonds to its six nearest neighbours.

    position  [N, 2], in a periodic box with the edges `box`, [2]; N > 6
    returns   [N] complex. The modulus is 1 where the neighbours form a regular hexagon; the phase over 6 is the angle
              between the hexagon and the x axis, from -30 to 30 degrees.
    """
    position, box = np.asarray(position, float), np.asarray(box, float)
    if len(position) <= NEIGHBOURS:
        raise ValueError(f"local orientation needs more than {NEIGHBOURS} particles")
    cells = _CellList(position, box)
    psi = np.empty(len(position), complex)
    for first in range(0, len(position), _CHUNK):
        some = np.arange(first, min(first + _CHUNK, len(position)))
        psi[some] = _of(some, cells)
    return psi


def _of(some, cells):
    """psi_6 of some particles, with as many rings of cells around each as its six nearest neighbours require."""
    psi = np.empty(len(some), complex)
    left = np.arange(len(some))
    reach = 1
    while len(left):
        bond, distance = cells.around(some[left], reach)
        nearest = np.argpartition(distance, NEIGHBOURS - 1, axis=1)[:, :NEIGHBOURS]
        farthest = np.take_along_axis(distance, nearest, axis=1).max(axis=1)
        angle = np.arctan2(*(np.take_along_axis(bond[..., d], nearest, axis=1) for d in (1, 0)))
        enough = farthest <= (reach * cells.width.min()) ** 2
        if cells.all_within(reach):
            enough[:] = True
        psi[left[enough]] = np.exp(6j * angle[enough]).mean(axis=1)
        left = left[~enough]
        reach += 1
    return psi


class _CellList:
    """Particles sorted into square cells with about three particles each."""

    def __init__(self, position, box):
        self.position, self.box = np.mod(position, box), box
        side = np.sqrt(3 * box.prod() / len(position))
        self.grid = np.maximum(1, (box / side).astype(int))
        self.width = box / self.grid
        cell = np.minimum((self.position / self.width).astype(int), self.grid - 1)
        number = cell[:, 1] * self.grid[0] + cell[:, 0]
        order = np.argsort(number, kind="stable")
        count = np.bincount(number, minlength=self.grid.prod())
        slot = np.arange(len(order)) - np.repeat(np.cumsum(count) - count, count)
        self.cell = cell
        self.table = np.full((self.grid.prod(), count.max()), -1)
        self.table[number[order], slot] = order

    def all_within(self, reach):
        return bool((2 * reach + 1 >= self.grid).all())

    def around(self, some, reach):
        """Bonds [n, m, 2] and squared lengths [n, m] from some particles to those around; infinity for empty entries."""
        steps = [np.arange(-reach, reach + 1) if 2 * reach + 1 < n else np.arange(n) for n in self.grid]
        offsets = np.stack(np.meshgrid(*steps, indexing="ij"), -1).reshape(-1, 2)
        near = (self.cell[some][:, None, :] + offsets) % self.grid
        other = self.table[near[..., 1] * self.grid[0] + near[..., 0]].reshape(len(some), -1)
        bond = self.position[other] - self.position[some][:, None, :]
        bond -= self.box * np.rint(bond / self.box)
        distance = (bond**2).sum(axis=-1)
        distance[(other < 0) | (other == some[:, None])] = np.inf
        return bond, distance
