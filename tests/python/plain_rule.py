# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Reference implementation of the errors and tests of averages over time, written as docs/output.md states them."""

import math
from collections import namedtuple

import numpy as np

FEW, MANY, LOW, HIGH = 8, 24, 16, (33, 128)
ROWS = 160  # fewest rows of one replica, half of it for several

Result = namedtuple("Result", "mean error result start tau samples freedom z")


def student(p, f):
    return p * (1 + (p * p + 1) / (4 * f) + (5 * p**4 + 16 * p * p + 3) / (96 * f * f) + (3 * p**6 + 19 * p**4 + 17 * p * p - 15) / (384 * f**3))


def cosines(values, count):
    """[count, R]: amplitudes of cos(pi j (i + 1/2) / n), j = 1 .. count."""
    n = len(values)
    phase = np.pi * np.arange(1, count + 1)[:, None] * (np.arange(n) + 0.5) / n
    return math.sqrt(2 / n) * np.cos(phase) @ (values - values.mean(axis=0))


def probability_of_ratio(ratio, a, b):
    c, d, root = 2 / (9 * a), 2 / (9 * b), ratio ** (1 / 3)
    return math.erfc(((1 - d) * root - (1 - c)) / math.sqrt(d * root * root + c) / math.sqrt(2)) / 2


def spectrum_at_zero(values, amplitudes):
    """(S(0), degrees of freedom, whether replicas differ)."""
    n, replicas = values.shape
    scatter = n * ((values.mean(axis=0) - values.mean()) ** 2).sum()
    if replicas > 1:
        inner = amplitudes[: math.ceil(MANY / replicas)] ** 2
        ratio = scatter / (replicas - 1) / max(inner.mean(), 1e-300)
        if probability_of_ratio(ratio / 1.5, replicas - 1, inner.size) < 1e-3:
            return scatter / (replicas - 1) * student(1, replicas - 1) ** 2, replicas - 1, True
    best = (0.0, 1)
    for least in (MANY, FEW):
        count = math.ceil(max(0, least - (replicas - 1)) / replicas)
        free = replicas - 1 + count * replicas
        best = max(best, ((scatter + (amplitudes[:count] ** 2).sum()) / free * student(1, free) ** 2, free))
    return *best, False


def is_short(series, slower=1):
    n, replicas = series[0].shape
    scale = min(replicas, 2) * slower
    low, first, last = (math.ceil(j / scale) for j in (LOW, *HIGH))
    if n < 1.25 * last:
        return True
    powers = [cosines(one, last) ** 2 for one in series]
    ratio = np.mean([one[:low] for one in powers]) / max(np.mean([one[first - 1 :] for one in powers]), 1e-300)
    return bool(ratio > 10.73 * math.exp(0.72 / math.sqrt(len(series) * replicas * low / LOW)))


def blocks(values):
    n, replicas = values.shape
    per = math.ceil(16 / replicas)
    length = n // per
    return values[n - per * length :].reshape(per, length, replicas).mean(axis=1).ravel()


def gradient(function, means):
    found = []
    for i, mean in enumerate(means):
        step = 1e-5 * (abs(mean) or 1.0)
        above, below = ([m + s * step * (i == k) for k, m in enumerate(means)] for s in (1, -1))
        found.append((function(above) - function(below)) / (2 * step))
    return found


def one_average(values, mean, curved=1.0):
    n, replicas = values.shape
    if n < ROWS / min(replicas, 2) and replicas <= 8:
        return mean, math.nan, math.nan, math.nan, 0, False
    power, free, differ = spectrum_at_zero(values, cosines(values, min(MANY, n // 2)))
    power *= curved
    a, b = values[: n // 4].mean(), values[n - n // 2 :].mean()
    z = (a - b) / math.sqrt(power * 6 / (n * replicas)) if power > 0 else 0.0
    return mean, math.sqrt(power / (n * replicas)), z, power, free, differ


def average(time, series, functions=None, slow=None, starts=(1 / 4, 1 / 2)):
    """{name: Result} of rows [n, R] of each of `series` at times [n].

    functions  {name: (function of means, [names of series])}
    slow       {name: ([values [n, R], ...], slower)}
    """
    for fraction in starts:
        start = time[0] + fraction * (time[-1] - time[0]) if fraction else -math.inf
        used = time > start
        rows = {name: one[used] for name, one in series.items()}
        found = {name: (*one_average(one, one.mean()), one) for name, one in rows.items()}
        if not any(abs(z) > student(1.96, max(free, 5)) for _, _, z, _, free, _, _ in found.values()):
            break
    for name, (function, of) in (functions or {}).items():
        means = [rows[o].mean() for o in of]
        linear = sum(slope * rows[o] for slope, o in zip(gradient(function, means), of))
        parts = [blocks(rows[o]) for o in of]
        count, totals = len(parts[0]), [p.mean() for p in parts]
        without = [function([(count * m - p[i]) / (count - 1) for m, p in zip(totals, parts)]) for i in range(count)]
        bias = (count - 1) * (np.mean(without) - function(totals))
        curved = max(1.0, (count - 1) ** 2 * np.var(without) / max(np.var(blocks(linear)), 1e-300))
        found[name] = (*one_average(linear, function(means) - bias, curved), linear)
    short = any(is_short([one[used] for one in group], slower) for group, slower in (slow or {}).values())
    results = {}
    for name, (mean, error, z, power, free, differ, values) in found.items():
        n, replicas = values.shape
        lacks = math.isnan(error) or short or is_short([values])
        drifts = abs(z) > student(1.96, max(free, 5))
        result = "drifting" if drifts else "replicas differ" if differ else "too short" if lacks else "stationary"
        step = (time[-1] - time[0]) / (len(time) - 1)
        tau = power / max(2 * values.var(), 1e-300) * step
        error = math.nan if lacks and not differ and replicas <= 8 else error
        results[name] = Result(mean, error, result, start, tau, n * replicas * step / max(2 * tau, 1e-300), free, z)
    return results
