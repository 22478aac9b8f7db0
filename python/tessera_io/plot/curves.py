# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
import numpy as np

from . import style

MOST_BARS = 60


def draw_observable(axes, observable, x_label=None, colour=None, scale="auto", name=None):
    """An observable against time: the mean over the replicas, with error bars where there are any.

    x_label  of the axis of times; None: with their unit
    scale    linear, log (both axes), or auto: logarithmic times if most rows are early, and then logarithmic values if
             all are positive and errors small
    """
    time, mean, error = observable.time, observable.mean, observable.error
    shown = np.isfinite(mean)
    log_time = scale == "log" or (scale == "auto" and _spread_logarithmically(time[shown]))
    if log_time:
        shown &= time > 0
        axes.set_xscale("log")
    if scale == "log" or (log_time and _spread_positively(mean[shown], error[shown])):
        shown &= mean > 0
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
    axes.set_xlabel(style.label("time", observable.time_unit) if x_label is None else x_label)
    axes.set_ylabel(style.label(observable.name, observable.unit))
    return line


def draw_average(axes, average, end):
    """The mean of an observable over time as a line from its start to `end`, with a band of its standard error."""
    (line,) = axes.plot([average.start, end], [average.mean] * 2, color=style.COLOURS[1], linewidth=1.5)
    below, above = average.mean - average.error, average.mean + average.error
    axes.fill_between([average.start, end], below, above, color=style.COLOURS[1], alpha=0.3, linewidth=0)
    return line


def _spread_logarithmically(time):
    positive = time[time > 0]
    return len(positive) > 4 and positive.max() > 20 * positive.min() and (positive > positive.max() / 2).mean() < 0.3


def _spread_positively(mean, error):
    positive = len(mean) > 0 and (mean > np.where(np.isfinite(error), 3 * error, 0)).all()
    return bool(positive and mean.max() > 3 * mean.min())


RING = 0.02  # of the program's g(r), in sigma


def draw_pair_distribution(axes, field, row=-1):
    """g(r) of a row: the mean over the replicas, with error bars."""
    values = field.snapshots(row)
    r = (np.arange(values.shape[1]) + 0.5) * RING
    mean = values.mean(axis=0)
    axes.plot(r, mean, color=style.COLOURS[0], linewidth=1)
    if len(values) > 1:
        error = values.std(axis=0, ddof=1) / np.sqrt(len(values))
        axes.fill_between(r, mean - error, mean + error, color=style.COLOURS[0], alpha=0.3, linewidth=0)
    axes.axhline(1, color="0.6", linewidth=0.8)
    axes.set_xlabel(style.label("r", "sigma"))
    axes.set_ylabel("g(r)")
    return mean
