# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
import copy

import numpy as np

from .errors import check_index, check_rows
from .observables import standard_error
from .text import unit_of

VALUES = ("mean", "error", "value")


class AveragedFunction:
    """A function averaged over the samples of a run, such as g(r).

    name, unit   texts; the unit is empty for a plain number
    arguments    {name: [n]}: the distance r, or the components q_x and q_y of a wave vector. units: {name: unit}
    mean, error  [n]: mean over the replicas and its standard error; of one replica that of its blocks of samples
    value        [R, n]: of each replica; [1, n] of one
    start, samples  time after which samples are averaged, and their number per replica; None if the file does not have them
    """

    def __init__(self, group, path):
        self._path = path
        self.name = group.name.rsplit("/", 1)[-1]
        self.unit = unit_of(group["mean"])
        self.mean = group["mean"][()]
        self.error = group["error"][()] if "error" in group else np.full(self.mean.shape, np.nan)
        self.value = group["value"][()] if "value" in group else self.mean[None]
        self.start, self.samples = group.attrs.get("from"), group.attrs.get("samples")
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
