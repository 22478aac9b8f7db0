# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Fits of power laws, logarithms, exponentials and Arrhenius laws, and effective exponents."""

import math
import warnings
from dataclasses import dataclass

import numpy as np

from .file import of_file
from .forms import FORMS, curvature_test, fewest, least_squares, same, thinned
from .observables import standard_error
from .series import jackknife, student
from .sweeps import counted
from .text import with_error

# (beginning of the observable's name, exponent, exponent over slope of log(observable) against log(time))
EXPONENTS = (("roughness", "beta", 0.5), ("height_autocorrelation_", "lambda/z", -1), ("slope_autocorrelation_", "lambda/z", -1))


# What is reported of the forms that are no power law, over the slope.
REPORTED = {"logarithm": ("slope", 1), "exponential": ("rate", 1), "arrhenius": ("E_a", -1)}
FEWEST_REPLICAS = 8  # whose scatter gives weights: of two, errors of equal size are estimated to differ by factors of 20
MOST_CHI2 = 3.0  # over the degrees of freedom, of a form that describes the values
LEAST_P = 0.01  # probability of larger deviations, of a form that describes the values of replicas
RATIO = 1.25  # least ratio of the times of successive rows of a fit in ln t


@dataclass
class Fit:
    """A least-squares fit of a form:

        power        A x^slope
        logarithm    A + slope ln(x)
        exponential  A exp(slope x)
        arrhenius    A exp(-E_a / x), slope = -E_a
        offset       A x^slope + C

    name       of the observable
    form       the first word of the line above
    symbol     of a power law beta of W^2 ~ t^(2 beta), lambda/z of autocorrelations C ~ t^(-lambda/z), in plots of sweeps alpha of
               W^2 ~ L^(2 alpha), else "exponent": the slope; "slope" of a logarithm, "rate" of an exponential, "E_a" of an Arrhenius law
    value, error  with its standard error, and its unit
    amplitude, slope
    chi2, degrees    sum of squared deviations over squared errors, and degrees of freedom; chi2 is NaN without errors, and of replicas
    first, last      smallest and largest x in the fit
    error_from       what the error is computed from
    p                of replicas: the probability of larger deviations from the form if it is right; else NaN
    constant         C, else 0
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
    p: float = math.nan
    constant: float = 0.0

    @property
    def reduced_chi2(self):
        return self.chi2 / self.degrees

    @property
    def fails(self):
        """Whether the fitted form fails to describe the values."""
        return self.reduced_chi2 > MOST_CHI2 or self.p < LEAST_P

    @property
    def quality(self):
        """How well the form describes the values, or why that is not known."""
        if math.isfinite(self.p):
            return f"p = {self.p:.2g}"
        return f"chi^2 / degrees of freedom = {self.reduced_chi2:.2g}" if math.isfinite(self.chi2) else "no test"

    def __call__(self, x):
        """The fitted value at x."""
        if self.form == "offset":
            return self.constant + self.amplitude * np.asarray(x, float) ** self.slope
        _, to_x, to_y, from_y = FORMS[self.form]
        return from_y(to_y(self.amplitude) + self.slope * to_x(np.asarray(x, float)))

    def __str__(self):
        test = "" if self.quality == "no test" else f"{self.quality}, "
        value = f"{self.symbol} = {with_error(self.value, self.error)}{' ' * bool(self.unit)}{self.unit}"
        law = "" if self.form == "power" else f"{FORMS[self.form][0]}, "
        return f"{self.name}: {law}{value}, from {self.first:g} to {self.last:g} ({test}{'error from ' * math.isfinite(self.error)}{self.error_from})"


@of_file
def fit(run, name, first, last, form=None):
    """Fits a function of time to an observable over the measurements with first <= time <= last: a Fit.

    run   an open file, or its path
    form  None: a power law, but a logarithm of the roughness of kpz with p = q (Edwards-Wilkinson)

    Least squares, of logarithms where the form is a straight line in them. Power laws and logarithms are fitted to rows whose
    times have ratios of at least 1.25: closer ones are nearly the same measurement. Weights are the errors over the replicas, if
    there are at least eight of them; those of fewer are too uncertain. The error is the jackknife error over the replicas with
    Student's factor; p is that of Hotelling's test for curvature. Both account for the correlation between rows. A single
    replica gives neither. Warns if p is below 0.01. Raises ValueError for fewer than three usable measurements in the range (four
    with a constant), and for values that are not positive if the form requires positive ones.
    """
    observable, form = run.observables[name], form or form_of(name, [run])
    rows = np.flatnonzero(_usable(f"{run.path}: {name}", form, observable.time, observable.mean, first, last, "measurement"))
    if FORMS[form][1] is np.log:
        kept = thinned(observable.time[rows], RATIO)
        rows = rows[kept] if len(kept) >= fewest(form) else rows
    return _warned(_fit_rows(observable, rows, form), 4)


@of_file
def fit_scan(run, name, last=math.inf, form=None):
    """(begin, value, error), [n] each: fit() from each time on to `last`, as long as twice as many times remain as the form has numbers.
    An exponent does not depend on the begin of the range once the values follow the form."""
    observable, form = run.observables[name], form or form_of(name, [run])
    usable = (observable.time > 0) & (observable.time <= last) & np.isfinite(observable.mean) & ((observable.mean > 0) | (form != "power"))
    rows = np.flatnonzero(usable)
    rows = rows[thinned(observable.time[rows], RATIO)] if len(rows) else rows
    fits = [_fit_rows(observable, rows[begin:], form) for begin in range(len(rows) - 2 * fewest(form) + 3)]
    if len(fits) < 2:
        raise ValueError(f"{run.path}: {name}: has too few measurements for fits from different times; use fields or --measure-times")
    return tuple(np.array(values) for values in zip(*((one.first, one.value, one.error) for one in fits)))


def _fit_rows(observable, rows, form):
    """The Fit to these rows of an observable."""
    what, replicas = reported(observable.name, form), observable.replicas
    x, mean, sigma, known = _weighted(form, observable.time[rows], observable.mean[rows], observable.error[rows], replicas if replicas > 1 else None)
    found = _fit(observable.name, form, what, x, mean, sigma, known)
    found.chi2 = math.nan
    if replicas == 1:
        found.error, found.error_from = math.nan, "no error: one replica, whose rows are correlated"
        return found
    values = observable.value[rows]
    found.error = abs(what[1]) * student(1, replicas - 1) * _jackknife(form, observable.times[rows], values, sigma)
    found.error_from = f"a jackknife over {replicas} replicas"
    _, to_x, to_y, _ = FORMS[form]
    if known:
        relative = mean if to_y is not same else 1.0
        tangents = [np.ones(len(x)), to_x(x)] if form != "offset" else [np.ones(len(x)), x**found.slope, x**found.slope * np.log(x)]
        deviations = (values - mean[:, None]) / np.reshape(relative, (-1, 1))
        found.p = curvature_test(to_x(x), to_y(mean) - to_y(found(x)), deviations, sigma, np.column_stack(tangents))
    return found


def fit_points(x, mean, error=None, name="values", form="power", first=-math.inf, last=math.inf, replicas=None):
    """Fits a function of x to independent values with first <= x <= last, such as those of runs of different sizes: a Fit. Saturated
    roughness W^2 ~ L^(2 alpha) has alpha at half the exponent.

    replicas  number of replicas from whose scatter the errors were computed: with fewer than eight, errors are not used as weights;
              None: the errors are precise
    """
    x, mean = np.asarray(x, float), np.asarray(mean, float)
    error = np.full(len(x), np.nan) if error is None else np.asarray(error, float)
    rows = _usable(name, form, x, mean, first, last, "point")
    return _warned(_fit(name, form, reported("", form), *_weighted(form, x[rows], mean[rows], error[rows], replicas)))


def form_of(name, runs):
    """The form that is fitted by default to an observable of these runs: a logarithm of the roughness of Edwards-Wilkinson surfaces."""
    equal = [run.method in ("kpz", "kmc") and "p" in run.input and float(run.input["p"]) == float(run.input["q"]) for run in runs]
    octahedron = all(run.input.get("model", "octahedron") == "octahedron" and "processes" not in run.input for run in runs)
    return "logarithm" if name == "roughness" and runs and all(equal) and octahedron else "power"


@of_file
def effective_exponents(run, name, factor=2.0):
    """(time, exponent, error), [n] each: local slopes between times whose ratio is `factor`, or nearly.

    run   an open file, or its path

    The times are the last one and those that are 1 / factor, 1 / factor^2, ... of it. An exponent is at the geometric
    mean of its two times. Exponents and errors are those of the table beta_eff of kpz, whose factor is that between
    successive measurements; without replicas errors are propagated as those of independent values.
    """
    if not factor > 1:
        raise ValueError(f"factor {factor:g}: must be greater than 1")
    observable = run.observables[name]
    usable = np.flatnonzero((observable.time > 0) & (observable.mean > 0))
    _, scale = reported(name, "power")
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


def reported(name, form):
    """(symbol, value over slope) of what is reported."""
    exponents = ((symbol, factor) for begin, symbol, factor in EXPONENTS if name.startswith(begin))
    return REPORTED.get(form) or next(exponents, ("exponent", 1))


def _usable(where, form, x, mean, first, last, noun):
    """The rows to fit. Raises ValueError for fewer than three, and for values that are not positive if the form requires it."""
    words, to_x, to_y, _ = FORMS[form]
    inside = (x >= first) & (x <= last) & np.isfinite(mean) & ((x > 0) | (to_x is same))
    rows = inside & ((mean > 0) | (to_y is same))
    if len(set(x[rows])) < fewest(form):
        count = counted(rows.sum(), noun) + (" with positive values" if rows.sum() < inside.sum() else "")
        raise ValueError(f"{where}: has {count} from {first:g} to {last:g}; a fit needs at least {fewest(form)}")
    if (inside & ~rows).any():
        raise ValueError(f"{where}: is not positive from {first:g} to {last:g}, as the {words} is")
    return rows


def _weighted(form, x, mean, error, replicas):
    """(x, mean, sigma, whether errors are known): the errors of y in the coordinates of the form; equal ones, the root of the mean
    square, of few replicas, and 1 where none are known."""
    sigma = error if FORMS[form][2] is same else error / mean
    known = bool((np.isfinite(sigma) & (sigma > 0)).all())
    if not known:
        sigma = np.ones(len(x))
    elif replicas and replicas < FEWEST_REPLICAS:
        sigma = np.full(len(x), math.sqrt((sigma**2).mean()))
    return x, mean, sigma, known


def _fit(name, form, reported, x, mean, sigma, known):
    _, to_x, to_y, from_y = FORMS[form]
    slope, amplitude, constant, unit = least_squares(form, x, mean, sigma)
    fitted = constant + amplitude * x**slope if form == "offset" else to_y(amplitude) + slope * to_x(x)
    chi2, degrees = float((((to_y(mean) - fitted) / sigma) ** 2).sum()), len(x) - fewest(form) + 1
    variance, source = unit, "the errors of the values, taken as independent"
    if not known:
        variance *= chi2 / degrees
        chi2, source = math.nan, "the scatter about the line, values taken as independent"
    symbol, factor = reported
    error = abs(factor) * math.sqrt(variance)
    ends = float(x.min()), float(x.max())
    return Fit(name, form, symbol, factor * slope, error, "", amplitude, slope, chi2, degrees, *ends, source, constant=constant)


def _jackknife(form, times, values, sigma):
    """The error of the slope, from fits to the means over all replicas but one; times, values: [rows, R]."""
    if FORMS[form][2] is not same and not (values.sum(axis=1, keepdims=True) > values).all():  # the mean over the others
        return math.nan
    return jackknife(lambda means: least_squares(form, means[0], means[1], sigma)[0], times.T, values.T)[1]


def _warned(found, level=3):
    """The fit, with a warning if its form does not describe the values."""
    if found.fails:
        warnings.warn(
            f"{found.name}: no {FORMS[found.form][0]} from {found.first:g} to {found.last:g}: {found.quality}; use a shorter range",
            stacklevel=level,
        )
    return found
