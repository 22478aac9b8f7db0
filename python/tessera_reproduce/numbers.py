# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Numbers with error bars, and their comparison with printed ones."""

import dataclasses
import math

import numpy as np
from tessera_io.observables import standard_error
from tessera_io.sweeps import counted
from tessera_io.text import with_error

SPANS = (("year", 365 * 86400), ("day", 86400), ("hour", 3600), ("minute", 60))  # in seconds


def mean_of(values):
    """(mean, standard error) of independent values; the error is NaN if there are too few."""
    values = np.asarray(values, float)
    return float(values.mean()), float(standard_error(values))


def ratio_of(one, other):
    """(ratio, its standard error) of two independent (value, error), numbers or arrays."""
    ratio = one[0] / other[0]
    return ratio, np.abs(ratio) * np.hypot(one[1] / one[0], other[1] / other[0])


def spent(seconds):
    """A duration in words, at least a minute: "20 minutes", "3 hours"."""
    noun, length = next(((noun, length) for noun, length in SPANS if seconds > 1.5 * length), SPANS[-1])
    return counted(max(1, round(seconds / length)), noun)


def cost_of(work, what, *speeds):
    """ "4e+10 attempts: 20 minutes on an H100": the work, and its duration for each (work per second, machine)."""
    return f"{work:.1g} {what}: " + ", ".join(f"{spent(work / speed)} on {machine}" for speed, machine in speeds)


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
