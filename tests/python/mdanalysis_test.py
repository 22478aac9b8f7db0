# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""MDAnalysis reads the trajectories of disks."""

import h5py
import MDAnalysis
import numpy as np
import program


class Trajectory(program.InFolder):
    @classmethod
    def prepare(cls):
        words = "disks --particles 64 --aspect 2 --sweeps 30 --field-every 10 --measure-every 10 --quiet"
        program.run(words.split(), cls.folder)

    def test_boxes_times_and_positions_are_those_of_the_file(self):
        disks = MDAnalysis.Universe.empty(64, trajectory=True)
        disks.load_new(self.path("disks.h5"), format="H5MD", convert_units=False)
        with h5py.File(self.path("disks.h5")) as stored:
            group = stored["particles/disks"]
            self.assertEqual(len(disks.trajectory), 4)
            for row, snapshot in enumerate(disks.trajectory):
                self.assertEqual(snapshot.data["time"], 10 * row)
                edges = np.diag(group["box/edges/value"][row])
                np.testing.assert_allclose(snapshot.dimensions, [*edges, 90, 90, 90], rtol=1e-6)
                np.testing.assert_allclose(disks.atoms.positions, group["position/value"][row], atol=1e-6)
