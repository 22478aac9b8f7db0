# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The rows of a run after the start of its averages, whether they suffice for errors, and the errors of many means at once."""

from collections import namedtuple

import numpy as np

from .observables import Observable
from .series import FEW_REPLICAS, MANY, Window, cosines, lack, longest, power_at_zero
from .text import unit_of
from .window import required

SLOW = ("roughness", "magnetisation", "order")  # and coverages: relax as slowly as any average
SAMPLES = "history/samples"  # of disks
ORIENTATION = ("psi6_re", "psi6_im")  # of samples, whose mean is 0 by symmetry

# Of a quantity: [n], [n, R], texts, and the time after which they come.
Rows = namedtuple("Rows", "time values unit time_unit start", defaults=[-np.inf])


def rows_of(run, name, start=None):
    """The Rows of an observable after a time; of disks those of all samples.

    start  None: that of the averages of the file, or half of the run
    """
    samples = run.hdf5.get(SAMPLES, {})
    rows = _of_samples(samples, name) if name in samples or (name == "psi6" and samples) else _of(run.observables[name])
    start = start_of(run.hdf5, rows.time, start)
    return rows._replace(time=rows.time[rows.time > start], values=rows.values[rows.time > start], start=start)


def start_of(h5, time, start=None):
    """The time after which rows count; see rows_of()."""
    if start is None:
        start = h5["averages/from"][()] if "averages/from" in h5 else time[-1] / 2
    return float(start)


def _of(one):
    return Rows(one.time, one.value.reshape(len(one.time), -1), one.unit, one.time_unit)


def _of_samples(samples, name):
    columns = [samples[part] for part in (ORIENTATION if name == "psi6" else [name])]
    replicas = int(samples["replica"][()].max()) + 1
    values = np.sqrt(sum(column[()] ** 2 for column in columns)) if name == "psi6" else columns[0][()]
    return Rows(samples["sweep"][::replicas], values.reshape(-1, replicas), unit_of(columns[0]), unit_of(samples["sweep"]))


class Judgement:
    """Whether the rows of a run after `start` are enough for errors of averages, by its slow modes, as the program judges.

    modes         {name: [Rows]}: longest waves that the file does not have

    longer, slow  by how many times the window must be longer, at least, and the slowest mode; NaN, "": it need not be
    """

    def __init__(self, h5, start, modes=()):
        modes = {name: (2, rows) for name, rows in dict(modes).items()}
        for name, group in h5.get("slow_modes", {}).items():
            modes.setdefault("S(k_min) of " + name.rpartition("_k")[0], (2, []))[1].append(_of(Observable(group, "")))
        for name, group in h5.get("observables", {}).items():
            if name in SLOW or name.startswith("coverage"):
                modes[name] = 1, [_of(Observable(group, ""))]
        if SAMPLES in h5:
            modes[", ".join(ORIENTATION)] = 1, [_of_samples(h5[SAMPLES], name) for name in ORIENTATION]
        lacks = []
        for name, (slower, group) in modes.items():
            windows = [Window(one.time[used], one.values[used], 0) for one in group for used in [one.time > start]]
            lacks.append(lack(name, windows, slower))
        self.longer, self.slow = longest(lacks)

    @property
    def is_short(self):
        return self.longer > 0

    @property
    def words(self):
        """For captions; empty if the window is long enough."""
        return f"the window is too short, {required(self.longer, self.slow)}" if self.is_short else ""


def errors_of(values, is_short=False):
    """[...]: standard errors of the means of series [n, R, ...], by the rule of docs/output.md; NaN for equal values, and for up to
    eight replicas if the window is too short."""
    flat = values.reshape(*values.shape[:2], -1)
    flat = flat - flat[:1, :1]  # exact zeros if all are equal
    return errors_from(len(flat), flat.mean(axis=0), lambda cosine: np.tensordot(cosine, flat, 1), is_short).reshape(values.shape[2:])


def errors_from(count, means, amplitude, is_short=False):
    """[k]: the same from the means [R, k] of series of `count` rows, and amplitude(c) = sum over the rows i of c[i] y[i], [R, k]."""
    replicas = len(means)
    waves = cosines(count, min(-(-MANY // replicas), count // 2))
    powers = np.array([amplitude(wave) ** 2 for wave in waves]).reshape(-1, *means.shape)
    errors = np.full(means.shape[1], np.nan)
    for k in range(len(errors)):
        power, _, _, differ = power_at_zero(count, means[:, k], powers[:, :, k])
        if power > 0 and (not is_short or differ or replicas > FEW_REPLICAS):
            errors[k] = np.sqrt(power / (count * replicas))
    return errors
