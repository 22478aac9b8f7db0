# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The finished points of a sweep, read from its table."""

import contextlib
import os
from dataclasses import dataclass, field
from functools import cached_property
from types import SimpleNamespace

import numpy as np

from ..described import Description
from ..errors import NoSuchName, TesseraFileError
from ..file import TesseraFile, open_hdf5
from ..text import text_of, unit_of
from . import labels

TABLE = "table.h5"  # in the folder of a sweep


@dataclass
class Quantity:
    """A column of the table, [points]: values, errors, and which points are not stationary."""

    name: str
    unit: str
    value: np.ndarray
    error: np.ndarray
    doubtful: np.ndarray
    title: str


@dataclass
class Series:
    """Points that differ in one option: its values (or their places in `ticks`, if they are not numbers), and the quantity."""

    choice: str  # of the other options, "q = 0.2"; words: the same, typeset
    words: str
    x: np.ndarray
    value: np.ndarray
    error: np.ndarray
    doubtful: np.ndarray


@dataclass
class Swept:
    """The finished points in the table of a sweep.

    points      their names
    averaged    whether the quantities are averages over time, or the last values of observables
    inputs      {option: [points]} of the options that vary
    quantities  {name: Quantity}
    together    {option: the options whose values follow from its own}, as those of zipped options do
    """

    folder: str
    points: list
    averaged: bool
    inputs: dict
    quantities: dict
    together: dict = field(default_factory=dict)

    def abscissa(self, wanted=None):
        """The option to draw against: the wanted one, else of those that are numbers, and not seeds, the one with the most values."""
        if wanted:
            if wanted not in self.inputs:
                raise NoSuchName(f"{self.folder}: '{wanted}' does not vary; the options that vary are {', '.join(self.inputs)}")
            return wanted
        numbers = [name for name in self.inputs if self.inputs[name].dtype.kind == "f" and name != "seed"]
        return max(numbers or list(self.inputs), key=lambda name: len(set(self.inputs[name])))

    def series(self, name, along, ticks=None):
        """The Series of a quantity: one for each choice of the options other than `along`."""
        of = self.quantities[name]
        others = [other for other in self.inputs if other != along and other not in self.together.get(along, ())]
        choices = list(dict.fromkeys(zip(*(self.inputs[other] for other in others)))) if others else [()]
        for choice in choices:
            rows = np.ones(len(of.value), dtype=bool)
            for other, wanted in zip(others, choice):
                rows &= self.inputs[other] == wanted
            x = self.inputs[along][rows]
            x = np.array([ticks.index(word) for word in x]) if ticks else x
            order = np.argsort(x, kind="stable")
            values = [x, of.value[rows], np.where(np.isfinite(of.error[rows]), of.error[rows], 0), of.doubtful[rows]]
            pairs = [(o, f"{c:.6g}" if isinstance(c, float) else c) for o, c in zip(others, choice)]
            typeset = ", ".join(labels.parameter(o, c, self.description) for o, c in pairs)
            yield Series(", ".join(f"{o} = {c}" for o, c in pairs), typeset, *(value[order] for value in values))

    @cached_property
    def runs(self):
        """Input, method, number of replicas and start of the averages of each point that has a file."""
        found = []
        for point in self.points:
            with contextlib.suppress(TesseraFileError, OSError), self.open(point) as run:
                start = run.hdf5["averages/from"][()] if "averages/from" in run.hdf5 else None
                facts = {name: getattr(run, name) for name in ("path", "method", "input", "replicas", "known_bias", "description")}
                found.append(SimpleNamespace(**facts, start=start))
        return found

    @cached_property
    def description(self):
        """That of the first point with a file."""
        return self.runs[0].description if self.runs else Description()

    @property
    def replicas_of_errors(self):
        """The number of replicas whose scatter gives the errors; None for averages over time and single systems."""
        counts = {run.replicas for run in self.runs}
        return None if self.averaged or counts == {1} else min(counts, default=None)

    def open(self, point):
        return TesseraFile(os.path.join(self.folder, "points", point + ".h5"))


def together(inputs):
    """For each option, the other options whose values follow from it in all points."""
    return {
        name: [other for other in inputs if other != name and len(set(zip(inputs[name], inputs[other]))) == len(set(inputs[name]))] for name in inputs
    }


def read_table(folder):
    """The Swept of a folder."""
    with open_hdf5(os.path.join(folder, TABLE)) as table:
        done = table["finished"][:] == 1
        points = [name for name, one in zip(map(text_of, table["point"][:]), done) if one]
        averaged = len(table["averages"]) > 0
        values = {name: table["inputs"][name][:] for name in map(text_of, table.attrs["inputs"])}
        inputs = {name: (np.char.decode(of_one, "utf-8") if of_one.dtype.kind == "S" else of_one)[done] for name, of_one in values.items()}
        swept = Swept(folder, points, averaged, inputs, {}, together(values))
        group = table["averages" if averaged else "observables"]
        for name in map(text_of, group.attrs.get("order", ())):
            doubtful = np.zeros(len(done), dtype=bool)
            if "stationarity" in group[name]:
                doubtful = ~np.isin(group[name]["stationarity"][:], (b"stationary", b""))
            value, error = group[name]["value"][:], group[name]["error"][:]
            swept.quantities[name] = Quantity(name, unit_of(group[name]["value"]), value[done], error[done], doubtful[done], swept.description.title(name))
    return swept
