# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Forms that are fitted, and their least squares."""

import math

import numpy as np


def same(values):
    return values


# By form: its name, and coordinates in which it is a straight line, x and y, with the inverse of y.
FORMS = {
    "power": ("power law", np.log, np.log, np.exp),
    "logarithm": ("logarithm", np.log, same, same),
    "exponential": ("exponential", same, np.log, np.exp),
    "arrhenius": ("Arrhenius law", np.reciprocal, np.log, np.exp),
    "offset": ("power law with a constant", np.log, same, same),  # which no coordinates make a line
}


def fewest(form):
    """The least number of values for a fit: one more than it has numbers."""
    return 4 if form == "offset" else 3


def least_squares(form, x, mean, sigma):
    """(slope, amplitude, constant, variance of the slope if sigma are errors)."""
    _, to_x, to_y, from_y = FORMS[form]
    if form != "offset":
        line, covariance = np.polyfit(to_x(x), to_y(mean), 1, w=1 / sigma, cov="unscaled")
        return float(line[0]), float(from_y(line[1])), 0.0, float(covariance[0, 0])

    def of(slope):
        """The best amplitude and constant, and the sum of squares."""
        matrix = np.column_stack([x**slope, np.ones(len(x))]) / sigma[:, None]
        found = np.linalg.lstsq(matrix, mean / sigma, rcond=None)[0]
        return found, float(((matrix @ found - mean / sigma) ** 2).sum())

    tried = np.concatenate([-np.geomspace(4, 0.02, 60), np.geomspace(0.02, 4, 60)])
    _, slope = minimum(lambda one: of(one)[1], tried, 1e-9)
    (amplitude, constant), _ = of(slope)
    tangents = np.column_stack([x**slope, np.ones(len(x)), amplitude * x**slope * np.log(x)]) / sigma[:, None]
    return float(slope), float(amplitude), float(constant), float(np.linalg.pinv(tangents.T @ tangents)[2, 2])


def minimum(function, tried, accuracy):
    """(place of the least value among those tried, the minimum between its neighbours)"""
    from scipy.optimize import minimize_scalar

    best = int(np.argmin([function(one) for one in tried]))
    ends = tried[max(best - 1, 0)], tried[min(best + 1, len(tried) - 1)]
    return best, float(minimize_scalar(function, bounds=ends, method="bounded", options={"xatol": accuracy}).x)


def thinned(x, ratio):
    """The places of the first of the ascending x and of each next one that is at least `ratio` times the one before it."""
    kept = [0]
    for place, value in enumerate(x):
        if value >= ratio * x[kept[-1]] * (1 - 1e-9) and place:
            kept.append(place)
    return np.array(kept)


def curvature_test(x, residuals, deviations, sigma, tangents):
    """The probability of residuals as large as these about a fit that is right, by Hotelling's test: T^2 (R - q) / (q (R - 1)) is
    F(q, R - q), T^2 that of the projections of the residuals on q <= 2 polynomials in x that the fit cannot follow, with their
    covariance from the replicas. NaN without enough rows or replicas.

    x, residuals, sigma [n]; deviations [n, R] of the replicas from their mean; tangents [n, k]: derivatives of the fit
    """
    from scipy.special import fdtrc

    count, replicas = deviations.shape
    span = 2 * (x - x.min()) / np.ptp(x) - 1
    columns = np.column_stack([tangents, np.polynomial.legendre.legvander(span, 4)[:, tangents.shape[1] :]])
    q = min(count - tangents.shape[1], columns.shape[1] - tangents.shape[1], 2, max(1, (replicas - 1) // 2))
    if q < 1 or replicas <= q:
        return math.nan
    basis = np.linalg.qr(columns / sigma[:, None])[0][:, tangents.shape[1] :][:, :q] / sigma[:, None]
    scatter = basis.T @ deviations
    covariance = scatter @ scatter.T / (replicas - 1) / replicas
    found = basis.T @ residuals
    if not np.linalg.det(covariance) > 1e-24 * np.prod(np.diag(covariance)):
        return math.nan
    squared = float(found @ np.linalg.solve(covariance, found))
    return float(fdtrc(q, replicas - q, squared * (replicas - q) / (q * (replicas - 1))))
