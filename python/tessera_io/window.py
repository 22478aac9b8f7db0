# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The tests of an average over a window in time, as the program makes them (docs/output.md)."""

import math
from dataclasses import dataclass, fields

from .text import text_of

# Results, from bad to good, with what they mean; the last one was that of earlier versions.
RESULTS = {
    "drifting": "not stationary, the first quarter and the second half of the window differ",
    "replicas differ": "the means of the replicas scatter more than fluctuations in time explain",
    "too short": "the window is too short",
    "no stationary part found": "no stationary part found",
}


@dataclass
class Stationarity:
    """Whether an observable is stationary in a window in time, and whether this is long enough for an error of its mean.

    name, start    the observable, and the time after which its rows are used; None for results of disks read from a file
    rows           their number
    result         "drifting": the first quarter of the window differs from its second half; else "replicas differ"; else "too short";
                   else "stationary"
    first, second  means of the first quarter and of the second half; error: standard error of their difference
    autocorrelation_time, autocorrelation_time_error  integrated one, half the time between rows if they are independent
    samples        independent ones: the times of all replicas over two autocorrelation times
    freedom        degrees of freedom of the error of the mean
    replica_ratio  variance of the replicas' means over that expected from fluctuations in time; NaN for one replica
    longer, slow   of a window that is too short: by how many times it must be longer, or more, and the slowest observable or mode;
                   "": it has too few rows
    """

    name: str
    start: float
    rows: int
    result: str = "too short"
    first: float = math.nan
    second: float = math.nan
    error: float = math.nan
    autocorrelation_time: float = math.nan
    autocorrelation_time_error: float = math.nan
    samples: float = math.nan
    freedom: float = math.nan
    replica_ratio: float = math.nan
    longer: float = math.nan
    slow: str = ""

    @classmethod
    def read(cls, group, _path):
        """Reads the result of the program from a group of the file."""
        start = group.file["averages/from"][()] if "averages/from" in group.file else None
        texts = {name: text_of(group.attrs.get(name, "")) for name in ("result", "slow")}
        others = [one.name for one in fields(cls) if one.name not in ("name", "start", "rows", *texts)]
        numbers = {name: float(group.attrs.get(name, math.nan)) for name in others}
        return cls(group.name.rsplit("/", 1)[-1], start if start is None else float(start), int(group.attrs["rows"]), **texts, **numbers)

    @property
    def deviation(self):
        """The difference of second and first in units of its error; 0 if they are equal."""
        return (self.second - self.first) / self.error if self.error > 0 else 0.0

    @property
    def stationary(self):
        """Whether the result is "stationary"."""
        return self.result == "stationary"

    @property
    def required(self):
        """What a window that is too short requires: "roughness: at least 3.2 times longer"; "" if it is not."""
        return required(self.longer, self.slow)

    def __str__(self):
        words = RESULTS.get(self.result, self.result)
        if self.result == "drifting":
            words += f" ({self.first:.6g} and {self.second:.6g})"
        if self.result == "too short" and self.required:
            words += f", {self.required}"
        samples = "" if math.isnan(self.samples) else f", {self.samples:.3g} independent samples"
        return f"{self.name}: {words}; {self.rows} rows{samples}"


def required(longer, slow):
    """The sentence about a window that must be longer by this factor."""
    if not longer > 0:
        return ""
    digits = 10 if longer < 10 else 1
    times = f"at least {math.ceil(digits * longer) / digits:.4g} times"
    return f"{slow}: {times} longer" if slow else f"{times} as many measurements"
