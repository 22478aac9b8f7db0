# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Errors and tests of fits from the scatter of replicas, whose rows are correlated."""

import math

import numpy as np


def student_factor(degrees):
    """The factor that makes an error from so many degrees of freedom one of 68 %, as of a normal distribution: expansion of the
    quantile of Student's t; 1.81 for one degree, exactly 1.84."""
    return 1 + 1 / (2 * degrees) + 1 / (4 * degrees**2) + 1 / (16 * degrees**3)


def f_survival(value, n1, n2):
    """The probability that F(n1, n2) exceeds a value: an incomplete beta function by its continued fraction."""
    return _beta(n2 / 2, n1 / 2, n2 / (n2 + n1 * value)) if value > 0 else 1.0


def _beta(a, b, x):
    """I_x(a, b)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(b, a, 1 - x)
    d = 1 / (1 - (a + b) * x / (a + 1))
    c, fraction = 1.0, d
    for m in range(1, 300):
        for part in (m * (b - m) / ((a + 2 * m - 1) * (a + 2 * m)), -(a + m) * (a + b + m) / ((a + 2 * m) * (a + 2 * m + 1))):
            d, c = 1 / (1 + part * x * d), 1 + part * x / c
            fraction *= d * c
        if abs(d * c - 1) < 1e-12:
            break
    logarithm = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    return math.exp(logarithm) / a * fraction


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
    return f_survival(squared * (replicas - q) / (q * (replicas - 1)), q, replicas - q)
