# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
import copy

import numpy as np

from .described import describe
from .errors import check_rows
from .text import unit_of, with_error


def standard_error(values):
    """[...]: the standard error of the mean of independent values [..., n]; NaN for a single value, and if all are equal."""
    count = values.shape[-1]
    if count < 2:
        return np.full(values.shape[:-1], np.nan)
    scatter = values.std(axis=-1, ddof=1) / np.sqrt(count)
    return np.where((values == values[..., :1]).all(axis=-1), np.nan, scatter)


class Observable:
    """An observable measured at several times: arrays with one row for each time.

    name   of the observable
    unit   a text; empty for a plain number. time_unit: likewise
    value  [rows], or [rows, R] for R > 1 replicas. Skewness and kurtosis have one value for all replicas: [rows]
    times  as `value`: of each replica
    step   [rows]: work done so far, of all replicas together
    """

    def __init__(self, group, _path):
        self.name = group.name.rsplit("/", 1)[-1]
        self._titles = describe(group.file)
        self.value = group["value"][()]
        self.unit = unit_of(group["value"])
        self.step = group["step"][()]
        self.time_unit = unit_of(group["time"])
        times = group["time"][()]
        self.times = np.broadcast_to(times if times.ndim == self.value.ndim else times[:, None], self.value.shape)
        self._error = group["error"][()] if "error" in group else None
        check_rows(self.value, self.step, times, *[] if self._error is None else [self._error])

    @property
    def title(self):
        """The name in plots."""
        return self._titles.title(self.name)

    @property
    def replicas(self):
        """The number of replicas with a value each."""
        return self.value.shape[1] if self.value.ndim > 1 else 1

    @property
    def time(self):
        """[rows]: the time; the mean over the replicas if their times differ."""
        return self.times if self.replicas == 1 else self.times.mean(axis=1)

    @property
    def mean(self):
        """[rows]: the mean over the replicas; for one replica, its value."""
        return self.value if self.replicas == 1 else self.value.mean(axis=1)

    @property
    def error(self):
        """[rows]: the standard error of `mean`.

        From the scatter of the replicas. For a single replica it is the error written by the program, or NaN.
        """
        if self.replicas > 1:
            return standard_error(self.value)
        return np.full(self.value.shape, np.nan) if self._error is None else self._error

    def rate(self, sites):
        """The rate of a counter per site between successive measurements, at the times midway between them."""
        rate = copy.copy(self)
        rate.name, rate.step, rate._error = self.name + "_rate", self.step[1:], None
        rate.value, rate.times = np.diff(self.value, axis=0), (self.times[1:] + self.times[:-1]) / 2
        with np.errstate(divide="ignore", invalid="ignore"):
            rate.value = rate.value / np.diff(self.times, axis=0) / sites
        rate.unit = self.time_unit[2:] if self.time_unit.startswith("1/") else self.time_unit and "1/" + self.time_unit
        return rate

    def against(self, parameter):
        """This observable as a function of a parameter that changes with time."""
        observable = copy.copy(self)
        observable.times = np.interp(self.times, parameter.time, parameter.mean)
        return observable

    def __len__(self):
        return len(self.value)

    def __repr__(self):
        unit = f", in {self.unit}" if self.unit else ""
        return f"<observable {self.name}: {len(self)} rows, {self.replicas} replicas{unit}>"


class Average:
    """The mean of an observable over the measurements after a time, of a run with --average-from.

    name    of the observable
    unit    a text; empty for a plain number
    mean, error  over measurements and replicas, and the standard error
    autocorrelation_time, autocorrelation_time_error  integrated autocorrelation time of the measurements, and its standard error
    value   [R]: the mean of each replica; None for one replica, and for quantities of all replicas together
    start   time after which measurements are averaged
    """

    def __init__(self, group, _path):
        self.name = group.name.rsplit("/", 1)[-1]
        self.unit = unit_of(group["mean"])
        self.mean, self.error = float(group["mean"][()]), float(group["error"][()])
        self.value = group["value"][()] if "value" in group else None
        tau = [float(group[name][()]) if name in group else np.nan for name in ("autocorrelation_time", "autocorrelation_time_error")]
        self.autocorrelation_time, self.autocorrelation_time_error = tau
        self.start = float(group.file["averages/from"][()])

    def __repr__(self):
        return f"<average of {self.name}: {with_error(self.mean, self.error)} {self.unit}".rstrip() + ">"


class Row(dict):
    """A row of measurements: the mean of each observable over the replicas, by name.

    time    mean over the replicas; times: [R], or [1] if all have the same
    step    work done so far, of all replicas together
    error   by name: standard error of the mean over the replicas, or the error that the program gives; NaN: unknown
    of_replicas  by name: the value of each replica [R], or [1] for a quantity of all replicas together
    """

    def __init__(self, recorded):
        self.of_replicas = {name: _array(value) for name, value in recorded["observables"].items()}
        super().__init__((name, float(value.mean())) for name, value in self.of_replicas.items())
        self.times = _array(recorded["time"])
        self.time, self.step = float(self.times.mean()), recorded["step"]
        self.error = {}
        for name, value in self.of_replicas.items():
            given = _array(recorded["errors"].get(name))
            self.error[name] = float(standard_error(value) if len(value) > 1 else given[0])


def _array(value):
    """Numbers, or null: NaN."""
    return np.array(value if isinstance(value, list) else [value], dtype=float)
