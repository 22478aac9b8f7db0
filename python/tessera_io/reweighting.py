# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Averages at other couplings from the rows of runs of the Ising and the Potts model, and the covariance of averages."""

import contextlib
import math
import os
from dataclasses import dataclass

import numpy as np

from .file import TesseraFile
from .series import FEW_REPLICAS, autocorrelation_time, average, cosines, student
from .steady import Judgement, rows_of

BLOCKS = 16  # of each run, of which the jackknife leaves out one at a time
FEWEST = 100.0  # effective number of rows for a value
MOST_STEPS, ACCURACY = 10_000, 1e-9  # of free energies
# By model: the order parameter's mean that a susceptibility has, and its second and fourth moments.
ORDER = {"ising": ("magnetisation_abs", "magnetisation_2", "magnetisation_4"), "potts": ("order", "order_2", "order_4")}


@dataclass
class Reweighted:
    """Averages at other couplings.

    coupling      [n]: K = J / (k_B T)
    value, error  {name: [n]}: averages with standard errors; NaN where fewer than 100 rows count. No error if a run is too short for
                  one and has up to eight replicas (docs/output.md)
    rows          [n]: effective number of rows, (sum w)^2 / sum w^2 of their weights
    """

    coupling: np.ndarray
    value: dict
    error: dict
    rows: np.ndarray


def reweight(runs, couplings, names=("energy",), start=None):
    """Averages at these couplings K from runs of `kmc --model ising` or `potts` at one or several couplings: a Reweighted.

    runs    an open file or its path, or several of the same lattice
    names   of observables; also "specific_heat", "susceptibility" and "binder_cumulant", functions of averages as those of the program
    start   time after which rows count; None: that of the file's averages, or half of the run

    Each row of energy E counts at K with the weight exp(-K E) / sum_j n_j exp(f_j - K_j E) (Ferrenberg and Swendsen 1989), with
    the number n_j of independent rows of the run at K_j and its free energy f_j, which follows from the same weights. Errors are
    those of a jackknife over 16 parts of the time of each run, or of more than eight replicas over these, at most 16 groups of them,
    with Student's factor. Raises ValueError for runs of other models, sizes or couplings that differ in a run.
    """
    with contextlib.ExitStack() as files:
        single = isinstance(runs, (str, os.PathLike)) or not isinstance(runs, (list, tuple))
        opened = [files.enter_context(TesseraFile(one)) if isinstance(one, (str, os.PathLike)) else one for one in ([runs] if single else runs)]
        model, sites = opened[0].input.get("model"), opened[0].sites()
        for one in opened:
            if one.input.get("model") != model or one.sites() != sites or model not in ORDER or one.changes:
                raise ValueError(f"{one.path}: must be a run of ising or potts, of the model and size of the others, whose coupling did not change")
        functions = _functions(model, sites)
        needed = list(dict.fromkeys(["energy", *(part for name in names for part in functions.get(name, ((name,),))[0])]))
        parts = [_Part(one, needed, start) for one in opened]
    couplings = np.atleast_1d(np.asarray(couplings, float))

    def values(parts, free):
        weights, free = _weights(parts, couplings * sites, sites, free)
        means = {name: np.stack([w @ np.concatenate([one.rows[name] for one in parts]) for w in weights]) for name in needed}
        found = [functions[name][1](couplings, *(means[part] for part in functions[name][0])) if name in functions else means[name] for name in names]
        return np.array(found), free, 1 / (weights**2).sum(axis=1)

    found, free, rows = values(parts, None)
    variance = np.full(found.shape, 0.0 if all(part.has_errors for part in parts) else np.nan)
    for place, part in enumerate(parts):
        count = part.block.max() + 1
        without = np.array([values([*parts[:place], part.without(block), *parts[place + 1 :]], free)[0] for block in range(count)])
        variance += (count - 1) * without.var(axis=0) * student(1, count - 1) ** 2
    counts = rows >= FEWEST
    value, error = (np.where(counts, one, np.nan) for one in (found, np.sqrt(variance)))
    return Reweighted(couplings, dict(zip(names, value)), dict(zip(names, error)), rows)


def _functions(model, sites):
    """{name: (observables, function(K, their means))}"""
    mean, square, fourth = ORDER.get(model, ("",) * 3)
    return {
        "specific_heat": (("energy", "energy_2"), lambda k, e, e2: k**2 * sites * (e2 - e**2)),
        "susceptibility": ((mean, square), lambda k, m, m2: k * sites * (m2 - m**2)),
        "binder_cumulant": ((square, fourth), lambda _, m2, m4: 1 - m4 / (3 * m2**2)),
    }


class _Part:
    """Rows of a run, of all replicas, with the blocks to which they belong."""

    def __init__(self, run, names, start):
        of = {name: rows_of(run, name, start) for name in names}
        start, (count, replicas) = of["energy"].start, of["energy"].values.shape
        if count < BLOCKS:
            raise ValueError(f"{run.path}: has {count} rows after time {start:g}; {BLOCKS} are needed")
        self.coupling = float(run.input["coupling"])
        self.has_errors = replicas > FEW_REPLICAS or not Judgement(run.hdf5, start).is_short
        if replicas > FEW_REPLICAS:
            self.block = np.tile(np.arange(replicas) * min(BLOCKS, replicas) // replicas, count)
        else:
            self.block = (np.arange(count) * BLOCKS // count).repeat(replicas)
        tau = autocorrelation_time(of["energy"].values, time=np.arange(count))[0]
        self.each = max(1.0, 2 * np.nan_to_num(tau, nan=0.5))  # rows for an independent one
        self.rows = {name: one.values.ravel() for name, one in of.items()}

    def without(self, block):
        other = object.__new__(_Part)
        kept = self.block != block
        other.coupling, other.each, other.rows = self.coupling, self.each, {name: values[kept] for name, values in self.rows.items()}
        return other


def _weights(parts, wanted, sites, free=None):
    """(weights [n, rows] that add up to 1, free energies): `wanted` are couplings times the number of sites."""
    from scipy.special import logsumexp

    energy = np.concatenate([one.rows["energy"] for one in parts])
    energy = energy - energy.mean()
    share = np.concatenate([np.full(len(one.rows["energy"]), -math.log(one.each)) for one in parts])
    couplings = np.array([one.coupling * sites for one in parts])
    counts = np.log([len(one.rows["energy"]) / one.each for one in parts])
    exponents = -couplings[:, None] * energy
    free = np.zeros(len(parts)) if free is None else free
    for _ in range(MOST_STEPS):
        below = logsumexp((counts + free)[:, None] + exponents, 0)
        new = -logsumexp(share - below + exponents, 1)
        new -= new[0]
        change, free = np.abs(new - free).max(), new
        if change < ACCURACY:
            break
    logs = share - below - wanted[:, None] * energy
    return np.exp(logs - logsumexp(logs, 1)[:, None]), free


def covariance(arrays, replicas=None):
    """[k, k]: the covariance matrix of the means of k stationary series over the same rows, [rows] or [rows, R] each.

    The square roots of its diagonal are the errors of average(); a series that is too short for one has NaN. The correlations are those
    of the replicas' means and of the lowest amplitudes of the cosines of each replica, 24 degrees of freedom or more in all.
    """
    values = np.stack([np.reshape(one, (-1, replicas)) if replicas else np.reshape(one, (len(one), -1)) for one in map(np.asarray, arrays)])
    kinds, count, several = values.shape
    frequencies = min(math.ceil(max(0, 25 - several) / several), count - 1)
    if several - 1 + several * frequencies < kinds:
        raise ValueError(f"the covariance of {kinds} series needs more rows")
    means = values.mean(axis=1)
    deviations = values - means[:, None, :]
    amplitudes = np.einsum("jn,knr->kjr", cosines(count, frequencies), deviations).reshape(kinds, -1)
    apart = math.sqrt(count) * (means - means.mean(axis=1, keepdims=True))
    power = amplitudes @ amplitudes.T + apart @ apart.T
    scale = np.array([average(one).error for one in values]) / np.sqrt(np.diag(power))
    return power * np.outer(scale, scale)
