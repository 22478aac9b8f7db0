# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Forms that are fitted, and their least squares."""

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

    from scipy.optimize import minimize_scalar

    def of(slope):
        """The best amplitude and constant, and the sum of squares."""
        matrix = np.column_stack([x**slope, np.ones(len(x))]) / sigma[:, None]
        found = np.linalg.lstsq(matrix, mean / sigma, rcond=None)[0]
        return found, float(((matrix @ found - mean / sigma) ** 2).sum())

    tried = np.concatenate([-np.geomspace(4, 0.02, 60), np.geomspace(0.02, 4, 60)])
    best = int(np.argmin([of(slope)[1] for slope in tried]))
    low, high = tried[max(best - 1, 0)], tried[min(best + 1, len(tried) - 1)]
    slope = minimize_scalar(lambda one: of(one)[1], bounds=(low, high), method="bounded", options={"xatol": 1e-9}).x
    (amplitude, constant), _ = of(slope)
    tangents = np.column_stack([x**slope, np.ones(len(x)), amplitude * x**slope * np.log(x)]) / sigma[:, None]
    return float(slope), float(amplitude), float(constant), float(np.linalg.pinv(tangents.T @ tangents)[2, 2])
