# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Tests whether an observable of a run is stationary in the window of its average."""

import os

import numpy as np

from .file import open_file
from .series import judge
from .window import FEWEST_TIMES, ORDER


def stationarity(run, name, start=None):
    """Tests the window after the time `start` of an observable, or of a function of averages such as "binder_cumulant", as the
    program does: a Stationarity.

    run    an open file, or its path
    start  None: the value of --average-from; for disks without averages that of --equilibrate; else half the time of the last row

    For disks the table `samples` is tested. The result is at best that of the averages on which the quantity depends.
    `run.stationarity` has the results of the program. Beyond 8192 rows, or 65536 of all replicas, both use sums over rows.
    """
    if isinstance(run, (str, os.PathLike)):
        with open_file(run) as opened:
            return stationarity(opened, name, start)
    function, of = _functions(run).get(name, (None, [name]))
    if start is None and run.averages and (name in run.averages or run.method == "disks"):
        start = next(iter(run.averages.values())).start
    window, time, arrays = {}, None, []
    for one in of:
        time, values = _rows(run, one)
        if start is None and run.method == "disks":
            start = float(run.input.get("equilibrate", 0))
        elif start is None:
            start = float(time[-1] / 2) if len(time) else 0.0
        arrays.append(values)
    used = (time > start) & np.all([np.isfinite(values).all(axis=1) for values in arrays], axis=0)
    known = 0.0 if name in ("psi6_re", "psi6_im") else None
    found, _, _ = judge(time[used], [values[used] for values in arrays], function, known, name, float(start))
    for other in run.averages:
        if other not in _functions(run):
            time, values = _rows(run, other)
            window[other] = values[time > start], judge(time[time > start], [values[time > start]], name=other)[0]
    _depend(window)
    if name in window:
        found.least = window[name][1].least
    elif function:
        bases = [one for one in window if any(_is_power(other, one) for other in window)]
        short = any(judged.is_short() for one, (_, judged) in window.items() if one not in bases)
        found.least = max([*(window[one][1].result for one in of if one in window), *["too short"] * short], key=ORDER.index, default=ORDER[0])
    return found


def _depend(window):
    """Sets `least` of averages {name: (rows, Stationarity)} that depend on others: rates depend on all averages, powers on their
    base, and quantities with the slow fluctuations of another one on that one."""
    rates = {name for name in window if name.endswith("_rate")}
    worst = max((one.result for name, (_, one) in window.items() if name not in rates), key=ORDER.index, default=ORDER[0])
    for name, (_, one) in window.items():
        short = ["too short"] * any(of.is_short(FEWEST_TIMES / 2) for other, (_, of) in window.items() if _is_power(name, other))
        one.least = max([one.least, *short, *([worst] if name in rates else [])], key=ORDER.index)
    slow = [(other, rows, of) for other, (rows, of) in window.items() if of.result == "too short"]
    for name, (rows, one) in window.items():
        for other, its, of in slow:
            square = _correlation(rows, its) ** 2 if other != name and rows.shape == its.shape else 0.0
            if 4 * square * of.autocorrelation_rows > one.autocorrelation_rows and square * rows.size > 4 * one.autocorrelation_rows:
                one.least = max(one.least, "too short", key=ORDER.index)


def _is_power(name, of):
    return name in (of + "_abs", of + "_2", of + "_4")


def _correlation(rows, other):
    rows, other = rows - rows.mean(), other - other.mean()
    squares = np.vdot(rows, rows) * np.vdot(other, other)
    return float(np.vdot(rows, other) / np.sqrt(squares)) if squares > 0 else 0.0


def _functions(run):
    """What the program computes from averages over time: {name: (function of means, names)}."""
    functions = {
        "skewness": (lambda m: m[1] / m[0] ** 1.5, ["roughness", "moment_3"]),
        "kurtosis": (lambda m: m[1] / m[0] ** 2 - 3, ["roughness", "moment_4"]),
    }
    if run.method == "disks":
        particles = float(run.input["particles"])
        functions["binder_cumulant"] = (lambda m: 1 - m[1] / (3 * m[0] ** 2), ["psi6_2", "psi6_4"])
        functions["susceptibility"] = (lambda m: particles * (m[1] - m[0] ** 2), ["psi6", "psi6_2"])
    order = "order" if "order" in run.observables else "magnetisation_abs"
    if order in run.observables and "energy_2" in run.observables:
        coupling = float(run.input["coupling"])
        sites = _sites(run)
        stem = order.removesuffix("_abs")
        functions["binder_cumulant"] = (lambda m: 1 - m[1] / (3 * m[0] ** 2), [stem + "_2", stem + "_4"])
        functions["susceptibility"] = (lambda m: coupling * sites * (m[1] - m[0] ** 2), [order, stem + "_2"])
        functions["specific_heat"] = (lambda m: coupling**2 * sites * (m[1] - m[0] ** 2), ["energy", "energy_2"])
    return functions


def _sites(run):
    sides = run.input["size"].split(",")
    return float(sides[0]) * float(sides[-1])


def _of_samples(run, samples, name):
    """The values of a quantity in all rows of the table of samples; None if it is not in them."""
    if name in ("psi6", "psi6_2", "psi6_4"):
        return (samples["psi6_re"] ** 2 + samples["psi6_im"] ** 2) ** {"psi6": 0.5, "psi6_2": 1, "psi6_4": 2}[name]
    if name == "contact_value":
        density = 4 * float(run.input["packing-fraction"]) / np.pi
        return (samples["pressure"] / density - 1) / (np.pi / 2 * density)
    return samples[name] if name in samples else None


def _rows(run, name):
    """(time, values): [rows], [rows, R]; of NAME_rate the increments of a counter per time and site."""
    samples = run.history["samples"] if run.method == "disks" and "samples" in run.history else {}
    of_samples = _of_samples(run, samples, name) if samples else None
    if of_samples is not None:
        values = [of_samples[samples["replica"] == one] for one in range(run.replicas)]
        rows = min(map(len, values))
        return samples["sweep"][samples["replica"] == 0][:rows], np.stack([one[:rows] for one in values], axis=1)
    if name.endswith("_rate") and name not in run.observables:
        counter = run.observables[name.removesuffix("_rate")]
        values = counter.value.reshape(len(counter.value), -1).astype(float)
        times = counter.times.reshape(len(counter.value), -1)
        return counter.time[1:], np.diff(values, axis=0) / np.diff(times, axis=0) / _sites(run)
    observable = run.observables[name]
    return observable.time, observable.value.reshape(len(observable.value), -1).astype(float)
