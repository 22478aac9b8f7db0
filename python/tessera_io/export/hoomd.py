# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""GSD, the format of HOOMD-blue, by its own library."""

import contextlib
import os
from functools import partial

import numpy as np

from ..choice import only_particles
from ..errors import TesseraFileError, check_index

SIGNATURE = bytes([0xDF, 0x65] * 4)  # first bytes of a GSD file


def is_gsd(path):
    """Whether a file is GSD, by its content or its name."""
    if path.endswith(".gsd"):
        return True
    with contextlib.suppress(OSError), open(path, "rb") as file:
        return file.read(len(SIGNATURE)) == SIGNATURE
    return False


def write_gsd(run, names, rows, time, replica):
    """STEM_NAME.gsd of each group of particles; the origin is in the middle of the box."""
    hoomd = _library()
    for name, particles, of_it in only_particles(run, names, rows, time, replica, "GSD"):
        yield f"_{name}.gsd", partial(_write, particles, of_it, hoomd)


def read_gsd(path, row=None):
    """Frames (positions [N, 2], box [2], diameter, step) of a GSD file of disks of one diameter: of a row, or all."""
    hoomd = _library()
    if not os.path.isfile(path):
        raise FileNotFoundError(f"{path}: no such file")
    try:
        opened = hoomd.open(path, "r" if hasattr(hoomd, "Frame") else "rb")
    except RuntimeError as error:
        raise TesseraFileError(f"{path}: {error}") from error
    with opened as file:
        if len(file) == 0:
            raise TesseraFileError(f"{path}: has no frames")
        check_index(f"{path}: no row {row}", row or 0, len(file), from_end=True)
        for number in range(len(file)) if row is None else [row % len(file)]:
            frame = file[number]
            box, particles = np.asarray(frame.configuration.box, float), frame.particles
            if (box[3:] != 0).any():
                raise TesseraFileError(f"{path}: row {number} has a box that is not rectangular")
            if particles.N == 0:
                raise TesseraFileError(f"{path}: row {number} has no particles")
            if len(set(particles.diameter)) != 1:
                raise TesseraFileError(f"{path}: row {number} has disks of several diameters")
            position = np.asarray(particles.position, float)[:, :2] + box[:2] / 2
            yield np.mod(position, box[:2]), box[:2], float(particles.diameter[0]), int(frame.configuration.step)


def _library():
    try:
        import gsd.hoomd
    except ImportError as error:
        raise ImportError(f"{error}; GSD needs its library (Debian: python3-gsd, elsewhere: pip install gsd)") from error
    return gsd.hoomd


def diameter_of(box):
    """The largest diameter for which no disks of diameter 1 overlap after conversion of positions and box to single precision."""
    # Rounding error of a distance along an axis: half a spacing of each position, and a spacing of the edge across the border.
    rounding = 2 * np.spacing((box / 2).astype(np.float32))
    return np.nextafter(np.float32(1 - np.hypot(*rounding)), np.float32(0))


def _write(particles, rows, hoomd, path):
    new = hasattr(hoomd, "Frame")  # from version 2.8 on
    with hoomd.open(path, "w" if new else "wb") as file:
        for row in rows:
            box = particles.box(row)
            frame = hoomd.Frame() if new else hoomd.Snapshot()
            frame.configuration.step = int(particles.step[row])
            frame.configuration.dimensions = 2
            frame.configuration.box = [*box, 0, 0, 0, 0]
            frame.particles.N = particles.count
            frame.particles.types = ["disk"]
            frame.particles.diameter = np.full(particles.count, diameter_of(box))
            frame.particles.position = np.pad(particles.position(row) - box / 2, ((0, 0), (0, 1))).astype(np.float32)
            frame.log["time"] = np.array([particles.time[row]])
            file.append(frame)
