# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Events of the steps of a model from a file: forward, reverse and net, and turnover frequencies a site."""

import collections
import re
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np

from .observables import standard_error


@dataclass
class Step:
    """A step, which is a process or several with the same `step`, and its reverse.

    name, reverse      names; `reverse` is empty if there is none, or if the step is its own
    forward, backward  [R]: events of each replica; `backward` is NaN without a reverse
    rate, error        net events per site and time, and the standard error over the replicas; NaN for one replica
    of_types           {type of sites: (rate, error)}: net events in which a site of this type takes part, per such site and time
    unit               of the rates
    """

    name: str
    reverse: str
    forward: np.ndarray
    backward: np.ndarray
    rate: float
    error: float
    of_types: dict
    unit: str

    @property
    def net(self):
        """[R]: forward less backward events."""
        return self.forward - np.nan_to_num(self.backward)


def left_out(run):
    """The names of what short tables omit: coverages where molecules are counted, and events of processes that belong to a step."""
    by_process = {f"events_{one.name}" for one in _processes(run) if one.step != one.name}
    names = by_process | {name + "_rate" for name in by_process}
    if any(name.startswith("molecules_") for name in run.observables):
        names |= {name for name in [*run.observables, *run.averages] if name.startswith("coverage_")}
    return names


def steps(run):
    """[Step] of a run of a model file, in the order of the file; [] for other runs.

    Events are those of the window of the averages, or of the whole run without averages.
    """
    processes = [one for one in _processes(run) if f"events_{one.name}" in run.observables]
    if not processes:
        return []
    counters = {one.name: run.observables[f"events_{one.name}"] for one in processes}
    times = next(iter(counters.values())).times.reshape(len(next(iter(counters.values()))), -1)
    start = next(iter(run.averages.values())).start if run.averages else -np.inf
    first = min(int(np.sum(times.min(axis=1) <= start)), len(times) - 1)
    elapsed = times[-1] - times[first]
    counts = {name: np.diff(one.value.reshape(times.shape)[[first, -1]], axis=0)[0] for name, one in counters.items()}
    unit = next(iter(counters.values())).rate(1).unit
    sites = _types_of_sites(run)

    def rate(number, of_cell):
        with np.errstate(divide="ignore", invalid="ignore"):
            rates = number / elapsed / (run.sites() * of_cell)
        return float(rates.mean()), float(standard_error(rates))

    def total(some):
        return sum((counts[one.name] for one in some), np.zeros(len(elapsed)))

    members = collections.defaultdict(list)
    for one in processes:
        members[one.step].append(one)
    steps_of = {one.name: one.step for one in processes}
    reverses = {name: next((steps_of[one.reverse] for one in some if steps_of.get(one.reverse, name) != name), "") for name, some in members.items()}
    of_types = collections.Counter(sites.values())
    found, done = [], set()
    for name, some in members.items():
        if name in done:
            continue
        reverse = reverses[name]
        done.add(reverse)
        others = members.get(reverse, [])
        forward, backward = total(some), total(others)
        types = {}
        for kind, number in of_types.items() if len(of_types) > 1 else ():
            taking_part = [[one for one in those if kind in {sites[site] for site in one.sites}] for those in (some, others)]
            if any(taking_part):
                types[kind] = rate(total(taking_part[0]) - total(taking_part[1]), number)
        value, error = rate(forward - backward, len(sites))
        found.append(Step(name, reverse, forward, backward if reverse else np.full(len(elapsed), np.nan), value, error, types, unit))
    return found


def _processes(run):
    """The processes of a model file, as its description has them."""
    return [SimpleNamespace(**{"reverse": "", **one}) for one in run.description.get("processes", [])]


def _types_of_sites(run):
    """{site of the unit cell: its type}: the name, without a number if several sites have this name with numbers."""
    plain = {one["name"]: re.sub(r"\d+$", "", one["name"]) for one in run.description.get("sites", [])}
    several = collections.Counter(plain.values())
    return {name: kind if kind and several[kind] > 1 else name for name, kind in plain.items()}
