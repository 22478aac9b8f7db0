# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Rows of measurements of a running simulation."""

import numpy as np

from .observables import standard_error


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
