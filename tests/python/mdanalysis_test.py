# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""MDAnalysis reads the trajectories of disks."""

import h5py
import MDAnalysis
import numpy as np
import program


class Trajectory(program.InFolder):
    runs = (
        "disks --particles 64 --aspect 2 --sweeps 30 --field-every 10 --measure-every 10",
        "disks --particles 64 --sweeps 30 --output default.h5",
    )

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

    def test_reads_a_run_without_options(self):
        disks = MDAnalysis.Universe.empty(64, trajectory=True)
        disks.load_new(self.path("default.h5"), format="H5MD", convert_units=False)
        with h5py.File(self.path("default.h5")) as stored:
            self.assertEqual(len(disks.trajectory), 1)
            np.testing.assert_allclose(disks.atoms.positions, stored["particles/disks/position/value"][0], atol=1e-6)

    def test_reads_a_dump_of_lammps(self):
        out, _ = program.python(["-m", "tessera_io.export", "disks.h5", "--to", "lammps"], self.folder)
        disks = MDAnalysis.Universe(self.path(out.strip()), format="LAMMPSDUMP", topology_format="LAMMPSDUMP")
        with h5py.File(self.path("disks.h5")) as stored:
            self.assertEqual(len(disks.trajectory), 4)
            for row, _ in enumerate(disks.trajectory):
                position = stored["particles/disks/position/value"][row]
                np.testing.assert_allclose(disks.atoms.positions[:, :2], position[:, :2], atol=1e-5)
