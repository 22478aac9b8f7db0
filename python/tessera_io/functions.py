# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
import copy
import re

import numpy as np

from .errors import check_index, check_rows
from .observables import standard_error
from .series import jackknife
from .text import text_of, unit_of

VALUES = ("mean", "error", "value")


class AveragedFunction:
    """A function averaged over the samples of a run, such as g(r), or over its measurements, such as S(k).

    name, unit   texts; the unit is empty for a plain number
    arguments    {name: [n]}: the distance r, the wave number k along an axis, or the components q_x and q_y of a wave vector.
                 units: {name: unit}
    mean, error  [n]: mean over the replicas and its standard error; of one replica that of its blocks of samples
    value        [R, n]: of each replica; [1, n] of one
    start, samples, time_unit  time after which samples are averaged, and their number per replica; None if the file does not have them
    """

    def __init__(self, group, path):
        self._path = path
        self.name = group.name.rsplit("/", 1)[-1]
        self.unit = unit_of(group["mean"])
        self.mean = group["mean"][()]
        self.error = group["error"][()] if "error" in group else np.full(self.mean.shape, np.nan)
        self.value = group["value"][()] if "value" in group else self.mean[None]
        self.start, self.samples = group.attrs.get("from"), group.attrs.get("samples")
        self.time_unit = text_of(group.attrs.get("time_unit", ""))
        names = [name for name in group if name not in VALUES]
        self.arguments = {name: group[name][()] for name in names}
        self.units = {name: unit_of(group[name]) for name in names}
        check_rows(self.mean, self.error, self.value.T, *self.arguments.values())

    @property
    def replicas(self):
        """The number of replicas."""
        return len(self.value)

    def of_replica(self, replica):
        """The function of one replica, without errors if there are several."""
        check_index(f"{self._path}: no replica {replica} of {self.name}", replica, self.replicas)
        if self.replicas == 1:
            return self
        one = copy.copy(self)
        one.mean, one.value, one.error = self.value[replica], self.value[replica][None], np.full(self.mean.shape, np.nan)
        return one

    @property
    def curve(self):
        """(name, values, mean, error) of the only argument, or of |q|, `q`; see radial()."""
        if len(self.arguments) > 1:
            return "q", *self.radial()
        ((name, values),) = self.arguments.items()
        return name, values, self.mean, self.error

    def radial(self, width=None):
        """(q, mean, error): a function of wave vectors, averaged over rings of this width in |q|.

        width  None: the smallest |q|

        The error is the standard error over the replicas. For one replica the values at different wave vectors are taken as
        independent, which holds in a fluid.
        """
        length = np.hypot(*(self.arguments[name] for name in ("q_x", "q_y")))
        ring = np.floor(length / (width or length.min() * (1 + 1e-9)) + 0.5).astype(int)
        rings, index, count = np.unique(ring, return_inverse=True, return_counts=True)

        def average(values):
            return np.bincount(index, values, len(rings)) / count

        values = np.stack([average(value) for value in self.value])
        few = np.sqrt(1 + 2 / (len(values) - 1)) if len(values) > 1 else 1.0  # the scatter of so few is uncertain
        error = few * standard_error(values.T) if len(values) > 1 else np.sqrt(average(self.error**2) / count)
        return average(length), values.mean(axis=0), error

    def __len__(self):
        return len(self.mean)

    def __repr__(self):
        return f"<function {self.name} of {', '.join(self.arguments)}: {len(self)} values, {self.replicas} replicas>"


def function_of(group, path):
    """The function of a group of the file: averaged by the program, or S(k) of each measurement, averaged here."""
    return StructureFactor(group, path) if group.name.startswith("/fields/") else AveragedFunction(group, path)


class StructureFactor(AveragedFunction):
    """S(k) along an axis, k = 2 pi j / n, averaged over the measurements after the start of the averages of the run, or the last one.

    parts  [m, n]: means of independent parts, from which the error comes: of each replica, or eight of a single one's measurements
    """

    def __init__(self, group, path):
        self._path = path
        self.name = group.name.rsplit("/", 1)[-1]
        self.unit, self.time_unit = unit_of(group["value"]), unit_of(group["time"])
        rows, times = group["value"][()], group["time"][()]
        rows = rows if rows.ndim == 3 else rows[:, None]
        times = times if times.ndim == 1 else times.mean(axis=1)
        check_rows(rows, times)
        start = group.file.get("averages/from")
        used = times > start[()] if start is not None else np.zeros(len(times), bool)
        used[-1] |= not used.any()
        rows = rows[used]
        self.start, self.samples = float(start[()]) if used.sum() > 1 else float(times[-1]), int(used.sum())
        self.value = rows.mean(axis=0)
        self.parts = self.value if len(self.value) > 1 else np.array([part.mean(axis=0) for part in np.array_split(rows[:, 0], 8) if len(part)])
        self.mean = self.value.mean(axis=0)
        few = np.sqrt(1 + 2 / (len(self.parts) - 1)) if len(self.parts) > 1 else np.nan  # the scatter of so few is uncertain
        self.error = few * standard_error(self.parts.T)
        size = re.search(r"^size = (\d+)(?:,(\d+))?", text_of(group.file["provenance/input"][()]), re.MULTILINE)
        sites = int(size[2] if self.name.endswith("_y") and size[2] else size[1])
        self.arguments, self.units = {"k": 2 * np.pi * np.arange(1, len(self.mean) + 1) / sites}, {"k": ""}


def _along_both_axes(run, quantity=None):
    """[(k, parts)] of S(k) along x and y."""
    stem = "structure_factor" + (f"_{quantity}" if quantity else "")
    return [(run.functions[f"{stem}_{axis}"].arguments["k"], run.functions[f"{stem}_{axis}"].parts) for axis in "xy"]


def _over_parts(function, parts):
    """(value, error) of a function of the mean over independent parts [m, n]."""
    if len(parts) == 1:
        return float(function(parts)), np.nan
    value, error = jackknife(function, parts)
    return value, error * np.sqrt(1 + 2 / (len(parts) - 1))


def roughness_exponent(run, last=np.pi / 8, first=0.0):
    """(alpha, error) of a steady surface from S(k) ~ q^-(2 + 2 alpha), q = 2 sin(k / 2), for first <= k <= last along both axes.

    run   an open file with --structure-factor

    Least squares of ln S. The error is a jackknife error over the replicas, or over the parts of a single one. Raises ValueError for
    fewer than three wave numbers in the range.
    """
    both = [(k[rows], parts[:, rows]) for k, parts in _along_both_axes(run) for rows in [(k >= first) & (k <= last)]]
    q = 2 * np.sin(np.concatenate([k for k, _ in both]) / 2)
    if len(np.unique(q)) < 3:
        raise ValueError(f"{run.path}: has {len(np.unique(q))} wave numbers from {first:g} to {last:g}; a fit needs at least 3")
    parts = np.concatenate([parts for _, parts in both], axis=1)
    return _over_parts(lambda means: -1 - np.polyfit(np.log(q), np.log(means[0]), 1)[0] / 2, parts)


def correlation_length(run, quantity=None):
    """(xi, error) in sites from S(k) = S(0) / (1 + xi^2 q^2), q = 2 sin(k / 2), at k_min and 2 k_min along both axes, or the longer one.

    run       an open file with --structure-factor
    quantity  of several, such as coverage_CO. Of potts: None takes the sum over its three fractions

    NaN if S(k) does not decrease. Errors are those of roughness_exponent().
    """
    names = [quantity] if quantity or "structure_factor_x" in run.functions else [f"fraction_{state}" for state in range(3)]
    both = [_along_both_axes(run, name) for name in names]
    smallest = min(k[0] for k, _ in both[0])
    axes = [axis for axis in (0, 1) if both[0][axis][0][0] < 1.01 * smallest]
    parts = sum(one[axis][1][:, :2] for one in both for axis in axes)
    q_2 = (2 * np.sin(smallest * np.array([0.5, 1]))) ** 2

    def length(means):
        ratio = means[0][0] / means[0][1]
        with np.errstate(invalid="ignore"):
            return np.sqrt((ratio - 1) / (q_2[1] - ratio * q_2[0]))

    return _over_parts(length, parts)
