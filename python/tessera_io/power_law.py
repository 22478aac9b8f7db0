# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Fits of power laws, logarithms, exponentials and Arrhenius laws, and effective exponents."""

import math
import os
import warnings
from dataclasses import dataclass

import numpy as np

from .file import open_file
from .observables import standard_error
from .series import jackknife
from .sweeps import counted

# (beginning of the observable's name, exponent, exponent over slope of log(observable) against log(time))
EXPONENTS = (("roughness", "beta", 0.5), ("height_autocorrelation_", "lambda/z", -1), ("slope_autocorrelation_", "lambda/z", -1))


def _same(values):
    return values


# By form: its name, and coordinates in which it is a straight line, x and y, with the inverse of y.
FORMS = {
    "power": ("power law", np.log, np.log, np.exp),
    "logarithm": ("logarithm", np.log, _same, _same),
    "exponential": ("exponential", _same, np.log, np.exp),
    "arrhenius": ("Arrhenius law", np.reciprocal, np.log, np.exp),
}
# What is reported of the forms that are no power law, over the slope.
REPORTED = {"logarithm": ("slope", 1), "exponential": ("rate", 1), "arrhenius": ("E_a", -1)}
FEWEST_REPLICAS = 8  # whose scatter gives weights: of two, errors of equal size are estimated to differ by factors of 20
MOST_CHI2 = 3.0  # over the degrees of freedom, of a form that describes the values


@dataclass
class Fit:
    """A least-squares fit of a form:

        power        A x^slope
        logarithm    A + slope ln(x)
        exponential  A exp(slope x)
        arrhenius    A exp(-E_a / x), slope = -E_a

    name       of the observable
    form       the first word of the line above
    symbol     of a power law beta of W^2 ~ t^(2 beta), lambda/z of autocorrelations C ~ t^(-lambda/z), in plots of sweeps alpha of
               W^2 ~ L^(2 alpha), else "exponent": the slope; "slope" of a logarithm, "rate" of an exponential, "E_a" of an Arrhenius law
    value, error  with its standard error, and its unit
    amplitude, slope
    chi2, degrees    sum of squared deviations over squared errors, and degrees of freedom; chi2 is NaN without errors
    first, last      smallest and largest x in the fit
    error_from       what the error is computed from
    """

    name: str
    form: str
    symbol: str
    value: float
    error: float
    unit: str
    amplitude: float
    slope: float
    chi2: float
    degrees: int
    first: float
    last: float
    error_from: str

    @property
    def reduced_chi2(self):
        return self.chi2 / self.degrees

    @property
    def fails(self):
        """Whether the fitted form fails to describe the values."""
        return self.reduced_chi2 > MOST_CHI2

    def __call__(self, x):
        """The fitted value at x."""
        _, to_x, to_y, from_y = FORMS[self.form]
        return from_y(to_y(self.amplitude) + self.slope * to_x(np.asarray(x, float)))

    def __str__(self):
        chi2 = f"chi^2 / degrees of freedom = {self.reduced_chi2:.2g}, " if math.isfinite(self.chi2) else ""
        value = f"{self.symbol} = {self.value:.5g} +- {self.error:.2g}{' ' * bool(self.unit)}{self.unit}"
        law = "" if self.form == "power" else f"{FORMS[self.form][0]}, "
        return f"{self.name}: {law}{value}, from {self.first:g} to {self.last:g} ({chi2}error from {self.error_from})"


def fit(run, name, first, last, form=None):
    """Fits a function of time to an observable over the measurements with first <= time <= last: a Fit.

    run   an open file, or its path
    form  None: a power law, but a logarithm of the roughness of kpz with p = q (Edwards-Wilkinson)

    Least squares, of logarithms where the form is a straight line in them. Weights are the errors over the replicas, if there
    are at least eight of them; those of fewer are too uncertain. The error is the jackknife error over the replicas, which
    accounts for the correlation between rows. If the file has no values of single replicas, the error follows from the errors
    of the rows, otherwise from the scatter about the line; both take the rows as independent. Warns if chi^2 over its degrees
    of freedom, of fewer replicas with the mean square of their errors, is above 3. Raises ValueError for fewer than three
    usable measurements in the range, and for values that are not positive if the form requires positive ones.
    """
    if isinstance(run, (str, os.PathLike)):
        with open_file(run) as opened:
            return fit(opened, name, first, last, form)
    observable, form = run.observables[name], form or form_of(name, [run])
    where = f"{run.path}: {name}"
    rows = _usable(where, form, observable.time, observable.mean, first, last, "measurement")
    replicas = observable.replicas if observable.replicas > 1 else None
    x, mean, sigma, known = _weighted(form, observable.time[rows], observable.mean[rows], observable.error[rows], replicas)
    reported = _reported(name, form)
    found = _fit(name, form, reported, x, mean, sigma, known)
    if replicas:
        found.error = abs(reported[1]) * _jackknife(form, observable.times[rows], observable.value[rows], sigma)
        found.error_from = f"a jackknife over {replicas} replicas"
    return _warned(found)


def fit_points(x, mean, error=None, name="values", form="power", first=-math.inf, last=math.inf, replicas=None):
    """Fits a function of x to independent values with first <= x <= last, such as those of runs of different sizes: a Fit. Saturated
    roughness W^2 ~ L^(2 alpha) has alpha at half the exponent.

    replicas  number of replicas from whose scatter the errors were computed: with fewer than eight, errors are not used as weights;
              None: the errors are precise
    """
    x, mean = np.asarray(x, float), np.asarray(mean, float)
    error = np.full(len(x), np.nan) if error is None else np.asarray(error, float)
    rows = _usable(name, form, x, mean, first, last, "point")
    return _warned(_fit(name, form, _reported("", form), *_weighted(form, x[rows], mean[rows], error[rows], replicas)))


def form_of(name, runs):
    """The form that is fitted by default to an observable of these runs: a logarithm of the roughness of Edwards-Wilkinson surfaces."""
    equal = [run.method in ("kpz", "kmc") and "p" in run.input and float(run.input["p"]) == float(run.input["q"]) for run in runs]
    octahedron = all(run.input.get("model", "octahedron") == "octahedron" and "processes" not in run.input for run in runs)
    return "logarithm" if name == "roughness" and runs and all(equal) and octahedron else "power"


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
    _, scale = _reported(name, "power")
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


def _reported(name, form):
    """(symbol, value over slope) of what is reported."""
    exponents = ((symbol, factor) for begin, symbol, factor in EXPONENTS if name.startswith(begin))
    return REPORTED.get(form) or next(exponents, ("exponent", 1))


def _usable(where, form, x, mean, first, last, noun):
    """The rows to fit. Raises ValueError for fewer than three, and for values that are not positive if the form requires it."""
    words, to_x, to_y, _ = FORMS[form]
    inside = (x >= first) & (x <= last) & np.isfinite(mean) & ((x > 0) | (to_x is _same))
    rows = inside & ((mean > 0) | (to_y is _same))
    if len(set(x[rows])) < 3:
        count = counted(rows.sum(), noun) + (" with positive values" if rows.sum() < inside.sum() else "")
        raise ValueError(f"{where}: has {count} from {first:g} to {last:g}; a fit needs at least 3")
    if (inside & ~rows).any():
        raise ValueError(f"{where}: is not positive from {first:g} to {last:g}, as the {words} is")
    return rows


def _weighted(form, x, mean, error, replicas):
    """(x, mean, sigma, whether errors are known): the errors of y in the coordinates of the form; equal ones, the root of the mean
    square, of few replicas, and 1 where none are known."""
    sigma = error if FORMS[form][2] is _same else error / mean
    known = bool((np.isfinite(sigma) & (sigma > 0)).all())
    if not known:
        sigma = np.ones(len(x))
    elif replicas and replicas < FEWEST_REPLICAS:
        sigma = np.full(len(x), math.sqrt((sigma**2).mean()))
    return x, mean, sigma, known


def _fit(name, form, reported, x, mean, sigma, known):
    _, to_x, to_y, from_y = FORMS[form]
    line, covariance = np.polyfit(to_x(x), to_y(mean), 1, w=1 / sigma, cov="unscaled")
    chi2, degrees = float((((to_y(mean) - np.polyval(line, to_x(x))) / sigma) ** 2).sum()), len(x) - 2
    slope, variance, source = float(line[0]), covariance[0, 0], "the errors of the values, taken as independent"
    if not known:
        variance *= chi2 / degrees
        chi2, source = math.nan, "the scatter about the line, values taken as independent"
    symbol, factor = reported
    error = abs(factor) * math.sqrt(variance)
    return Fit(name, form, symbol, factor * slope, error, "", float(from_y(line[1])), slope, chi2, degrees, float(x.min()), float(x.max()), source)


def _jackknife(form, times, values, sigma):
    """The error of the slope, from fits to the means over all replicas but one; times, values: [rows, R]."""
    _, to_x, to_y, _ = FORMS[form]
    if to_y is not _same and not (values.sum(axis=1, keepdims=True) > values).all():  # the mean over the others
        return math.nan
    return jackknife(lambda means: np.polyfit(to_x(means[0]), to_y(means[1]), 1, w=1 / sigma)[0], times.T, values.T)[1]


def _warned(found):
    """The fit, with a warning if its form does not describe the values."""
    if found.fails:
        warnings.warn(
            f"{found.name}: no {FORMS[found.form][0]} from {found.first:g} to {found.last:g}: chi^2 / degrees of freedom is "
            f"{found.reduced_chi2:.2g}; use a shorter range",
            stacklevel=3,
        )
    return found
