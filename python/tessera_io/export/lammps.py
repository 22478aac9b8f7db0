# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Text dumps of LAMMPS, which OVITO, VMD and MDAnalysis read."""

from functools import partial

import numpy as np

from ..choice import only_particles

RADIUS = 0.5


def write_lammps(run, names, rows, time, replica):
    """STEM_NAME.lammpstrj of each group of particles: the timestep is the sweep, lengths are diameters ("units lj")."""
    for name, particles, of_it in only_particles(run, names, rows, time, replica, "a dump of LAMMPS"):
        yield f"_{name}.lammpstrj", partial(_write, particles, of_it)


def _write(particles, rows, path):
    with open(path, "w", encoding="utf-8") as file:
        for row in rows:
            box = particles.box(row)
            file.write(
                f"ITEM: TIMESTEP\n{particles.step[row]}\nITEM: NUMBER OF ATOMS\n{particles.count}\n"
                f"ITEM: BOX BOUNDS pp pp pp\n0 {box[0]:.17g}\n0 {box[1]:.17g}\n{-RADIUS} {RADIUS}\n"
                "ITEM: ATOMS id type x y z radius\n"
            )
            number = np.arange(1, particles.count + 1)
            columns = [number, np.ones_like(number), *particles.position(row).T]
            np.savetxt(file, np.column_stack(columns), f"%d %d %.17g %.17g 0 {RADIUS}")
