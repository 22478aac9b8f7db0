# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Spectra, the rates of turnovers of a run against its temperature, which changes with time, and their peaks."""

from collections import namedtuple

import numpy as np

from .series import jackknife

LEAST_EVENTS = 400  # in the mean over neighbouring measurements in which the peak is sought
TOP, DEGREE = 0.7, 4  # part of the height from which on a polynomial of this degree is fitted: within 0.1 K and 0.1 % of a first-order peak

Peak = namedtuple("Peak", "temperature temperature_error height height_error")
NO_PEAK = Peak(*[np.nan] * 4)


def temperature(run, name="T"):
    """The parameter T as an observable, if it only rises or only falls during the run; None otherwise."""
    if name not in run.hdf5.get("parameters", ()):
        return None
    steps = np.diff(run.observables[name].mean)
    return run.observables[name] if len(steps) and ((steps > 0).all() or (steps < 0).all()) else None


def names(run):
    """The names of the spectra, turnover_NAME_rate of turnovers that happen; none if the temperature does not change in one direction."""
    if temperature(run) is None:
        return []
    return [name + "_rate" for name in run.observables if name.startswith("turnover_") and run.observables[name].value.any()]


def peak(run, name):
    """The highest peak of turnover_NAME_rate of a run: a Peak, in the units of T and of the rate; NaN if there is none.

    It is the maximum of a polynomial of degree 4, fitted by least squares to the mean over the replicas where this is at least
    70 % of its largest value. Errors are those of the jackknife over the replicas, NaN for a single one.
    """
    rate, ramp = run.observables[name], temperature(run)
    if ramp is None:
        return NO_PEAK
    known = np.isfinite(rate.value.reshape(len(rate), -1)).all(axis=1)
    at = np.interp(rate.time, ramp.time, ramp.mean)[known]
    values, length = rate.value.reshape(len(rate), -1)[known], np.diff(run.observables[name[: -len("_rate")]].time)[known]
    window = _top(values.mean(axis=1), values.shape[1] * run.sites() * length)
    if window is None:
        return NO_PEAK
    at, values = at[window], values[window]
    if values.shape[1] == 1:
        found, error = _maximum(at, values[:, 0]), (np.nan, np.nan)
    else:
        found, error = jackknife(lambda means: _maximum(at, means[0]), values.T)
    return Peak(found[0], error[0], found[1], error[1])


def peaks(run):
    """{name: (value, error, unit)} of peak_T_NAME and peak_rate_NAME for each turnover NAME of a run with a changing temperature."""
    found = {}
    for name in names(run):
        one, of = peak(run, name), name[len("turnover_") : -len("_rate")]
        found["peak_T_" + of] = one.temperature, one.temperature_error, run.description.unit("T")
        found["peak_rate_" + of] = one.height, one.height_error, run.observables[name].unit
    return found


def _top(rate, events_per_rate):
    """The measurements about the largest rate, a slice; None if it is that of the first or the last ones."""
    for half in range(len(rate) // 16 + 1):
        mean = np.convolve(rate, np.full(2 * half + 1, 1 / (2 * half + 1)), "same")
        top = int(mean.argmax()) if len(mean) else 0
        first, last = max(0, top - half), top + half + 1
        if (rate * events_per_rate)[first:last].sum() >= LEAST_EVENTS:
            break
    else:
        return None
    low = np.flatnonzero(mean < TOP * mean[top])
    first, last = max(low[low < top], default=-1) + 1, min(low[low > top], default=len(rate))
    if first == 0 or last == len(rate):
        return None
    first, last = min(first, top - 3), max(last, top + 4)
    return slice(first, last) if first >= 0 and last <= len(rate) else None


def _maximum(x, y):
    """(x, y) of the maximum of a polynomial that is fitted to points; NaN if it has none."""
    middle, half = (x[0] + x[-1]) / 2, (x[-1] - x[0]) / 2
    law = np.polynomial.Polynomial.fit((x - middle) / half, y, min(DEGREE, len(x) - 2), domain=[-1, 1])
    roots = law.deriv().roots()
    inside = roots.real[(abs(roots.imag) < 1e-9) & (abs(roots.real) < 1)]
    best = max(inside, key=law, default=np.nan)
    return middle + half * best, law(best)
