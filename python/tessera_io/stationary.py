# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Tests whether an observable is stationary in the window of its average."""

import math
import os
from dataclasses import dataclass

import numpy as np

from .file import open_file

FEWEST = 8  # smallest number of rows whose halves have errors
MOST_ERRORS = 3.0
WINDOW = 5.0  # of the sum, in autocorrelation times (Madras and Sokal)


@dataclass
class Stationarity:
    """The two halves of a window in time.

    name, start          the observable, and the time after which its rows are used
    rows                 their number
    first, second        means of the halves, over rows and replicas
    difference, error    second - first, with its standard error, which includes the autocorrelation of rows
    autocorrelation_rows, autocorrelation_time  integrated autocorrelation time in rows, at least 1/2, and in the unit of time
    """

    name: str
    start: float
    rows: int
    first: float
    second: float
    error: float
    autocorrelation_rows: float
    autocorrelation_time: float

    @property
    def difference(self):
        return self.second - self.first

    @property
    def deviation(self):
        """The difference in units of its error; 0 if the halves are equal."""
        return self.difference / self.error if self.error > 0 else math.copysign(math.inf, self.difference) if self.difference else 0.0

    @property
    def stationary(self):
        """Whether the halves differ by at most three standard errors."""
        return abs(self.deviation) <= MOST_ERRORS

    def __str__(self):
        halves = f"{self.name}: the halves of the window differ by {abs(self.deviation):.2g} standard errors"
        return f"{halves} ({self.first:.6g} and {self.second:.6g}); autocorrelation time {self.autocorrelation_time:.3g}"


def stationarity(run, name, start=None):
    """Compares the halves of the window after the time `start` in which an observable is averaged: a Stationarity.

    run    an open file, or its path
    start  None: that of --average-from, else half the time of the last row

    Of disks, whose rows are running means, the single samples of the table `samples` are compared. The autocorrelation
    is that of the deviations from the mean over the replicas in each row, which a common drift does not change; of one
    replica, from the mean of each half. Raises ValueError for fewer than eight rows.
    """
    if isinstance(run, (str, os.PathLike)):
        with open_file(run) as opened:
            return stationarity(opened, name, start)
    time, values = _rows(run, name)
    if start is None:
        start = run.averages[name].start if name in run.averages else time[-1] / 2 if len(time) else 0.0
    used = (time > start) & np.isfinite(values).all(axis=1)
    time, values = time[used], values[used]
    if len(time) < FEWEST:
        raise ValueError(f"{run.path}: {name} has {len(time)} rows after time {start:g}; errors of its halves need at least {FEWEST}")
    half = len(time) // 2
    halves = values[:half], values[-half:]
    if values.shape[1] > 1:
        deviations = [rows - rows.mean(axis=1, keepdims=True) for rows in halves]
        free = 1 - 1 / values.shape[1]
    else:
        deviations = [rows - rows.mean() for rows in halves]
        free = 1 - 1 / half
    variance = np.mean([(rows**2).mean() for rows in deviations]) / free
    count = _autocorrelation_rows(deviations)
    error = math.sqrt(2 * variance * 2 * count / (half * values.shape[1]))
    first, second = (float(rows.mean()) for rows in halves)
    step = (time[-1] - time[0]) / (len(time) - 1)
    return Stationarity(name, float(start), len(time), first, second, error, count, float(count * step))


def drifting(run):
    """Those averages of a run, of --average-from, whose halves differ by more than three standard errors."""
    found = []
    for name in run.averages:
        if run.averages[name].value is not None or run.replicas == 1:  # skewness and kurtosis are not means of rows
            try:
                found.append(stationarity(run, name))
            except (ValueError, KeyError):
                continue
    return [one for one in found if not one.stationary]


def _rows(run, name):
    """(time, values): [rows], [rows, R]."""
    samples = run.history["samples"] if run.method == "disks" and "samples" in run.history else {}
    if name in samples and "replica" in samples:
        values = [samples[name][samples["replica"] == one] for one in range(run.replicas)]
        rows = min(map(len, values))
        return samples["sweep"][samples["replica"] == 0][:rows], np.stack([one[:rows] for one in values], axis=1)
    observable = run.observables[name]
    return observable.time, observable.value.reshape(len(observable.value), -1).astype(float)


def _autocorrelation_rows(halves):
    """1/2 + sum of the normalised autocorrelation of deviations [rows, R] up to the lag that is five times this sum."""
    length = len(halves[0])
    size = 1 << (2 * length - 1).bit_length()
    spectrum = sum((np.abs(np.fft.rfft(rows, size, axis=0)) ** 2).sum(axis=1) for rows in halves)
    covariance = np.fft.irfft(spectrum, size)[:length] / (length - np.arange(length))
    if not covariance[0] > 0:
        return 0.5
    total = 0.5
    for lag in range(1, length):
        total += covariance[lag] / covariance[0]
        if lag >= WINDOW * total:
            break
    return max(float(total), 0.5)
