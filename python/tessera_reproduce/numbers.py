# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Numbers with error bars, and their comparison with printed ones."""

import dataclasses
import math

import numpy as np
from tessera_io.observables import standard_error


def mean_of(values):
    """(mean, standard error) of independent values; the error is NaN if there are too few."""
    values = np.asarray(values, float)
    return float(values.mean()), float(standard_error(values))


def ratio_of(one, other):
    """(ratio, its standard error) of two independent (value, error), numbers or arrays."""
    ratio = one[0] / other[0]
    return ratio, np.abs(ratio) * np.hypot(one[1] / one[0], other[1] / other[0])


def counted(number, noun):
    """`1 minute`, `20 minutes`: a rounded number with its noun, at least 1."""
    whole = max(1, round(number))
    return f"{whole} {noun}" if whole == 1 else f"{whole} {noun}s"


def with_error(value, error, digits=2):
    """`0.34512(23)`: the standard error in the last digits."""
    if value is None or math.isnan(value):
        return "-"
    if error is None or math.isnan(error):
        return f"{value:.4g}"
    if error == 0:
        return f"{value:.6g}"
    places = digits - 1 - math.floor(math.log10(error))
    scaled = round(error * 10**places)
    if scaled >= 10**digits:  # 0.0996 is 0.10
        places -= 1
        scaled = round(error * 10**places)
    if places <= 0:
        if abs(value) >= 1e5:
            power = math.floor(math.log10(abs(value)))
            return f"{with_error(value / 10**power, error / 10**power, digits)}e{power}"
        return f"{round(value)}({round(error)})"
    return f"{value:.{places}f}({scaled})"


@dataclasses.dataclass
class Comparison:
    """A computed and a known number; `known_error` is its standard error, 0 for an exact one."""

    quantity: str
    value: float
    error: float
    known: float = math.nan
    known_error: float = math.nan
    source: str = "the paper"

    @property
    def z(self):
        """The difference in standard errors of the difference; NaN if one of the errors is unknown."""
        width = math.hypot(self.error, self.known_error)
        return (self.value - self.known) / width if width > 0 else math.nan

    def cells(self):
        return (
            self.quantity,
            with_error(self.value, self.error),
            with_error(self.known, self.known_error),
            self.source if not math.isnan(self.known) else "",
            f"{self.z:+.1f}" if not math.isnan(self.z) else "-",
        )


HEAD = ("quantity", "Tessera", "known", "from", "z")
