# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Averages of correlated series, with errors computed as by the program."""

import math
from dataclasses import dataclass

import numpy as np

from .observables import standard_error
from .window import ENOUGH_REPLICAS, FEWEST, FEWEST_TIMES, FEWEST_TIMES_OF_ERROR, LEAST_Q, Stationarity

SLOWER, LEAST = 2.0, 0.05  # of the Gamma method, see docs/output.md
MARGIN = 1.5  # of a ratio, for errors from short windows
ROUNDING = 8 * np.finfo(float).eps


@dataclass
class SeriesAverage:
    """The mean of a series, or a function of means.

    mean, error  mean and standard error; the error is NaN for fewer than five autocorrelation times
    autocorrelation_time, autocorrelation_time_error  integrated autocorrelation time, in the unit of `time`, else in rows
    stationarity  result of the stationarity test: the error is reliable if .result is "stationary"
    rows, start   number of rows that are averaged, and the time after which, or the number of rows after which, they begin
    """

    mean: float
    error: float
    stationarity: Stationarity

    rows = property(lambda self: self.stationarity.rows)
    start = property(lambda self: self.stationarity.start)
    autocorrelation_time = property(lambda self: self.stationarity.autocorrelation_time)
    autocorrelation_time_error = property(lambda self: self.stationarity.autocorrelation_time_error)

    def __str__(self):
        return f"{self.mean:.6g} +- {self.error:.2g}, tau {self.autocorrelation_time:.3g} +- {self.autocorrelation_time_error:.2g}, {self.stationarity.result}"


def average(values, start=None, replicas=None, time=None, function=None):
    """The mean of a correlated series with its standard error: a SeriesAverage.

    values    [rows], or [rows, R] of R independent replicas; with `function` a list of such arrays
    start     number of rows to leave out or, with `time`, the time up to which rows are left out; "auto": as the program's
              --average-from auto; None: use all rows
    replicas  R, of values [rows * R] in the order of rows
    time      [rows]: times of the rows
    function  function(means) of the means of the arrays; the error is that of its linear part
    """
    arrays = [_rows(one, replicas) for one in (values if function else [values])]
    times = np.arange(1.0, len(arrays[0]) + 1) if time is None else np.asarray(time, float)
    if any(one.shape != arrays[0].shape for one in arrays) or len(times) != len(arrays[0]):
        raise ValueError(f"arrays of different shapes: {', '.join(str(one.shape) for one in arrays)}, times {times.shape}")
    bound = False
    if isinstance(start, str):
        if start != "auto":
            raise ValueError(f"start={start!r}: must be a number, 'auto' or None")
        settled = [settled_after(times, one) for one in arrays]
        start, bound = max(after for after, _ in settled), any(at_bound for _, at_bound in settled)
    start = -math.inf if start is None else start
    used = times > start
    times, arrays = times[used], [one[used] for one in arrays]
    judged, mean, error = judge(times, arrays, function, start=start)
    if bound:
        judged.least = "no stationary part found"
    return SeriesAverage(mean, error, judged)


def autocorrelation_time(values, start=None, replicas=None, time=None):
    """(tau, error): the integrated autocorrelation time, 1/2 row for independent values, with its standard error; arguments as of average()."""
    found = average(values, start, replicas, time)
    return found.autocorrelation_time, found.autocorrelation_time_error


def jackknife(function, *arrays):
    """(value, error) of function(means) of arrays [n] or [n, ...] over the same n independent samples, such as replicas.

    For correlated series: average(arrays, function=function).
    """
    arrays = [np.asarray(one, float) for one in arrays]
    count = len(arrays[0])
    without = np.array([function([(one.sum(axis=0) - one[i]) / (count - 1) for one in arrays]) for i in range(count)])
    return float(function([one.mean(axis=0) for one in arrays])), float((count - 1) * standard_error(without))


def blocking(values, start=None, replicas=None):
    """(length, error, error_of_error): the standard error of the mean from blocks of 1, 2, 4, ... rows (Flyvbjerg and Petersen).

    It rises with the block length to the correct value, reached when blocks are much longer than the autocorrelation time.
    """
    rows = _rows(values, replicas)[int(start or 0) :]
    lengths, errors, uncertain = [], [], []
    length = 1
    while len(rows) // length * rows.shape[1] >= 4 and length <= len(rows):
        blocks = _joined(rows, length).ravel()
        lengths.append(length)
        errors.append(float(standard_error(blocks)))
        uncertain.append(errors[-1] / math.sqrt(2 * (len(blocks) - 1)))
        length *= 2
    return np.array(lengths), np.array(errors), np.array(uncertain)


def settled_after(time, rows):
    """(time, at_bound): the time after which the mean has the least error by MSER-5, and whether it is the latest allowed."""
    batches = len(rows) // 5
    best, at = math.inf, None
    sums = [float(rows[5 * b : 5 * b + 5].sum()) for b in range(batches)]
    mean = squares = 0.0
    for kept in range(1, batches + 1):
        change = sums[batches - kept] - mean
        mean += change / kept
        squares += change * (sums[batches - kept] - mean)
        if 2 * kept >= batches and squares / kept**2 <= best:
            best, at = squares / kept**2, 5 * (batches - kept)
    if at is None or at == 0:
        return -math.inf, False
    return float(time[at - 1]), batches > 1 and 40 * at >= 19 * 5 * batches


def judge(time, arrays, function=None, known=None, name="", start=None):
    """(Stationarity, mean, error) of rows [rows, R], or of a function of the means of several such arrays.

    known  the mean by symmetry, if there is one
    """
    means = [float(one.mean()) if one.size else math.nan for one in arrays]
    values, scale, mean = arrays[0], np.abs(arrays[0]).max(initial=0), means[0]
    if function:
        slopes = _gradient(function, means)
        values = sum(slope * one for slope, one in zip(slopes, arrays))
        scale = sum(abs(slope) * np.abs(one).max(initial=0) for slope, one in zip(slopes, arrays))
        mean = float(function(means))
        mean = 0.0 if abs(mean) <= ROUNDING * scale else mean
    judged = _stationarity(time, values, scale, known, name, start, bool(function))
    if function and len(values) >= FEWEST:
        judged.first += mean - float(values.mean())
        judged.second += mean - float(values.mean())
    return judged, mean, error_of(judged, arrays, function, values)


def error_of(judged, arrays, function, values):
    """The standard error, depending on the result of the stationarity test."""
    rows, replicas = values.shape
    times = rows / judged.autocorrelation_rows
    scatter = judged.result == "replicas differ" or rows < FEWEST or (replicas >= ENOUGH_REPLICAS and times < FEWEST_TIMES)
    if replicas > 1 and scatter:
        of_replicas = [one.mean(axis=0) for one in arrays]
        return jackknife(function, *of_replicas)[1] if function else float(standard_error(of_replicas[0]))
    return judged.mean_error if times >= FEWEST_TIMES_OF_ERROR and judged.mean_error > 0 else math.nan


def _stationarity(time, values, scale, known, name, start, linear=False):
    rows, replicas = values.shape
    found = Stationarity(name, start, rows)
    if rows < FEWEST:
        return found
    base = values[0, 0]
    values = values - base  # so that those of a constant are 0
    means, of_rows, length = values.mean(axis=0), values, 1
    while rows // length >= min(max(1 << ((1 << 16) // replicas).bit_length() - 1, 128), 8192):
        length *= 2
    if length > 1:  # sums over rows, as the program keeps them
        values, time = _joined(values, length), time[length - 1 :: length]
    rows = len(values)
    half = rows // 2
    common = values.mean() if known is None else known - base

    def exact(deviations):
        return np.where(np.abs(deviations) <= ROUNDING * scale, 0.0, deviations)

    pooled = _autocorrelation([exact(values - common)], 0 if known is not None else rows * replicas)
    found.mean_error = pooled.error_of_mean(rows * replicas)
    tau = pooled
    if replicas > 1:
        own = _autocorrelation([exact(values - values.mean(axis=0))], rows)
        if rows >= FEWEST_TIMES * own.rows:
            scatter = float(standard_error(np.where(np.abs(means - means[0]) <= ROUNDING * scale, means[0], means)))
            error, free = own.error_of_mean(rows), 2 / (own.rows_error / own.rows) ** 2 if own.rows_error else math.inf
            found.replica_ratio = (scatter / error) ** 2 * replicas if error > 0 else scatter * math.inf
            found.replica_q = probability_of_ratio(found.replica_ratio / MARGIN, replicas - 1, free)
            tau = own if found.replica_q < LEAST_Q else pooled
    in_rows = length if length == 1 or linear else tau.variance * length / np.mean((of_rows[: rows * length] - common) ** 2)
    step = float(time[-1] - time[0]) / (rows - 1) / length
    found.autocorrelation_rows, found.autocorrelation_rows_error = tau.rows * in_rows, tau.rows_error * in_rows
    found.autocorrelation_time, found.autocorrelation_time_error = found.autocorrelation_rows * step, found.autocorrelation_rows_error * step
    halves = values[:half], values[-half:]
    found.first, found.second = (float(base + one.mean()) for one in halves)
    from_replicas = known is None and replicas > 1
    if from_replicas:
        deviations = [one - one.mean(axis=1, keepdims=True) for one in halves]
    else:
        deviations = [one - (one.mean() if known is None else common) for one in halves]
    apart = _autocorrelation([exact(one) for one in deviations], 0 if known is not None or from_replicas else half * replicas)
    found.error = apart.error_of_mean(half * replicas) * math.sqrt(2 / (1 - 1 / replicas if from_replicas else 1))
    return found


@dataclass
class _Autocorrelation:
    variance: float = 0.0
    rows: float = 0.5
    rows_error: float = 0.0

    def error_of_mean(self, count):
        return math.sqrt(2 * self.rows * self.variance / count * (1 + (self.rows_error / self.rows) ** 2))


def _autocorrelation(parts, of_mean):
    """Of deviations [rows, R] in each part, see docs/output.md; of_mean: the number of values in the means that were subtracted."""
    rows, replicas = parts[0].shape
    values = rows * replicas * len(parts)

    def covariance(lag):
        return sum(float(np.vdot(one[lag:], one[: rows - lag])) for one in parts) / (values - lag * replicas * len(parts))

    variance, total, window = covariance(0), 0.0, 0
    if not variance > 0:
        return _Autocorrelation()
    for lag in range(1, rows // 2 + 1):
        total += covariance(lag) / variance
        window = lag
        tau = SLOWER / math.log1p(1 / total) if total > 0 else 1e-9
        if math.exp(-lag / tau) < tau / math.sqrt(lag * values):
            break
    whole = variance * (1 + 2 * total)
    if of_mean > 0:
        variance += max(whole, 0.0) / of_mean
        whole *= 1 + (2 * window + 1) / of_mean
    tau = max(whole / (2 * variance), LEAST)
    return _Autocorrelation(variance, tau, 2 * tau * math.sqrt(max(window + 0.5 - tau, 0.5) / values))


def _joined(rows, length):
    count = len(rows) // length
    return rows[: count * length].reshape(count, length, -1).mean(axis=1)


def probability_of_ratio(ratio, numerator, denominator):
    """The probability that the ratio of two estimates of one variance is larger by chance: the F distribution, with the cube
    roots of the estimates taken as normal (Wilson and Hilferty; Paulson)."""
    c, d, root = 2 / (9 * numerator), 2 / (9 * denominator), ratio ** (1 / 3)
    with np.errstate(divide="ignore"):
        deviation = np.divide(1 - d, math.sqrt(d)) if math.isinf(root) else ((1 - d) * root - (1 - c)) / math.sqrt(d * root * root + c)
    return math.erfc(deviation / math.sqrt(2)) / 2


def _gradient(function, means):
    """Partial derivatives at the means, from central differences."""
    slopes = []
    for i, mean in enumerate(means):
        step = 1e-5 * (abs(mean) or 1.0)
        above, below = list(means), list(means)
        above[i], below[i] = mean + step, mean - step
        slopes.append((function(above) - function(below)) / (2 * step))
    return slopes


def _rows(values, replicas):
    values = np.asarray(values, float)
    if replicas is not None:
        if values.size % replicas:
            raise ValueError(f"{values.size} values are no rows of {replicas} replicas")
        values = values.reshape(-1, replicas)
    if values.ndim not in (1, 2) or not values.size:
        raise ValueError(f"values of the shape {values.shape}: must be [rows] or [rows, replicas]")
    return values.reshape(len(values), -1)
