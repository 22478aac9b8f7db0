# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Whether an observable is stationary within a window in time, as the program judges it."""

import math
from dataclasses import dataclass, fields

from .text import text_of

FEWEST = 8  # rows that have halves with errors
MOST_ERRORS = 3.0
FEWEST_TIMES = 20.0  # autocorrelation times


@dataclass
class Stationarity:
    """The two halves of a window in time.

    name, start          the observable, and the time after which its rows are used; None of what a file has of disks
    rows                 their number
    first, second        means of the halves, over rows and replicas
    difference, error    second - first, with its standard error, which includes the autocorrelation of rows
    autocorrelation_rows, autocorrelation_time  integrated autocorrelation time in rows, at least 1/2, and in the unit of time
    replica_ratio, replica_limit  variance of the replicas' means over the squared standard error of one, and what it hardly exceeds
                         by chance; NaN for one replica, and if such errors are unknown
    """

    name: str
    start: float
    rows: int
    first: float = math.nan
    second: float = math.nan
    error: float = math.nan
    autocorrelation_rows: float = math.nan
    autocorrelation_time: float = math.nan
    replica_ratio: float = math.nan
    replica_limit: float = math.nan

    @classmethod
    def read(cls, group, _path):
        """That of a group of the file."""
        start = group.file["averages/from"][()] if "averages/from" in group.file else None
        numbers = {one.name: float(group.attrs.get(one.name, math.nan)) for one in fields(cls) if one.name not in ("name", "start", "rows")}
        return cls(group.name.rsplit("/", 1)[-1], start if start is None else float(start), int(group.attrs["rows"]), **numbers)

    @property
    def difference(self):
        return self.second - self.first

    @property
    def deviation(self):
        """The difference in units of its error; 0 if the halves are equal."""
        return self.difference / self.error if self.error > 0 else math.copysign(math.inf, self.difference) if self.difference else 0.0

    @property
    def verdict(self):
        """"drifting" if the halves differ by more than three standard errors; else "replicas differ" if their means scatter more
        than their errors permit; else "too short" to judge for fewer than 20 autocorrelation times or eight rows; else "stationary"."""
        if self.rows < FEWEST or math.isnan(self.difference):
            return "too short"
        if abs(self.deviation) > MOST_ERRORS:
            return "drifting"
        if self.replica_ratio > self.replica_limit:
            return "replicas differ"
        return "too short" if self.rows < FEWEST_TIMES * self.autocorrelation_rows else "stationary"

    @property
    def stationary(self):
        """Whether the verdict is "stationary"."""
        return self.verdict == "stationary"

    def __str__(self):
        if math.isnan(self.difference):
            return f"{self.name}: {self.rows} rows, too short to judge"
        halves = f"{self.name}: the halves of the window differ by {abs(self.deviation):.2g} standard errors"
        times = f"{self.rows / self.autocorrelation_rows:.3g} autocorrelation times of {self.autocorrelation_time:.3g}"
        words = {
            "too short": ", too short to judge",
            "drifting": ": not stationary",
            "replicas differ": f"; the replicas' means scatter by {math.sqrt(self.replica_ratio):.3g} times the standard error of one: not stationary",
            "stationary": "",
        }.get(self.verdict)
        return f"{halves} ({self.first:.6g} and {self.second:.6g}); {times}{words}"
