# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Cubic lattices of three dimensions (docs/space.md): the places of their sites, sums over planes, slices, clusters, also those of unit cells.

Places are numbers of steps along z, y and x: of a cubic cell on sc, of half a cubic cell on bcc and fcc.
"""

import itertools

import numpy as np


class Lattice:
    """
    length   of a cubic cell, in steps
    strides  [3]: steps from a site of the array [nz, ny, nx] to the next one
    wide     [2]: steps that a site takes in a picture of a plane, along its columns and rows
    offsets  [n, 3]: steps to the neighbours
    """

    def __init__(self, length, strides, wide, squared, parity):
        self.length, self.strides, self.wide, self._parity = length, strides, wide, parity
        cube = np.indices((3, 3, 3)) - 1
        distance = (cube**2).sum(axis=0)
        self.offsets = cube[:, distance == squared].T
        self._structure = (distance == squared) | (distance == 0)

    def places(self, z, y, x):
        """Places of sites of the array."""
        return [stride * n + (stride > 1) * self._parity(z, y) for stride, n in zip(self.strides, (z, y, x))]

    def steps(self, shape):
        """The numbers of steps of a box with an array of this shape."""
        return tuple(np.multiply(shape, self.strides))

    def parts(self):
        """(slices of the array, slices in steps) of sites with z and y of the same parity."""
        for z, y in itertools.product((0, 1), (0, 1)):
            ends = zip(self.places(z, y, 0), np.multiply(self.strides, (2, 2, 1)))
            yield np.s_[z::2, y::2], tuple(slice(int(first), None, int(step)) for first, step in ends)

    def sums(self, values, axis):
        """[steps]: sums of values [nz, ny, nx] over the planes across an axis, 0 for z."""
        sums = np.zeros(self.steps(values.shape)[axis])
        for some, on in self.parts():
            sums[on[axis]] += values[some].sum(axis=tuple({0, 1, 2} - {axis}), dtype=float)
        return sums

    def plane(self, values, axis, number):
        """[rows, columns]: the values of a plane across an axis at this step, with each site about its place."""
        others = [other for other in (0, 1, 2) if other != axis]
        shape = np.array(self.steps(values.shape))[others]
        image = np.zeros(shape, values.dtype)
        for some, on in self.parts():
            behind = number - on[axis].start
            if behind >= 0 and behind % on[axis].step == 0:
                rows, columns = (np.arange(on[other].start, count, on[other].step) for other, count in zip(others, shape))
                for row, column in itertools.product(*map(range, self.wide)):
                    image[np.ix_((rows - row) % shape[0], (columns - column) % shape[1])] = values[some].take(behind // on[axis].step, axis)
        return np.roll(image.repeat(2, axis=0), -1, axis=0) if self.wide == (1, 2) else image

    def clusters(self, states, of=None):
        """[nz, ny, nx]: the numbers, from 1 on, of clusters of neighbouring sites in the same state, `of` these states or of all; 0 elsewhere."""
        from scipy import ndimage
        from scipy.sparse import coo_matrix, csgraph

        numbers, state_of = np.zeros(self.steps(states.shape), np.int32), [np.zeros(1, states.dtype)]
        for state in np.unique(states) if of is None else of:
            there = np.zeros(numbers.shape, bool)
            for some, on in self.parts():
                there[on] = states[some] == state
            found, count = ndimage.label(there, self._structure)
            numbers[there] = found[there] + sum(map(len, state_of)) - 1
            state_of.append(np.full(count, state))
        state_of, pairs = np.concatenate(state_of), []
        for axis, offset in itertools.product((0, 1, 2), self.offsets):
            if offset[axis] == 1:  # over the border of the box
                before, behind = numbers.take(-1, axis).ravel(), np.roll(numbers.take(0, axis), -np.delete(offset, axis), (0, 1)).ravel()
                same = (before > 0) & (behind > 0) & (state_of[before] == state_of[behind])
                pairs.append(np.unique([before[same], behind[same]], axis=1))
        pairs = np.concatenate(pairs, axis=1)
        graph = coo_matrix((np.ones(pairs.shape[1]), pairs), (len(state_of),) * 2)
        _, joined = csgraph.connected_components(graph, directed=False)  # of number 0 is 0
        found = np.empty(states.shape, np.int32)
        for some, on in self.parts():
            found[some] = joined[numbers[on]]
        return found


def neighbours(sides, positions):
    """[n, 5]: (site, other, steps of a cell along x, y and z to the other's) of each pair of nearest sites once, with distances within 1 %."""
    positions, length = np.array(positions), 1.01 * np.linalg.norm(sides, axis=1).min()  # that of a site's images
    reach = np.ceil(length * np.linalg.norm(np.linalg.inv(sides), axis=0) + np.ptp(positions, axis=0)).astype(int)
    one, other, *steps = (index.ravel() for index in np.indices((len(positions), len(positions), *(2 * reach + 1))))
    steps = np.transpose(steps) - reach
    once = (other - one) * 1e9 + steps @ (1e6, 1e3, 1) > 0
    apart = np.linalg.norm((positions[other] - positions[one] + steps) @ sides, axis=1)
    near = once & (apart < 1.01 * apart[once].min())
    return np.column_stack([one, other, steps])[near]


def clusters_of(states, of, pairs):
    """[sites, nz, ny, nx]: the numbers, from 1 on, of clusters of sites in the same one of these states; pairs as of neighbours()."""
    from scipy.sparse import coo_matrix, csgraph

    there = np.isin(states, of)
    found, ends = np.cumsum(there, dtype=np.int32).reshape(there.shape) * there, [np.zeros((2, 0), np.int32)]
    for one, other, *steps in pairs:
        behind, its = (np.roll(of[other], [-step for step in steps], (2, 1, 0)) for of in (found, states))
        same = (found[one] > 0) & (behind > 0) & (states[one] == its)
        ends.append(np.stack([found[one][same], behind[same]]))
    ends = np.concatenate(ends, axis=1)
    graph = coo_matrix((np.ones(ends.shape[1], np.int8), ends), (found.max() + 1,) * 2)
    return csgraph.connected_components(graph, directed=False)[1][found]  # of number 0 is 0


LATTICES = {
    "sc": Lattice(1, (1, 1, 1), (1, 1), 1, lambda z, y: 0),
    "bcc": Lattice(2, (1, 2, 2), (2, 2), 3, lambda z, y: z % 2),
    "fcc": Lattice(2, (1, 1, 2), (1, 2), 2, lambda z, y: (y + z) % 2),
}
