# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
import numpy as np

from . import style

TIME_UNITS = {"kmc": "1/k_2", "kpz": "MCS", "disks": "sweeps"}
MOST_BARS = 60


def time_label(run):
    """The label of a time axis of this run."""
    unit = TIME_UNITS.get(run.method, "")
    if run.method == "kmc" and run.input.get("model") == "ising":
        unit = "1/flip rate of a free spin"
    return style.label("time", unit)


def draw_observable(axes, observable, x_label="time", colour=None, scale="auto", name=None):
    """An observable against time: the mean over the replicas, with error bars where there are any.

    scale  linear, log (both axes), or auto: log if the times are spread over more than two decades with few rows in
           the last half, as listed or logarithmic times are
    """
    time, mean, error = observable.time, observable.mean, observable.error
    shown = np.isfinite(mean)
    if scale == "auto":
        scale = "log" if _spread_logarithmically(time[shown], mean[shown]) else "linear"
    if scale == "log":
        shown &= (time > 0) & (mean > 0)
        axes.set_xscale("log")
        axes.set_yscale("log")
    time, mean, error = time[shown], mean[shown], error[shown]
    colour = colour or style.COLOURS[0]
    few = len(time) <= MOST_BARS
    (line,) = axes.plot(time, mean, color=colour, marker="o" if few and len(time) < 40 else None, label=name)
    if np.isfinite(error).any() and (error > 0).any():
        if few:
            axes.errorbar(time, mean, yerr=error, fmt="none", ecolor=colour, elinewidth=1)
        else:
            axes.fill_between(time, mean - error, mean + error, color=colour, alpha=0.3, linewidth=0)
    axes.set_xlabel(x_label)
    axes.set_ylabel(style.label(observable.name, observable.unit))
    return line


def _spread_logarithmically(time, mean):
    positive = time[time > 0]
    if len(positive) < 4 or (mean[time > 0] <= 0).any():
        return False
    middle = (time > time.max() / 2).mean()
    return positive.max() / positive.min() > 100 and middle < 0.3
