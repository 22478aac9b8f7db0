# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
import copy
import functools
import re

import numpy as np

from .described import describe
from .errors import check_index, check_rows
from .lattices import LATTICES
from .observables import standard_error
from .series import FEW_REPLICAS, average, jackknife, student
from .steady import Judgement, Rows, errors_of, start_of
from .text import text_of, unit_of

VALUES = ("mean", "error", "value")


class AveragedFunction:
    """A function averaged over the samples of a run, such as g(r), or over its measurements, such as S(k).

    name, unit   texts; the unit is empty for a plain number. title: in plots
    arguments    {name: [n]}: the distance r, the wave number k along an axis, or the components q_x and q_y of a wave vector.
                 units: {name: unit}
    mean, error  [n]: mean over the replicas and its standard error; of one replica that of its blocks of samples
    value        [R, n]: of each replica; [1, n] of one
    start, samples, time_unit  time after which samples are averaged, and their number per replica; None if the file does not have them
    """

    def __init__(self, group, path):
        self._path = path
        self.name = group.name.rsplit("/", 1)[-1]
        self.unit, self.title = unit_of(group["mean"]), describe(group.file).title(self.name)
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
    if not group.name.startswith("/fields/"):
        return AveragedFunction(group, path)
    name, value, times = group.name.rsplit("/", 1)[-1], group["value"], group["time"][()]
    size = re.search(r"^size = (\d+)(?:,(\d+))?", text_of(group.file["provenance/input"][()]), re.MULTILINE)
    length = int(size[2] if name.endswith("_y") and size[2] else size[1])
    one = StructureFactor(name, describe(group.file).title(name), unit_of(value), unit_of(group["time"]))
    rows, times = value[()] if value.ndim == 3 else value[()][:, None], times if times.ndim == 1 else times.mean(axis=1)
    return one.averaged(group.file, path, rows, times, length)


class StructureFactor(AveragedFunction):
    """S(k) along an axis, k = 2 pi j / n, averaged over the measurements after the start of the averages of the run, or the last one.

    rows       [m, R, n]: S of these measurements, at the times `time` [m]
    spacing    of the planes of sites, in the unit of 1 / k: 1, in three dimensions a cubic cell, or half of one on bcc and fcc
    error      by the rule of averages (docs/output.md): NaN if the window is too short and has up to eight replicas
    judgement  a steady.Judgement of the window; None of a single measurement, whose error is the scatter of the replicas
    """

    def __init__(self, name, title, unit, time_unit, spacing=1):
        self.name, self.title, self.unit, self.time_unit, self.spacing = name, title, unit, time_unit, spacing

    def averaged(self, h5, path, rows, times, length, waves=()):
        """This function with the mean of rows at these times, along an axis of this length."""
        check_rows(rows, times)
        self._path = path
        start = start_of(h5, times) if "averages/from" in h5 else np.inf
        used = times > start
        used[-1] |= not used.any()
        self.rows, self.time = rows[used], times[used]
        self.start, self.samples = start if used.sum() > 1 else float(times[-1]), int(used.sum())
        self.judgement = Judgement(h5, start, waves) if self.samples > 1 else None
        self.value = self.rows.mean(axis=0)
        self.mean = self.value.mean(axis=0)
        self.arguments, self.units = {"k": 2 * np.pi * np.arange(1, len(self.mean) + 1) / length}, {"k": ""}
        return self

    @functools.cached_property
    def error(self):
        return errors_of(self.rows, self.judgement is not None and self.judgement.is_short)


class Waves:
    """S(k) of a field of three axes along these, of potts of the fraction of each state."""

    def __init__(self, field):
        self.field, self.h5, self._of_states = field, field._value.file, {}
        self.lattice = LATTICES[field.lattice]

    def _read(self, name):
        """(state or None, axis) of a name; None of others."""
        match = re.fullmatch(r"structure_factor(?:_fraction_(\d+))?_([xyz])", name)
        return match and (match[1] is None) == (self.field.name != "state") and (match[1] and int(match[1]), "zyx".index(match[2]))

    def has(self, name):
        return bool(self._read(name))

    def _of(self, state):
        """3 times [m, R, n]: the amplitudes of the waves along z, y and x."""
        if state not in self._of_states:
            sums = [[[], [], []] for _ in range(len(self.field))]
            for row, replica in np.ndindex(len(self.field), self.field.replicas):
                values = self.field.snapshot(row, replica)
                for axis in range(3):
                    sums[row][axis].append(self.lattice.sums(values if state is None else values == state, axis))
            waves = [np.fft.rfft([of_row[axis] for of_row in sums])[..., 1:] for axis in range(3)]
            self._of_states[state] = [of_axis / np.sqrt(np.prod(self.field.shape)) for of_axis in waves]
        return self._of_states[state]

    def structure_factor(self, name):
        field, (state, axis) = self.field, self._read(name)
        waves = self._of(state)
        slow = [Rows(field.time, part, "", field.time_unit) for one in waves for part in (one[..., 0].real, one[..., 0].imag)]
        quantity, of = (field.name, "") if state is None else (f"fraction_{state}", f" of state {state}")
        one = StructureFactor(name, f"$S(k)$ along ${'zyx'[axis]}$" + of, "", field.time_unit, 1 / self.lattice.length)
        return one.averaged(self.h5, field._path, np.abs(waves[axis]) ** 2, field.time, field.box[2 - axis], {f"S(k_min) of {quantity}": slow})


def _along_axes(run, quantity=None):
    """S(k) along x and y, in three dimensions z too."""
    stem = "structure_factor" + (f"_{quantity}" if quantity else "")
    return [run.functions[f"{stem}_{axis}"] for axis in ("xyz" if run.functions.waves else "xy")]


def _of_means(function, one, rows):
    """(value, error) of function(means of rows [m, R, n]) of the measurements of a StructureFactor."""
    series, replicas = [*np.moveaxis(rows, 2, 0)], rows.shape[1]
    if one.judgement is None:
        if replicas == 1:
            return float(function([rows[0, 0, k] for k in range(rows.shape[2])])), np.nan
        value, error = jackknife(function, *(of_k[0] for of_k in series))
        return value, error * student(1, replicas - 1)
    found = average(series, time=one.time, function=function)
    is_known = replicas > FEW_REPLICAS or not one.judgement.is_short or found.stationarity.result == "replicas differ"
    return found.mean, found.error if is_known and np.isfinite(found.mean) else np.nan


def roughness_exponent(run, last=np.pi / 8, first=0.0):
    """(alpha, error) of a steady surface from S(k) ~ q^-(2 + 2 alpha), q = 2 sin(k / 2), for first <= k <= last along both axes.

    run   an open file with --structure-factor

    Least squares of ln S. The error is that of a function of averages (docs/output.md), of a single measurement a jackknife error over
    the replicas. Raises ValueError for fewer than three wave numbers in the range.
    """
    both = _along_axes(run)
    inside = [(one.arguments["k"] >= first) & (one.arguments["k"] <= last) for one in both]
    q = 2 * np.sin(np.concatenate([one.arguments["k"][k] for one, k in zip(both, inside)]) / 2)
    if len(np.unique(q)) < 3:
        raise ValueError(f"{run.path}: has {len(np.unique(q))} wave numbers from {first:g} to {last:g}; a fit needs at least 3")
    rows = np.concatenate([one.rows[:, :, k] for one, k in zip(both, inside)], axis=2)
    return _of_means(lambda means: -1 - np.polyfit(np.log(q), np.log(means), 1)[0] / 2, both[0], rows)


def correlation_length(run, quantity=None):
    """(xi, error) in sites from S(k) = S(0) / (1 + xi^2 q^2), q = 2 sin(k / 2), at k_min and 2 k_min along both axes, or the longer one.

    run       an open file with --structure-factor, or of three dimensions, from the rows of its field: xi is in cubic cells,
              q = (2 / d) sin(k d / 2), with planes of sites at distances d, along the longest axes
    quantity  of several, such as coverage_CO. Of potts: None takes the sum over its fractions

    NaN if S(k) does not decrease. Errors are those of roughness_exponent().
    """
    names = [quantity] if quantity or "structure_factor_x" in run.functions else [f"fraction_{state}" for state in range(int(run.input.get("states", 3)))]
    all_of = [_along_axes(run, name) for name in names]
    smallest = min(one.arguments["k"][0] for one in all_of[0])
    used = [one for both in all_of for one in both if one.arguments["k"][0] < 1.01 * smallest]
    q_2 = (2 / used[0].spacing * np.sin(smallest * used[0].spacing * np.array([0.5, 1]))) ** 2

    def length(means):
        ratio = means[0] / means[1]
        with np.errstate(invalid="ignore"):
            return np.sqrt((ratio - 1) / (q_2[1] - ratio * q_2[0]))

    return _of_means(length, used[0], sum(one.rows[:, :, :2] for one in used))
