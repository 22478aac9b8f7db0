# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
import numpy as np

from ..choice import RING
from ..observables import standard_error
from ..sweeps.table import with_error
from . import labels, style

MOST_BARS = 60
# Columns of a table that are not curves.
BESIDE = {"replica", "time_before", "error", "propagated_error"}


def draw_observable(axes, observable, x_label=None, colour=None, scale="auto", name=None, running_mean=False):
    """An observable against time: the mean over the replicas, with error bars if there are any.

    x_label  of the axis of times; None: with their unit
    scale    linear, log (both axes), or auto: logarithmic times if most rows are early, and then logarithmic values if
             all are positive and errors small
    running_mean  whether rows are averages of all samples so far: they are drawn as a line with a band, and called so
    """
    line = draw_points(axes, observable.time, observable.mean, observable.error, scale, colour, name, MOST_BARS * (not running_mean))
    axes.set_xlabel(labels.label("time", observable.time_unit) if x_label is None else x_label)
    axes.set_ylabel(labels.label(observable.name, observable.unit))
    if running_mean:
        axes.set_title("running mean", loc="right")
    return line


def draw_points(axes, time, mean, error, scale, colour, name, most_bars=MOST_BARS):
    """Values against time as a line, with bars of their errors, or beyond so many values a band."""
    shown = np.isfinite(mean)
    measured = shown.any()
    log_time = scale == "log" or (scale == "auto" and _spread_logarithmically(time[shown]))
    if log_time:
        shown &= time > 0
        axes.set_xscale("log")
    if scale == "log" or (log_time and _spread_positively(mean[shown], error[shown])):
        shown &= mean > 0
        axes.set_yscale("log")
    time, mean, error = time[shown], mean[shown], error[shown]
    if not measured:
        axes.text(0.5, 0.5, "no value yet", transform=axes.transAxes, ha="center", color="0.4")
    elif scale == "log":
        labels.note_nothing_positive(axes, mean)
    colour = colour or style.COLOURS[0]
    few = len(time) <= max(most_bars, 1)  # a single row is a point
    (line,) = axes.plot(time, mean, color=colour, marker="o" if few and len(time) < 40 else None, label=name)
    if np.isfinite(error).any() and (error > 0).any():
        if few:
            limits = axes.dataLim.frozen()
            axes.errorbar(time, mean, yerr=error, fmt="none", ecolor=colour, elinewidth=1)
            # Matplotlib takes bars that reach below 0, on logarithmic axes, for points elsewhere; those that nearly do would be long.
            axes.dataLim.set(limits)
            ends = np.concatenate([mean - error, mean + error])
            visible = ends > np.tile(mean, 2) / 10 if axes.get_yscale() == "log" else np.isfinite(ends)
            axes.update_datalim(np.column_stack([np.tile(time, 2), ends])[visible])
        else:
            axes.fill_between(time, mean - error, mean + error, color=colour, alpha=0.3, linewidth=0)
    return line


def draw_average(axes, average, end):
    """The mean of an observable over time as a line from its start to `end`, with a band of its standard error."""
    (line,) = axes.plot([average.start, end], [average.mean] * 2, color=style.COLOURS[1], linewidth=1.5)
    below, above = average.mean - average.error, average.mean + average.error
    axes.fill_between([average.start, end], below, above, color=style.COLOURS[1], alpha=0.3, linewidth=0)
    return line


def draw_power_law(axes, law, colour=None):
    """The line of a tessera_io.fit() over its range, with the exponent as its label."""
    times = np.geomspace(law.first, law.last, 50)
    symbol = {"alpha": r"$\alpha$", "beta": r"$\beta$", "lambda/z": r"$\lambda/z$"}.get(law.symbol, law.symbol)
    words = f"{symbol} = {with_error(law.exponent, law.error)}"
    (line,) = axes.plot(times, law(times), "--", color=colour or style.COLOURS[1], linewidth=1.2, zorder=3, label=words)
    return line


def columns_of(table):
    """The columns of a history table that are curves."""
    return [name for name in table if name not in BESIDE and name != table.abscissa]


def draw_column(axes, table, name, scale="auto"):
    """A column of a history table against its time: a curve for each replica, with error bars if the table has them."""
    time, error = table.times, np.full(len(table[name]), np.nan)
    if name == "value" and "error" in table:
        error = table["error"]
    replica = table.get("replica", np.zeros(len(time)))
    replicas = np.unique(replica)
    for of, colour in zip(replicas, style.colours(len(replicas))):
        of_one = replica == of
        draw_points(axes, time[of_one], table[name][of_one], error[of_one], scale, colour, None)
    axes.set_xlabel(labels.label(table.abscissa, table.units[table.abscissa]))
    axes.set_ylabel(labels.label(table.name if name == "value" else name, table.units[name]))


def _spread_logarithmically(time):
    positive = time[time > 0]
    return len(positive) > 4 and positive.max() > 20 * positive.min() and (positive > positive.max() / 2).mean() < 0.3


def _spread_positively(mean, error):
    positive = len(mean) > 0 and (mean > np.where(np.isfinite(error), 3 * error, 0)).all()
    return bool(positive and mean.max() > 3 * mean.min())


def draw_function(axes, function, scale="auto", colour=None, name=None, replica=None):
    """A function averaged over samples against r, or against |q|, with a band of its standard error; or of one replica.

    scale  linear, log (both axes), or auto: logarithmic for g6(r), which distinguishes phases by its decay
    """
    if replica is not None:
        function = function.of_replica(replica)
    symbol = "r" if "r" in function.arguments else "q"
    x, mean, error = (function.arguments["r"], function.mean, function.error) if symbol == "r" else function.radial()
    shown = np.isfinite(mean)
    if scale == "log" or (scale == "auto" and function.name == "g6"):
        axes.set_xscale("log")
        axes.set_yscale("log")
        shown &= mean > 0
        labels.note_nothing_positive(axes, mean[shown])
    x, mean, error = x[shown], mean[shown], error[shown]
    colour = colour or style.COLOURS[0]
    (line,) = axes.plot(x, mean, color=colour, linewidth=1, label=name)
    if np.isfinite(error).any():
        axes.fill_between(x, mean - error, mean + error, color=colour, alpha=0.3, linewidth=0)
    if function.name != "g6":
        axes.axhline(1, color="0.6", linewidth=0.8, zorder=0)
    axes.set_xlabel(f"${symbol}$ ({labels.unit(next(iter(function.units.values())))})")
    axes.set_ylabel(labels.label(function.name, function.unit))
    return line


def draw_pair_distribution(axes, field, row=-1, replica=None, colour=None, name=None):
    """g(r) of a row: the mean over the replicas, with error bars; or that of one replica."""
    values = field.snapshots(row) if replica is None else field.snapshot(row, replica)[None]
    colour = colour or style.COLOURS[0]
    r = (np.arange(values.shape[1]) + 0.5) * RING
    mean = values.mean(axis=0)
    axes.plot(r, mean, color=colour, linewidth=1, label=name)
    if len(values) > 1:
        error = standard_error(values.T)
        axes.fill_between(r, mean - error, mean + error, color=colour, alpha=0.3, linewidth=0)
    axes.axhline(1, color="0.6", linewidth=0.8)
    axes.set_xlabel(f"$r$ ({labels.unit('sigma')})")
    axes.set_ylabel(labels.label(field.name, field.unit))
    return mean
