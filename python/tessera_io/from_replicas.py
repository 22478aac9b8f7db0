# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Errors and tests of fits from the scatter of replicas, whose rows are correlated."""

import math

import numpy as np


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
