# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""What of a file a command is about: names, rows, replicas."""

import argparse
import math

import numpy as np

from .errors import NoSuchName

RING = 0.02  # width of those of the program's g(r), in sigma


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, as the program does."""

    def error(self, message):
        self.exit(2, f"{self.prog.rpartition(' ')[2]}: {message} (--help: the options)\n")


def number(text):
    """A finite number."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError
    return value


def check_names(run, names):
    """Raises NoSuchName for what is neither an observable, a field, a group of particles nor a table of the file."""
    known = [*run.observables, *run.fields, *run.particles, *run.history]
    for name in names:
        if name not in known:
            raise NoSuchName(f"{run.path}: has no '{name}'; it has {', '.join(known)}")


def particles_of(run, replica=None):
    """The names of the groups of particles, or of the one that belongs to a replica."""
    names = list(run.particles)
    if replica is None or not names:
        return names
    if not 0 <= replica < run.replicas:
        raise IndexError(f"{run.path}: replica {replica} of the particles; there are {run.replicas}, from 0 on")
    if run.replicas == 1:
        return names
    return [name for name in names if name.rpartition("_")[2].lstrip("0") == str(replica).lstrip("0")]


def row_at(recorded, time):
    """The row of a field or of particles whose time is nearest to this."""
    return int(np.abs(recorded.time - time).argmin())


def rows_of(recorded, rows=None, time=None):
    """Rows of a field or of particles, counted from 0: those that are given, the one nearest to a time, or all."""
    if time is not None:
        return [row_at(recorded, time)]
    if rows is None:
        return list(range(len(recorded)))
    for row in rows:
        if not -len(recorded) <= row < len(recorded):
            raise IndexError(f"row {row} of {recorded.name}; there are {len(recorded)}, from 0 on")
    return [row % len(recorded) for row in rows]
