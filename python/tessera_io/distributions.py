# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Histograms of the measurements of a run."""

import math

import numpy as np

from .errors import TesseraFileError
from .functions import AveragedFunction
from .steady import Judgement, errors_from, rows_of

MOST_BINS = {1: 100, 2: 40}  # along each axis, by the number of observables


class Histogram(AveragedFunction):
    """The probability density P of one or two observables over the measurements of a run: P(E), P(E, m).

    name         "P(energy)", "P(energy, magnetisation)"; unit: that of the density
    edges        {observable: [n + 1]}: of the bins; arguments: {observable: [n]}, their middles; units, titles
    mean, error  [n] or [n, m]: density over all replicas, and its standard error, NaN if none is known
    value        [R, n] or [R, n, m]: of each replica
    probability  as mean: of the bins, which adds up to 1; area: of the bins
    start, samples, time_unit  time after which measurements count, and their number per replica
    judgement    a steady.Judgement: whether the window is long enough for errors
    """

    def __init__(self, run, names, edges, rows):
        self._path, self.name = run.path, f"P({', '.join(names)})"
        self.edges = dict(zip(names, edges))
        self.units = {name: one.unit for name, one in zip(names, rows)}
        self.titles = {name: run.description.title(name) for name in names}
        self.unit = " ".join(f"1/({unit})" if "/" in unit or " " in unit else f"1/{unit}" for unit in self.units.values() if unit)
        self.arguments = {name: (edge[1:] + edge[:-1]) / 2 for name, edge in self.edges.items()}
        self.start, self.samples, self.time_unit = rows[0].start, len(rows[0].time), rows[0].time_unit
        self.judgement = Judgement(run.hdf5, self.start)
        shape, replicas = [len(edge) - 1 for edge in edges], rows[0].values.shape[1]
        places = [np.clip(np.searchsorted(edge, one.values, "right") - 1, 0, len(edge) - 2) for edge, one in zip(edges, rows)]
        bins = np.ravel_multi_index(places, shape) + math.prod(shape) * np.arange(replicas)

        def amplitude(weights):
            return np.bincount(bins.ravel(), weights.repeat(replicas), replicas * math.prod(shape)).reshape(replicas, -1)

        each = amplitude(np.full(self.samples, 1 / self.samples))
        self.area = np.multiply.reduce(np.meshgrid(*map(np.diff, edges), indexing="ij"))
        self.value = each.reshape(replicas, *shape) / self.area
        self.mean = self.value.mean(axis=0)
        self.error = errors_from(self.samples, each, amplitude, self.judgement.is_short).reshape(shape) / self.area

    @property
    def probability(self):
        return self.mean * self.area


def histogram(run, *names, bins=None, start=None):
    """The Histogram of an observable, or the joint one of two, over the measurements of an open file; of disks over all samples.

    bins   most bins along each axis [100, of two observables 40]. If the values are integers over the number of sites, such as
           energies of spins, each bin has equally many of their levels, one where that makes no more bins
    start  time after which measurements count [that of the averages of the file, or half of the run]

    Errors are those of averages (docs/output.md) of the indicator of each bin; a bin without measurements has none.
    """
    if len(names) not in MOST_BINS:
        raise ValueError(f"histogram() of {len(names)} observables: must be of one or two")
    rows = [rows_of(run, name, start) for name in names]
    for name, one in zip(names, rows):
        if one.values.shape != rows[0].values.shape:
            raise TesseraFileError(f"{run.path}: {names[0]} and {name} were not measured at the same times and of the same replicas")
        if not len(one.values) or not np.isfinite(one.values).all():
            raise TesseraFileError(f"{run.path}: {name} has no value in {np.isnan(one.values).sum()} of {one.values.size} measurements")
    sites = run.sites() if "size" in run.input else None
    edges = [_edges(one.values, sites, bins or MOST_BINS[len(names)]) for one in rows]
    return Histogram(run, names, edges, rows)


def _edges(values, sites, most):
    """The edges of at most so many bins. Levels of integers over twice the sites are in the middle of a bin, or equally many in each."""
    low, high, parts = values.min(), values.max(), 2 * (sites or 0)  # twice: order parameters of Potts spins
    numbers = np.rint(values * parts)
    if parts and np.abs(numbers - values * parts).max() < 1e-3 and np.abs(numbers / parts - values).max() <= 1e-14 * max(abs(low), abs(high)):
        numbers = np.unique(numbers).astype(np.int64)
        step = max(1, int(np.gcd.reduce(np.diff(numbers, prepend=numbers[0]))))
        levels = (numbers[-1] - numbers[0]) // step + 1
        each = -(-levels // most)
        return (numbers[0] + step * (each * np.arange(-(-levels // each) + 1) - 0.5)) / parts
    return np.linspace(low, high, most + 1) if high > low else np.array([low, np.nextafter(low, np.inf)])
