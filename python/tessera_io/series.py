# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Averages of correlated series, with errors and tests as those of the program (docs/output.md)."""

import copy
import math
from dataclasses import dataclass

import numpy as np

from .observables import standard_error
from .text import with_error
from .window import Stationarity

STARTS = {"auto": (1 / 4, 1 / 2)}  # of the run; the first one from which on nothing drifts
FEW, MANY = 8, 24  # degrees of freedom of the two estimates of the power at frequency zero, at least
FEW_REPLICAS = 8  # that have errors in windows that are long enough only
LOW, HIGH = 16, (33, 128)  # frequencies, in half periods of a window, whose powers are compared
TIMES, MOST_LONGER = 60, 60  # autocorrelation times of a window that is long enough; the most that one is said to lack
DRIFT = 1.96  # standard errors
MARGIN, LEAST_Q = 1.5, 1e-3  # for replicas that do not differ
MOST_BINS = 4096
ROUNDING = 8 * np.finfo(float).eps


@dataclass
class SeriesAverage:
    """The mean of a series, or a function of means.

    mean, error  mean and standard error; the error is NaN for up to eight replicas in a window that is too short
    autocorrelation_time, autocorrelation_time_error  integrated autocorrelation time, in the unit of `time`, else in rows
    stationarity  results of the tests
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
        judged = self.stationarity
        known = math.isfinite(self.error)
        tau = f", tau {with_error(self.autocorrelation_time, self.autocorrelation_time_error)}" if known else ", no error"
        return f"{with_error(self.mean, self.error)}{tau}, {judged.result}" + (f" ({judged.required})" if judged.required else "")


def average(values, start=None, replicas=None, time=None, function=None, slow=None):
    """The mean of a correlated series with its standard error: a SeriesAverage.

    values    [rows], or [rows, R] of R independent replicas; with `function` a list of such arrays
    start     number of rows to leave out or, with `time`, the time up to which rows are left out; "auto": as the program's
              --average-from auto; None: use all rows
    replicas  R, of values [rows * R] in the order of rows
    time      [rows]: times of the rows
    function  function(means) of the means of the arrays; the jackknife takes off its bias
    slow      {name: array}: slow modes, which make the window too short if they relax too slowly
    """
    arrays = [_rows(one, replicas) for one in (values if function else [values])]
    modes = {name: _rows(one, replicas) for name, one in (slow or {}).items()}
    times = np.arange(1.0, len(arrays[0]) + 1) if time is None else np.asarray(time, float)
    if any(len(one) != len(times) for one in modes.values()) or any(one.shape != (len(times), arrays[0].shape[1]) for one in arrays):
        raise ValueError(f"arrays of different shapes: {', '.join(str(one.shape) for one in (*arrays, *modes.values()))}, times {times.shape}")
    if isinstance(start, str) and start not in STARTS:
        raise ValueError(f"start={start!r}: must be a number, 'auto' or None")
    given = -math.inf if start is None or start == "auto" else start
    times, arrays, modes = times[times > given], [one[times > given] for one in arrays], {name: one[times > given] for name, one in modes.items()}
    for part in STARTS.get(start, (0,)):
        windows = [Window(times, one, part) for one in arrays]
        found, differ = _of_function(function, windows) if function else _of_series(windows[0])
        drifts = [_drifts((_of_series(one)[0]).stationarity) for one in windows]
        if not any(drifts):
            break
    found.stationarity.start = windows[0].begin if start == "auto" else given
    lacks = [(found.stationarity.longer, found.stationarity.slow), *(lack(name, [Window(times, one, part)]) for name, one in modes.items())]
    found.stationarity.longer, found.stationarity.slow = longest(lacks)
    _judge(found, differ, arrays[0].shape[1])
    return found


def autocorrelation_time(values, start=None, replicas=None, time=None):
    """(tau, error): the integrated autocorrelation time, 1/2 row for independent values, with its standard error; arguments as of average()."""
    found = average(values, start, replicas, time)
    return found.autocorrelation_time, found.autocorrelation_time_error


def jackknife(function, *arrays):
    """(value, error) of function(means), numbers or arrays, of arrays [n] or [n, ...] over the same n independent samples, such as
    replicas. For correlated series: average(arrays, function=function).
    """
    arrays = [np.asarray(one, float) for one in arrays]
    count = len(arrays[0])
    without = np.array([function([(one.sum(axis=0) - one[i]) / (count - 1) for one in arrays]) for i in range(count)])
    value, error = np.array(function([one.mean(axis=0) for one in arrays]), float), (count - 1) * standard_error(without.T).T
    return (value, error) if value.ndim else (float(value), float(error))


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


class Window:
    """Rows after a part of the time from the first row to the last one, as deviations from their mean of bins of equally many rows."""

    def __init__(self, time, rows, part):
        bins, length = rows, 1
        while len(rows) // length >= np.clip(1 << max(0, ((1 << 18) // rows.shape[1]).bit_length() - 1), 512, MOST_BINS):
            length *= 2
        count = len(rows) // length
        begins, ends = time[: count * length : length], time[length - 1 : count * length : length]
        kept = int((begins <= time[0] + part * (time[-1] - time[0])).sum()) if part and len(time) else 0
        self.begin = float(ends[kept - 1]) if kept else -math.inf
        self.rows = rows[kept * length :]
        self.means = self.rows.mean(axis=0) if len(self.rows) else np.full(rows.shape[1], math.nan)
        self.mean, self.scale = float(self.means.mean()), np.abs(rows).max(initial=0)
        bins = _joined(self.rows, length) - self.mean
        self.bins = np.where(self.is_rounding(bins), 0, bins)
        self.variance = float(((self.rows[: len(bins) * length] - self.mean) ** 2).mean()) if bins.size else math.nan
        self.step = float(ends[-1] - ends[kept]) / (len(bins) - 1) if len(bins) > 1 else math.nan
        self.is_few = len(bins) < fewest_rows(rows.shape[1])

    def is_rounding(self, number):
        return np.abs(number) <= ROUNDING * self.scale

    def weighted(self, parts, weights):
        self.means = sum(weight * one.means for weight, one in zip(weights, parts))
        self.mean, self.scale = float(self.means.mean()), sum(abs(weight) * one.scale for weight, one in zip(weights, parts))
        self.bins = sum(weight * one.bins for weight, one in zip(weights, parts))
        self.bins = np.where(self.is_rounding(self.bins), 0, self.bins)
        self.variance = float((self.bins**2).mean())
        return self

    def parts(self):
        """Means over parts of the replicas, at least 16 of all."""
        each = -(-16 // self.bins.shape[1])
        length = len(self.bins) // each
        return self.mean + self.bins[len(self.bins) - each * length :].reshape(each, length, -1).mean(axis=1).ravel()


def student(p, f):
    """The factor by which Student's distribution with f degrees of freedom is wider than the normal one at p standard errors, times p."""
    return p * (1 + (p**2 + 1) / (4 * f) + (5 * p**4 + 16 * p**2 + 3) / (96 * f**2) + (3 * p**6 + 19 * p**4 + 17 * p**2 - 15) / (384 * f**3))


def powers_of(deviations, count):
    """[count, R]: squares of the amplitudes of the lowest cosines, whose expectation value at low frequencies is 2 tau variance."""
    return (cosines(len(deviations), count) @ deviations) ** 2


def cosines(n, count):
    """[count, n]: the lowest cosines of a window of n rows, normalised."""
    return math.sqrt(2 / n) * np.cos(np.pi * np.outer(np.arange(1, count + 1), np.arange(n) + 0.5) / n)


def power_at_zero(rows, means, powers):
    """(power, degrees of freedom, ratio, whether replicas differ): the larger of two estimates, with Student's factor."""
    replicas = len(means)
    others, scatter = replicas - 1, rows * float(((means - means.mean()) ** 2).sum())
    ratio, differ, best = math.nan, False, (0.0, 1)
    inner = powers[: -(-MANY // replicas)]
    if others and inner.size:
        ratio = scatter / others / max(inner.mean(), np.finfo(float).tiny)
        differ = probability_of_ratio(ratio / MARGIN, others, inner.size) < LEAST_Q
    for least in (MANY, FEW):
        used = powers[: 0 if differ else -(-max(0, least - others) // replicas)]
        if free := others + used.size:
            best = max(best, ((scatter + used.sum()) / free * student(1, free) ** 2, free))
    return *best, ratio, differ


def fewest_rows(replicas, slower=1):
    return 1.25 * math.ceil(HIGH[1] / (min(replicas, 2) * slower))


def missing_length(series, slower=1):
    """How many times longer a window must be, at least, for about 60 autocorrelation times; 0 if it may have that many.

    slower  2 for modes of which averages contain the squares, such as S(k_min)
    """
    n, replicas = series[0].shape
    scale = min(replicas, 2) * slower
    low, first, last = (math.ceil(j / scale) for j in (LOW, *HIGH))
    if n < fewest_rows(replicas, slower):
        return fewest_rows(replicas, slower) / max(n, 1)

    def ratio_of(powers):
        return powers[:low].mean() / max(powers[first - 1 :].mean(), np.finfo(float).tiny)

    def expected(times):
        return ratio_of(1 / (1 + (np.pi * np.arange(1, last + 1) / times) ** 2))

    ratio = ratio_of(np.mean([powers_of(one, last).mean(axis=1) for one in series], axis=0))
    if not ratio > expected(TIMES / scale) * math.exp(0.72 / math.sqrt(len(series) * replicas * low / LOW)):
        return 0.0
    longer, too_long = 1.0, float(MOST_LONGER)
    for _ in range(20):
        middle = math.sqrt(longer * too_long)
        longer, too_long = (middle, too_long) if expected(TIMES / scale / middle) < ratio else (longer, middle)
    return longer


def lack(name, windows, slower=1):
    """(missing_length() of the series of a mode, its name, or "" if there are too few rows)."""
    n, replicas = windows[0].bins.shape
    return missing_length([one.bins for one in windows], slower), "" if n < fewest_rows(replicas, slower) else name


def longest(lacks):
    """The largest of what lack() finds; (NaN, "") if nothing is missing."""
    return max((pair for pair in lacks if pair[0] > 0), default=(math.nan, ""))


def _of_series(window, curved=1.0, name="series"):
    """(SeriesAverage before _judge(), whether replicas differ)."""
    n, replicas = window.bins.shape
    judged = Stationarity(name, None, len(window.rows))
    found = SeriesAverage(window.mean, math.nan, judged)
    judged.longer, judged.slow = longest([lack(name, [window])])
    if n < 4 or (window.is_few and replicas <= FEW_REPLICAS):
        return found, False
    power, judged.freedom, judged.replica_ratio, differ = power_at_zero(n, window.means, powers_of(window.bins, min(MANY, n // 2)))
    error = math.sqrt(power * curved / (n * replicas))
    judged.first, judged.second = (window.mean + float(one.mean()) for one in (window.bins[: n // 4], window.bins[n - n // 2 :]))
    judged.error = math.sqrt(6) * error
    if window.is_rounding(error):
        return found, False
    found.error = error
    judged.autocorrelation_time = power * curved / (2 * window.variance) * window.step
    judged.autocorrelation_time_error = judged.autocorrelation_time * math.sqrt(2 / judged.freedom)
    judged.samples = n * replicas * window.step / (2 * judged.autocorrelation_time)
    return found, differ


def _of_function(function, windows):
    means = [window.mean for window in windows]
    value, curved, bias = float(function(means)), 1.0, 0.0
    linear = copy.copy(windows[0]).weighted(windows, _gradient(function, means))
    if len(linear.bins) >= 16:
        parts = np.array([window.parts() for window in windows])
        totals, count = parts.mean(axis=1), parts.shape[1]
        without = np.array([function(list(totals + (totals - parts[:, i]) / (count - 1))) for i in range(count)])
        bias = (count - 1) * (without.mean() - function(list(totals)))
        with np.errstate(divide="ignore", invalid="ignore"):
            curved = max(1.0, (count - 1) ** 2 * np.var(without) / np.var(linear.parts()))
    found, differ = _of_series(linear, curved if np.isfinite(curved) else 1.0, "function")
    offset = (0.0 if linear.is_rounding(value) else value - (float(bias) if np.isfinite(bias) else 0.0)) - found.mean
    found.mean += offset
    found.stationarity.first += offset
    found.stationarity.second += offset
    return found, differ


def _drifts(judged):
    return abs(judged.deviation) > student(DRIFT, max(judged.freedom, 5))


def _judge(found, differ, replicas):
    judged = found.stationarity
    short = judged.longer > 0
    if short and not differ and replicas <= FEW_REPLICAS:
        found.error = math.nan
    judged.result = "drifting" if _drifts(judged) else "replicas differ" if differ else "too short" if short else "stationary"


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
