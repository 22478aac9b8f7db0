# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Tests whether an observable is stationary in the window of its average."""

import math
import os

import numpy as np

from .file import open_file
from .verdict import FEWEST, FEWEST_TIMES, Stationarity

WINDOW = 5.0  # of the sum, in autocorrelation times (Madras and Sokal)
ONCE_IN_1000 = 3.0902  # what a normal number exceeds once in 1000 times
MARGIN = 1.5  # of a limit, for errors from short windows


def stationarity(run, name, start=None):
    """Compares the halves of the window after the time `start` in which an observable is averaged, and the replicas: a Stationarity.

    run    an open file, or its path
    start  None: that of --average-from, of disks that of --equilibrate, else half the time of the last row

    Of disks, whose rows are running means, the single samples of the table `samples` are compared. The autocorrelation
    is that of the deviations from the mean over the replicas in each row, which a common drift does not change; of one
    replica, from the mean of each half; of psi6_re and psi6_im of disks, from 0, the mean by symmetry. The program uses
    the same rule; `run.stationarity` has what it found. Beyond 1024 rows it compares sums over rows.
    """
    if isinstance(run, (str, os.PathLike)):
        with open_file(run) as opened:
            return stationarity(opened, name, start)
    time, values = _rows(run, name)
    if start is None and name in run.averages:
        start = run.averages[name].start
    elif start is None and run.method == "disks":
        start = float(run.input.get("equilibrate", 0))
    elif start is None:
        start = time[-1] / 2 if len(time) else 0.0
    used = (time > start) & np.isfinite(values).all(axis=1)
    time, values = time[used], values[used]
    if len(time) < FEWEST:
        return Stationarity(name, float(start), len(time))
    half = len(time) // 2
    known = run.method == "disks" and name.startswith("psi6_")
    halves = values[:half], values[-half:]
    if known:
        deviations, free = halves, 1
    elif values.shape[1] > 1:
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
    return Stationarity(name, float(start), len(time), first, second, error, count, float(count * step), *_compare_replicas(*halves))


def _rows(run, name):
    """(time, values): [rows], [rows, R]."""
    samples = run.history["samples"] if run.method == "disks" and "samples" in run.history else {}
    if name in samples and "replica" in samples:
        values = [samples[name][samples["replica"] == one] for one in range(run.replicas)]
        rows = min(map(len, values))
        return samples["sweep"][samples["replica"] == 0][:rows], np.stack([one[:rows] for one in values], axis=1)
    observable = run.observables[name]
    return observable.time, observable.value.reshape(len(observable.value), -1).astype(float)


def _compare_replicas(first, second):
    """(ratio, limit): the variance of the replicas' means over the squared standard error of one, and what it hardly exceeds by
    chance; NaN for one replica, or for fewer than 20 autocorrelation times. Formulas in docs/output.md."""
    rows, replicas = 2 * len(first), first.shape[1]
    halves = [first - first[0], second - first[0]]  # so that those of a constant are 0
    means = sum(half.sum(axis=0) for half in halves) / rows
    deviations = [half - means for half in halves]
    count = _autocorrelation_rows(deviations)
    means += first[0]
    if replicas < 2 or rows < FEWEST_TIMES * count:
        return math.nan, math.nan
    wide = 2 * WINDOW * count + 1
    square_of_error = np.mean([(half**2).mean() for half in deviations]) * 2 * count / rows * (1 + wide / rows)
    variance = float(means.var(ddof=1)) if (means != means[0]).any() else math.nan  # nothing is known of the scatter of equal values
    ratio = variance / square_of_error if square_of_error > 0 else variance * math.inf
    return ratio, MARGIN * largest_variance_ratio(replicas - 1, replicas * rows / wide)


def largest_variance_ratio(numerator, denominator):
    """What the ratio of two estimates of one variance, with so many degrees of freedom, exceeds once in 1000 times: the F
    distribution with the cube roots of the estimates taken as normal (Wilson and Hilferty; Paulson)."""
    c, d = 2 / (9 * numerator), 2 / (9 * denominator)
    a, b, square = 1 - d, 1 - c, ONCE_IN_1000**2
    leading = a * a - square * d
    if a <= 0 or leading <= 0:
        return math.inf
    return ((a * b + math.sqrt(a * a * b * b - leading * (b * b - square * c))) / leading) ** 3


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
