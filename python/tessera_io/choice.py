# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Selection of names, rows and replicas of a file by a command."""

import argparse
import math

import numpy as np

from .errors import NoSuchName, TesseraFileError, check_index

RING = 0.02  # width of the rings of the program's g(r), in sigma


class Parser(argparse.ArgumentParser):
    """Reports errors in one line, like the program."""

    def error(self, message):
        self.exit(2, f"{self.prog.rpartition(' ')[2]}: {message}; see --help\n")


def number(text):
    """Converts a text to a finite number."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError
    return value


def check_names(run, names):
    """Raises NoSuchName for a name that is not an observable, function, field, group of particles or table of the file."""
    known = [*run.observables, *run.functions, *run.fields, *run.particles, *run.history]
    for name in names:
        if name not in known and name not in run.observables and name not in run.functions:
            raise NoSuchName(f"{run.path}: has no '{name}'; it has {', '.join(known)}")


def particles_of(run, replica=None):
    """The names of all groups of particles, or of the group of a replica."""
    names = list(run.particles)
    if replica is None or not names:
        return names
    check_index(f"{run.path}: no replica {replica} of the particles", replica, run.replicas)
    if run.replicas == 1:
        return names
    return [name for name in names if name.rpartition("_")[2].lstrip("0") == str(replica).lstrip("0")]


def only_particles(run, names, rows, time, replica, form):
    """(name, particles, rows) of each group to export in a format that stores only particles."""
    lattices = [name for name in names if name not in run.particles]
    if lattices:
        none = ", ".join(lattices)
        raise TesseraFileError(f"{run.path}: {form} stores only particles, and {none} are not particles; use extxyz or vtkhdf")
    for name in particles_of(run, replica):
        if not names or name in names:
            yield name, run.particles[name], rows_of(run.particles[name], rows, time)


def rows_of(recorded, rows=None, time=None):
    """Rows of a field or of particles, counted from 0: the given ones, the one nearest to a time, or all."""
    if time is not None:
        return [int(np.abs(recorded.time - time).argmin())]
    if rows is None:
        return list(range(len(recorded)))
    for row in rows:
        check_index(f"no row {row} of {recorded.name}", row, len(recorded), from_end=True)
    return [row % len(recorded) for row in rows]
