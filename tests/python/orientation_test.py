# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Local orientation."""

import unittest

import numpy as np
from tessera_io import local_orientation


def lattice(columns, rows, distance):
    """A triangular lattice with rows along x, in the box that fits it."""
    height = distance * np.sqrt(3) / 2
    points = [((i + 0.5 * (j % 2)) * distance, j * height) for j in range(rows) for i in range(columns)]
    return np.array(points), np.array([columns * distance, rows * height])


def by_all_pairs(position, box):
    bond = position[None] - position[:, None]
    bond -= box * np.rint(bond / box)
    distance = (bond**2).sum(-1)
    np.fill_diagonal(distance, np.inf)
    nearest = np.argsort(distance, axis=1)[:, :6]
    angle = np.arctan2(*(np.take_along_axis(bond[..., d], nearest, axis=1) for d in (1, 0)))
    return np.exp(6j * angle).mean(axis=1)


class LocalOrientation(unittest.TestCase):
    def test_triangular_lattice(self):
        position, box = lattice(12, 10, 1.1)
        np.testing.assert_allclose(local_orientation(position, box), 1, atol=1e-12)
        np.testing.assert_allclose(local_orientation(position[:, ::-1], box[::-1]), -1, atol=1e-12)

    def test_turned_lattice_turns_psi_by_six_times_the_angle(self):
        position, box = lattice(30, 30, 1.0)
        centre, turn = box / 2, np.radians(7)
        cosine, sine = np.cos(turn), np.sin(turn)
        turned = (position - centre) @ np.array([[cosine, sine], [-sine, cosine]]) + centre
        inside = np.flatnonzero(np.hypot(*(position - centre).T) < 8)
        psi = local_orientation(turned, box * 3)[inside]
        np.testing.assert_allclose(psi, np.exp(6j * turn), atol=1e-9)

    def test_random_positions_in_boxes_of_any_shape(self):
        generator = np.random.default_rng(5)
        for count, box in ((7, (1, 1)), (50, (3, 40)), (400, (20, 5)), (1000, (9, 9))):
            position = generator.random((count, 2)) * box
            expected = by_all_pairs(position, np.array(box, float))
            np.testing.assert_allclose(local_orientation(position, box), expected, atol=1e-9)

    def test_clusters_with_empty_cells_between(self):
        generator = np.random.default_rng(6)
        centres = generator.random((5, 2)) * 100
        position = (centres[generator.integers(0, 5, 300)] + generator.normal(0, 0.3, (300, 2))) % 100
        expected = by_all_pairs(position, np.array([100.0, 100.0]))
        np.testing.assert_allclose(local_orientation(position, (100, 100)), expected, atol=1e-9)

    def test_too_few(self):
        with self.assertRaisesRegex(ValueError, "more than 6"):
            local_orientation(np.zeros((6, 2)), (1, 1))
