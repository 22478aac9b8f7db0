# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Exponents: power laws fitted to observables over a range of times, and effective exponents."""

import math
import os
import warnings
from dataclasses import dataclass

import numpy as np

from .file import open_file
from .observables import standard_error

# (beginning of the observable's name, exponent, exponent over slope of log(observable) against log(time))
EXPONENTS = (("roughness", "beta", 0.5), ("height_autocorrelation_", "lambda/z", -1), ("slope_autocorrelation_", "lambda/z", -1))


@dataclass
class PowerLaw:
    """A fit of A x^slope by least squares of logarithms.

    name       of the observable
    symbol     beta of W^2 ~ t^(2 beta), lambda/z of autocorrelations C ~ t^(-lambda/z), in plots of sweeps alpha of W^2 ~ L^(2 alpha), else
               "exponent": the slope
    exponent, error  with its standard error
    amplitude, slope
    chi2, degrees    sum of squared deviations over squared errors, and degrees of freedom; chi2 is NaN without errors
    first, last      smallest and largest x in the fit
    error_from       what the error is computed from
    """

    name: str
    symbol: str
    exponent: float
    error: float
    amplitude: float
    slope: float
    chi2: float
    degrees: int
    first: float
    last: float
    error_from: str

    @property
    def reduced_chi2(self):
        return self.chi2 / self.degrees if self.degrees else math.nan

    def __call__(self, x):
        """The fitted value at x."""
        return self.amplitude * np.asarray(x, float) ** self.slope

    def __str__(self):
        chi2 = f"chi^2 / degrees of freedom = {self.reduced_chi2:.2g}, " if math.isfinite(self.reduced_chi2) else ""
        value = f"{self.symbol} = {self.exponent:.5g} +- {self.error:.2g}"
        return f"{self.name}: {value}, from {self.first:g} to {self.last:g} ({chi2}error from {self.error_from})"


def fit(run, name, first, last):
    """Fits a power law of time to an observable over the measurements with first <= time <= last: a PowerLaw.

    run   an open file, or its path

    Least squares of logarithms, with weights from the errors over the replicas. The error of the exponent is the
    jackknife error over the replicas; rows of the same replicas are correlated, which it accounts for. Where the file
    has no values of single replicas, it follows from the errors of the rows, and without these from the scatter about
    the line, both as if rows were independent. Warns if chi^2 is too large for a power law. Raises ValueError for fewer than
    three measurements in the range, and for values that are not positive.
    """
    if isinstance(run, (str, os.PathLike)):
        with open_file(run) as opened:
            return fit(opened, name, first, last)
    observable = run.observables[name]
    rows = (observable.time >= first) & (observable.time <= last) & (observable.time > 0) & np.isfinite(observable.mean)
    if rows.sum() < 3:
        raise ValueError(f"{run.path}: {name} has {rows.sum()} measurements from {first:g} to {last:g}; a fit needs at least 3")
    if not (observable.mean[rows] > 0).all():
        raise ValueError(f"{run.path}: {name} is not positive from {first:g} to {last:g}, as a power law must be")
    symbol, factor = _exponent_of(name)
    law = _fit(observable.time[rows], observable.mean[rows], observable.error[rows], name, symbol, factor, observable.replicas)
    if observable.replicas > 1:
        law.error = abs(factor) * _jackknife(observable.times[rows], observable.value[rows], _weights(observable, rows))
        law.error_from = f"a jackknife over {observable.replicas} replicas"
    _warn_of(law, observable.replicas)
    return law


def fit_points(x, mean, error=None, name="values"):
    """Fits a power law of x to independent values, such as those of runs of different sizes: a PowerLaw whose exponent
    is the slope. Saturated roughness W^2 ~ L^(2 alpha) has alpha at half the slope."""
    x, mean = np.asarray(x, float), np.asarray(mean, float)
    error = np.full(len(x), np.nan) if error is None else np.asarray(error, float)
    if len(x) < 3 or not ((x > 0).all() and (mean > 0).all()):
        raise ValueError(f"{name}: a fit of a power law needs at least 3 points with positive coordinates")
    law = _fit(x, mean, error, name, "exponent", 1, 1)
    _warn_of(law, 1)
    return law


def effective_exponents(run, name, factor=2.0):
    """(time, exponent, error), [n] each: local slopes between times whose ratio is `factor`, or nearly.

    run   an open file, or its path

    The times are the last one and those that are 1 / factor, 1 / factor^2, ... of it. An exponent is at the geometric
    mean of its two times. Exponents and errors are those of the table beta_eff of kpz, whose factor is that between
    successive measurements; without replicas errors are propagated as those of independent values.
    """
    if not factor > 1:
        raise ValueError(f"factor {factor:g}: must be greater than 1")
    if isinstance(run, (str, os.PathLike)):
        with open_file(run) as opened:
            return effective_exponents(opened, name, factor)
    observable = run.observables[name]
    usable = np.flatnonzero((observable.time > 0) & (observable.mean > 0))
    _, scale = _exponent_of(name)
    chain = [usable[-1]] if len(usable) else []
    while chain:
        distance = np.abs(np.log(observable.time[usable] * factor / observable.time[chain[-1]]))
        nearest = usable[distance.argmin()]
        if nearest == chain[-1] or distance.min() > 0.5 * math.log(factor):
            break
        chain.append(nearest)
    before, now = np.array(chain[:0:-1], int), np.array(chain[-2::-1], int)
    span = np.log(observable.time[now] / observable.time[before])
    mean = observable.mean
    slope = np.log(mean[now] / mean[before]) / span
    if observable.replicas > 1:
        deviations = observable.value[now] / mean[now][:, None] - observable.value[before] / mean[before][:, None]
        error = standard_error(deviations) / span
    else:
        error = np.hypot(observable.error[now] / mean[now], observable.error[before] / mean[before]) / span
    return np.sqrt(observable.time[before] * observable.time[now]), scale * slope, abs(scale) * error


def _exponent_of(name):
    """(symbol, exponent over slope) of an observable."""
    return next(((symbol, factor) for begin, symbol, factor in EXPONENTS if name.startswith(begin)), ("exponent", 1))


def _fit(x, mean, error, name, symbol, factor, replicas):
    weights = _weights_of(mean, error)
    slope, amplitude, variance = _line(np.log(x), np.log(mean), weights)
    deviations = np.log(mean) - amplitude - slope * np.log(x)
    degrees = len(x) - 2
    chi2 = float((weights * deviations**2).sum())
    source = "the errors of the values, taken as independent"
    if not _weighted(error):
        variance *= chi2 / degrees
        chi2, source = math.nan, "the scatter about the line, values taken as independent"
    error = abs(factor) * math.sqrt(variance)
    return PowerLaw(name, symbol, factor * slope, error, math.exp(amplitude), slope, chi2, degrees, x.min(), x.max(), source)


def _weighted(error):
    return bool((np.isfinite(error) & (error > 0)).all())


def _weights_of(mean, error):
    return (mean / error) ** 2 if _weighted(error) else np.ones(len(mean))


def _weights(observable, rows):
    return _weights_of(observable.mean[rows], observable.error[rows])


def _line(x, y, weights):
    """(slope, value at 0, variance of the slope if weights are 1 / error^2)."""
    centre = np.average(x, weights=weights)
    squares = (weights * (x - centre) ** 2).sum()
    slope = (weights * (x - centre) * y).sum() / squares
    return float(slope), float(np.average(y, weights=weights) - slope * centre), float(1 / squares)


def _jackknife(times, values, weights):
    """The error of the slope, from fits to the means over all replicas but one; times, values: [rows, R]."""
    count = values.shape[1]
    others = [np.delete(np.arange(count), one) for one in range(count)]
    means = [values[:, other].mean(axis=1) for other in others]
    if not all((mean > 0).all() for mean in means):
        return math.nan
    slopes = np.array([_line(np.log(times[:, o].mean(axis=1)), np.log(m), weights)[0] for o, m in zip(others, means)])
    return float(np.sqrt((count - 1) / count * ((slopes - slopes.mean()) ** 2).sum()))


def _warn_of(law, replicas):
    """Warns if chi^2 is more than four of its standard deviations above its mean; of errors from few replicas, which
    are uncertain themselves, the mean is (R - 1) / (R - 3) times as large."""
    if replicas == 1:
        uncertain = 1
    elif replicas > 3:
        uncertain = (replicas - 1) / (replicas - 3)
    else:
        return
    if law.reduced_chi2 > (1 + 4 * math.sqrt(2 / law.degrees)) * uncertain:
        warnings.warn(
            f"{law.name}: no power law from {law.first:g} to {law.last:g}: chi^2 / degrees of freedom is "
            f"{law.reduced_chi2:.2g}; use a shorter range",
            stacklevel=3,
        )
