# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The stationarity test of an observable within a window in time, as in the program."""

import math
from dataclasses import dataclass, fields

from .text import text_of

FEWEST = 8  # rows that have halves with errors
MOST_ERRORS = 3.0
FEWEST_TIMES = 20.0  # autocorrelation times
FEWEST_TIMES_OF_ERROR = 5.0  # of an error that follows from them
LEAST_Q = 1e-3  # of replicas that do not differ
ENOUGH_REPLICAS = 32  # whose scatter gives an error whatever the autocorrelation time
ORDER = ("stationary", "too short", "replicas differ", "drifting", "no stationary part found")  # results, from good to bad


@dataclass
class Stationarity:
    """The two halves of a window in time.

    name, start          the observable, and the time after which its rows are used; None for results of disks read from a file
    rows                 their number
    first, second        means of the halves, over rows and replicas
    difference, error    second - first, with its standard error, which includes the autocorrelation of rows
    autocorrelation_rows, autocorrelation_time  integrated autocorrelation time in rows, 1/2 for independent ones, and in the unit of
                         time; autocorrelation_rows_error, autocorrelation_time_error: their standard errors
    mean_error           standard error of the mean that follows from the autocorrelation of rows; NaN if read from a file
    replica_ratio, replica_q  variance of the replicas' means over the squared standard error of one, and the probability Q that
                         chance makes it as large; NaN for one replica, and if such errors are unknown
    least                worst result among the quantities on which the observable depends
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
    autocorrelation_rows_error: float = math.nan
    autocorrelation_time_error: float = math.nan
    replica_q: float = math.nan
    mean_error: float = math.nan
    least: str = ORDER[0]

    @classmethod
    def read(cls, group, _path):
        """Reads the result of the program from a group of the file."""
        start = group.file["averages/from"][()] if "averages/from" in group.file else None
        numbers = {one.name: float(group.attrs.get(one.name, math.nan)) for one in fields(cls) if one.name not in ("name", "start", "rows", "least")}
        numbers["least"] = text_of(group.attrs["result"])
        return cls(group.name.rsplit("/", 1)[-1], start if start is None else float(start), int(group.attrs["rows"]), **numbers)

    @property
    def difference(self):
        return self.second - self.first

    @property
    def deviation(self):
        """The difference in units of its error; 0 if the halves are equal."""
        return self.difference / self.error if self.error > 0 else math.copysign(math.inf, self.difference) if self.difference else 0.0

    def is_short(self, times=FEWEST_TIMES):
        """Whether the window may have fewer autocorrelation times than this, by two standard errors of the autocorrelation time."""
        uncertain = 0.0 if math.isnan(self.autocorrelation_rows_error) else self.autocorrelation_rows_error
        return not self.rows >= times * (self.autocorrelation_rows + 2 * uncertain)

    @property
    def result(self):
        """"drifting" if the halves differ by more than three standard errors; else "replicas differ" if their means scatter more
        than their errors permit; else "too short" if there may be fewer than 20 autocorrelation times; else "stationary". Never
        better than `least`, which may also be "no stationary part found"."""
        if self.rows < FEWEST or math.isnan(self.difference):
            own = "too short"
        elif abs(self.deviation) > MOST_ERRORS:
            own = "drifting"
        elif self.replica_q < LEAST_Q:
            own = "replicas differ"
        else:
            own = "too short" if self.is_short() else "stationary"
        return max(own, self.least, key=ORDER.index)

    @property
    def stationary(self):
        """Whether the result is "stationary"."""
        return self.result == "stationary"

    def __str__(self):
        if math.isnan(self.difference):
            return f"{self.name}: {self.rows} rows, too short to test stationarity"
        halves = f"{self.name}: the halves of the window differ by {abs(self.deviation):.2g} standard errors"
        times = f"{self.rows / self.autocorrelation_rows:.3g} autocorrelation times of {self.autocorrelation_time:.3g}"
        words = {
            "too short": ", too short to test stationarity",
            "drifting": ": not stationary",
            "no stationary part found": ": no stationary part found",
            "replicas differ": f"; the replicas' means scatter by {math.sqrt(self.replica_ratio):.3g} times the standard error of one: not stationary",
            "stationary": "",
        }.get(self.result)
        return f"{halves} ({self.first:.6g} and {self.second:.6g}); {times}{words}"
