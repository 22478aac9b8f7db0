# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Snapshots one after the other in a text, each with its box, time and points: extended XYZ, which OVITO and ASE read, and dumps of LAMMPS,
which OVITO, VMD and MDAnalysis read."""

from functools import partial

import numpy as np

from ..choice import only_particles, particles_of, rows_of

DIAMETER = 1.0


def write_extxyz(run, names, rows, time, replica, species=()):
    """STEM_NAME.xyz of each group of particles, and of each replica of a lattice: a point on each site, or on those with these species."""
    for name in particles_of(run, replica):
        if not names or name in names:
            particles = run.particles[name]
            yield f"_{name}.xyz", partial(_write, partial(_disks, particles), particles, rows_of(particles, rows, time))
    for name in run.fields:
        field = run.fields[name]
        if len(field.shape) > 1 and (not names or name in names):
            for number in range(field.replicas) if replica is None else [replica]:
                field.snapshot(0, number)  # the replica must exist
                suffix = f"_{name}_{number}.xyz" if field.replicas > 1 else f"_{name}.xyz"
                yield suffix, partial(_write, _cells(field, number, field.numbers(species or field.names)), field, rows_of(field, rows, time))


def write_frames(path, frames):
    """Writes frames (positions [N, 2], box [2], diameter, step) of disks as extended XYZ."""
    with open(path, "w", encoding="utf-8") as file:
        for position, box, diameter, step in frames:
            file.write(
                f'{len(position)}\nLattice="{box[0]:.17g} 0 0 0 {box[1]:.17g} 0 0 0 1" pbc="T T F" '
                f"Properties=species:S:1:pos:R:3:radius:R:1 step={step}\n"
            )
            np.savetxt(file, position, f"X %.17g %.17g 0 {diameter / 2:.17g}")


def _write(frame, recorded, rows, path):
    with open(path, "w", encoding="utf-8") as file:
        for row in rows:
            sides, properties, form, points = frame(row)
            lattice = " ".join(f"{number:.17g}" for number in sides.ravel())
            along_z = "T" if len(getattr(recorded, "shape", ())) == 3 else "F"
            unit = f' time_unit="{recorded.time_unit}"' if recorded.time_unit else ""
            file.write(
                f'{len(points)}\nLattice="{lattice}" pbc="T T {along_z}" Properties={properties} '
                f"time={recorded.time[row]:.17g} step={recorded.step[row]}{unit}\n"
            )
            np.savetxt(file, points, form)


def _disks(particles, row):
    points = np.pad(particles.position(row), ((0, 0), (0, 2)))
    points[:, 3] = DIAMETER / 2
    return np.diag([*particles.box(row), 1]), "species:S:1:pos:R:3:radius:R:1", "X %.17g %.17g %g %g", points


def _cells(field, replica, of):
    """Points of a lattice, of these numbers of species; heights are also the third coordinate. Species of a model file are types: ASE
    takes what is called species for chemical elements, and reads none that is called empty."""
    nx, ny, nz = (*field.shape[::-1], 1)[:3] if field.box is None else field.box
    sides = field.sides * [[nx], [ny], [nz]]
    places = field.places().reshape(-1, 3)

    def numbers(row):
        lattice = field.snapshot(row, replica).ravel()
        if field.name == "height":
            places[:, 2] = lattice
        return sides, f"species:S:1:pos:R:3:{field.name}:I:1", "X %.17g %.17g %.17g %d", np.column_stack([places, lattice])

    def species(row):
        on_sites = field.on_sites(row, replica).ravel()
        sites = np.repeat(np.char.replace(list(field.sites), " ", "_"), nx * ny * nz)
        points = np.column_stack([np.char.replace(field.names, " ", "_")[on_sites], places.astype(object), sites])
        return sides, "type:S:1:pos:R:3:site:S:1", "%s %.17g %.17g %.17g %s", points[np.isin(on_sites, of)]

    return species if field.sites else numbers


def write_lammps(run, names, rows, time, replica):
    """STEM_NAME.lammpstrj of each group of particles: the timestep is the sweep, lengths are diameters ("units lj")."""
    for name, particles, of_it in only_particles(run, names, rows, time, replica, "a dump of LAMMPS"):
        yield f"_{name}.lammpstrj", partial(_dump, particles, of_it)


def _dump(particles, rows, path):
    with open(path, "w", encoding="utf-8") as file:
        for row in rows:
            box = particles.box(row)
            file.write(
                f"ITEM: TIMESTEP\n{particles.step[row]}\nITEM: NUMBER OF ATOMS\n{particles.count}\n"
                f"ITEM: BOX BOUNDS pp pp pp\n0 {box[0]:.17g}\n0 {box[1]:.17g}\n{-DIAMETER / 2} {DIAMETER / 2}\n"
                "ITEM: ATOMS id type x y z radius\n"
            )
            number = np.arange(1, particles.count + 1)
            columns = [number, np.ones_like(number), *particles.position(row).T]
            np.savetxt(file, np.column_stack(columns), f"%d %d %.17g %.17g 0 {DIAMETER / 2}")
