# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Decomposition schemes of Kelling, Odor and Gemming (2017) as options of `tessera kpz`."""

import numpy as np

from tessera_io.observables import standard_error
from tessera_io.plot.caption import SCHEMES

from .numbers import cost_of

SEQUENTIAL = "sequential"
PARALLEL = {"quick": [(6e7, "two cores")], "gpu": [(2.5e11, "an H100")], "paper": [(3e11, "an H200"), (1e8, "two cores")]}  # attempts/s
ONE_CORE = {"quick": 3e7, "gpu": 1.2e8, "paper": 8e7}
OF_KMC = {"quick": [(4e6, "two cores")], "gpu": [(2e9, "an H100")], "paper": [(2e9, "an H100"), (1e7, "two cores")]}  # of the exact process


class Scheme:
    """A combination of device layer, block layer, thread cell and side of a domain, or sequential dynamics."""

    def __init__(self, device, block="dt", cell="1,1", domain=None):
        self.sequential = device == SEQUENTIAL
        self.options = {"device-layer": device, "block-layer": block, "thread-cell": cell}
        self.label = f"{SCHEMES.get(device)}{block.upper()}, TC={cell}"
        if domain:
            self.options["domain"] = domain
            self.label += f", domain {domain}"
        if self.sequential:
            self.options, self.label = {"method": SEQUENTIAL}, SEQUENTIAL
        self.run_name = self.label.lower().replace(", tc=", "_tc").replace(", domain ", "_d").replace(",", "")

    def fits(self, size):
        """Whether a lattice of this side has room for the thread cell and the domains."""
        if self.sequential:
            return True
        largest = size if "db" in self.options["device-layer"] else size // 2
        domain = self.options.get("domain", min(128, largest))
        cell = 4 << max(int(word) for word in self.options["thread-cell"].split(","))
        return cell <= domain <= largest

    def run(self, program, options, domain=None, name=None):
        """Runs this scheme; the sequential method has no option for the backend."""
        return program.run(*self.call(options, domain, name))

    def call(self, options, domain=None, name=None):
        """The arguments of Program.run()."""
        both = {**options, **self.options, "fields": "never"}
        if domain and not self.sequential:
            both["domain"] = domain
        return name or self.run_name, "kpz", both, "" if self.sequential else None


def cost_of_attempts(scale, attempts, sequential):
    """The cost of these numbers of attempts, by schemes and by sequential dynamics."""
    alone = cost_of(sequential, "in sequence", (ONE_CORE[scale], "one core"))
    return cost_of(attempts, "attempts", *PARALLEL[scale]) + (f"; {alone}" if sequential else "")


def name_of(label):
    """The label of a scheme as a part of a name in a file."""
    return label.replace(", ", "_").replace(" ", "").replace("=", "").replace(",", "")


def series_of(title, curves, ratio=1):
    """Columns of {label: (time / ratio, value, error)} for a report."""
    return {f"{title}_{name_of(label)}": {"time": (time * ratio, "MCS"), "value": value, "error": error} for label, (time, value, error) in curves.items()}


def listed(times):
    """Times in the format of the program."""
    return ",".join(f"{time:g}" for time in times)


def logarithmic(first, last, per_decade=8):
    """Whole Monte Carlo steps, about this number per decade."""
    count = max(2, round(per_decade * np.log10(last / first)) + 1)
    return np.unique(np.rint(np.geomspace(first, last, count)))


def effective_exponents(run, table):
    """(times, values, errors) of a history table of effective exponents, at the geometric mean of the two times.

    The errors are those over the replicas.
    """
    with run.open() as opened:
        if table not in opened.history:
            return np.zeros((3, 0))
        rows = opened.history[table]
    value, error = rows["value"], rows["error"]
    known = np.isfinite(value) & np.isfinite(error)
    return np.stack([rows.times[known], value[known], error[known]])


def replicas_of(runs, name):
    """([times], [times][replicas]): an observable of all replicas of runs with the same times, where it is finite."""
    values = []
    for run in runs:
        with run.open() as opened:
            observable = opened.observables[name]
            time = observable.time
            values.append(observable.value.reshape(len(time), -1))
    values = np.concatenate(values, axis=1)
    known = np.isfinite(values).all(axis=1)
    return time[known], values[known]


def curve(runs, name):
    """(times, means, errors) of an observable."""
    time, values = replicas_of(runs, name)
    return np.array([time, values.mean(axis=1), standard_error(values)])
