# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Collapse of the curves of several sizes onto one."""

import math
import warnings
from dataclasses import dataclass

import numpy as np

from .file import of_file
from .forms import minimum, thinned
from .observables import standard_error
from .series import jackknife, student

RATIO = 1.25  # least ratio of the times of successive rows
DEGREE = 9  # of the polynomial in ln(t / L^z) for the logarithm of the common curve


@dataclass
class Collapse:
    """W^2(t, L) = L^(2 alpha) f(t / L^z), or another observable (Family and Vicsek).

    alpha, z           exponents with their jackknife errors alpha_error, z_error over the replicas; NaN if a size has only one
    sizes              of the lattices
    x, y, error        by size: t / L^z, value / L^(2 alpha), and its standard error
    deviation          root of the mean square deviation of ln y from the common curve
    """

    alpha: float
    alpha_error: float
    z: float
    z_error: float
    sizes: list
    x: list
    y: list
    error: list
    deviation: float

    def draw(self, axes):
        """Draws the collapsed curves on Matplotlib axes, with error bars."""
        for size, x, y, error in zip(self.sizes, self.x, self.y, self.error):
            axes.errorbar(x, y, yerr=error, marker="o", markersize=3, linewidth=0.8, label=f"$L$ = {size:g}")
        axes.set(xscale="log", yscale="log", xlabel=f"$t / L^z$, $z$ = {self.z:.3f}")
        axes.set_ylabel(rf"value / $L^{{2\alpha}}$, $\alpha$ = {self.alpha:.3f}")
        axes.legend()


def collapse(curves, name="roughness", first=0.0, last=math.inf):
    """The exponents that make the curves of several sizes one: a Collapse.

    curves      runs of the same system with square lattices of different sizes, open files or their paths; or (L, time [n],
                values [n] or [n, replicas]) of each size
    name        of the observable of runs
    first, last  range of times; at early ones lattice effects prevent a collapse

    ln value - 2 alpha ln L is fitted by a polynomial of degree 9 in ln t - z ln L, by least squares with equal weights over rows
    whose times have ratios of at least 1.25. Errors are those of a jackknife over the replicas of each size, with Student's factor.
    z is the one of least deviation among those with which successive curves overlap by half; a warning says if that is the
    largest or the smallest of them. Raises ValueError for fewer than two sizes, for too few rows, and for values that are not positive.
    """
    data = [_curve(one, name, first, last) for one in curves]
    sizes = [size for size, *_ in data]
    if len(set(sizes)) < 2 or len(set(sizes)) < len(sizes):
        raise ValueError("a collapse needs curves of at least two sizes, one of each size")
    if sum(len(time) for _, time, _ in data) < DEGREE + 6:
        raise ValueError(f"a collapse needs at least {DEGREE + 6} measurements with times whose ratios are 1.25 or more")
    means = [values.mean(axis=1) for *_, values in data]
    times = [time for _, time, _ in data]
    (alpha, z), deviation = _exponents(sizes, times, means)
    variance = np.zeros(2)
    for place, (_, _, values) in enumerate(data):
        if values.shape[1] < 2:
            variance[:] = math.nan
            continue
        _, error = jackknife(lambda of_one, i=place: _exponents(sizes, times, [*means[:i], *of_one, *means[i + 1 :]], z)[0], values.T)
        variance += (student(1, values.shape[1] - 1) * error) ** 2
    alpha_error, z_error = map(float, np.sqrt(variance))
    scaled = [size ** (2 * alpha) for size in sizes]
    errors = [standard_error(values) / s for (*_, values), s in zip(data, scaled)]
    x = [time / size**z for size, time in zip(sizes, times)]
    return Collapse(alpha, alpha_error, z, z_error, sizes, x, [mean / s for mean, s in zip(means, scaled)], errors, deviation)


@of_file
def _curve(one, name, first, last):
    """(L, time, values [n, replicas]) in the range."""
    if not isinstance(one, (tuple, list)):
        sides = one.input["size"].split(",")
        if len(set(sides)) > 1:
            raise ValueError(f"{one.path}: is not square")
        one = float(sides[0]), one.observables[name].time, one.observables[name].value
    size, time, values = float(one[0]), np.asarray(one[1], float), np.asarray(one[2], float)
    values = values.reshape(len(time), -1)
    inside = np.flatnonzero((time > 0) & (time >= first) & (time <= last) & np.isfinite(values).all(axis=1))
    kept = inside[thinned(time[inside], RATIO)] if len(inside) else inside
    if not (values[kept].mean(axis=1) > 0).all():
        raise ValueError(f"L = {size:g}: is not positive from {first:g} to {last:g}")
    return size, time[kept], values[kept]


def _largest_z(sizes, times):
    """The largest z, 5 at most, for which the ranges of ln(t / L^z) of successive sizes overlap by half of the shorter one."""
    order = np.argsort(sizes)
    ends = [(math.log(times[i][0]), math.log(times[i][-1])) for i in order]
    logs = np.log(np.asarray(sizes)[order])
    shifts = [
        min((later[1] - min(b - a for a, b in (before, later)) / 2 - before[0]) / step, 5.0)
        for before, later, step in zip(ends, ends[1:], np.diff(logs))
    ]
    return max(0.5, min(shifts))


def _exponents(sizes, times, means, near=None):
    """((alpha, z), root of the mean square deviation): alpha and the polynomial are linear, z is searched for."""
    size = np.concatenate([np.full(len(time), math.log(one)) for one, time in zip(sizes, times)])
    time, value = np.log(np.concatenate(times)), np.log(np.concatenate(means))

    def of(z):
        u = time - z * size
        span = 2 * (u - u.min()) / np.ptp(u) - 1
        matrix = np.column_stack([2 * size, np.polynomial.legendre.legvander(span, DEGREE)])
        found = np.linalg.lstsq(matrix, value, rcond=None)[0]
        return found[0], float(((matrix @ found - value) ** 2).mean())

    tried = np.linspace(0.2, _largest_z(sizes, times), 97) if near is None else near + np.linspace(-0.2, 0.2, 9)
    place, z = minimum(lambda one: of(one)[1], tried, 1e-7)
    if near is None and place in (0, len(tried) - 1):
        warnings.warn("the curves do not collapse: the deviation has no minimum where they overlap by half", stacklevel=3)
    alpha, square = of(z)
    return (float(alpha), z), math.sqrt(square)
