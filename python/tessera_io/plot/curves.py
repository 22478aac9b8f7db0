# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
import numpy as np

from ..choice import RING
from ..observables import standard_error
from ..power_law import FORMS
from ..text import with_error
from . import labels, style

MOST_BARS = 60
LOG_X, LOG_Y = ("log", "semilogx"), ("log", "semilog", "arrhenius")  # scales with logarithmic axes
SCALE_OF = {"power": "log", "logarithm": "semilogx", "exponential": "semilog", "arrhenius": "arrhenius", "offset": "log"}  # on which a form is a line
SYMBOLS = {"alpha": r"$\alpha$", "beta": r"$\beta$", "lambda/z": r"$\lambda/z$", "E_a": r"$E_\mathrm{a}$"}
# Columns of a table that are not curves; waves of the density are not drawn.
BESIDE = {"replica", "time_before", "error", "propagated_error", *(f"density_k{axis}_{part}" for axis in "xy" for part in ("re", "im"))}


def draw_observable(axes, observable, x_label=None, colour=None, scale="auto", name=None):
    """An observable against time: the mean over the replicas, with error bars if there are any.

    x_label  of the axis of times; None: with their unit
    scale    linear, log (both axes), semilog (values), semilogx (times), or auto: logarithmic times if most rows are early, and then
             logarithmic values if all are positive and errors small
    """
    line = draw_points(axes, observable.time, observable.mean, observable.error, scale, colour, name)
    axes.set_xlabel(labels.with_unit("time", observable.time_unit) if x_label is None else x_label)
    axes.set_ylabel(labels.label(observable))
    return line


def draw_points(axes, time, mean, error, scale, colour, name):
    """Values against time as a line, with bars of their errors, or a band if there are many values."""
    shown = np.isfinite(mean)
    measured = shown.any()
    log_time = scale in LOG_X or (scale == "auto" and (axes.get_xscale() == "log" or spread_logarithmically(time[shown])))
    if log_time:
        shown &= time > 0
        axes.set_xscale("log")
    if scale in LOG_Y or axes.get_yscale() == "log" or (scale == "auto" and log_time and _spread_positively(mean[shown], error[shown])):
        shown &= mean > 0
        axes.set_yscale("log")
    time, mean, error = time[shown], mean[shown], error[shown]
    if not measured:
        axes.text(0.5, 0.5, "no value yet", transform=axes.transAxes, ha="center", color="0.4")
    elif scale in LOG_Y:
        labels.note_nothing_positive(axes, mean)
    colour = colour or style.COLOURS[0]
    few = len(time) <= MOST_BARS
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
    """The mean of an observable over time as a line from its start to `end`, with a band of its standard error, if there is one."""
    (line,) = axes.plot([average.start, end], [average.mean] * 2, color=style.COLOURS[1], linewidth=1.5)
    if np.isfinite(average.error):
        below, above = average.mean - average.error, average.mean + average.error
        axes.fill_between([average.start, end], below, above, color=style.COLOURS[1], alpha=0.3, linewidth=0)
    return line


def draw_fit(axes, law, colour=None, unit=1, value=1, inverse=False):
    """The line of a tessera_io.fit() over its range, with its result as label.

    unit, value  units of the axes
    inverse      whether the values are drawn against 1 / x
    """
    x = (np.geomspace if law.form in ("power", "logarithm", "offset") else np.linspace)(law.first, law.last, 50)
    given, of_chi2 = words_of_fit(law)
    words = f"{given}\n{labels.range_of(law)}, {of_chi2}".replace(" (no", "\n(no")
    (line,) = axes.plot(1 / x if inverse else x / unit, law(x) / value, "--", color=colour or style.COLOURS[1], linewidth=1.2, zorder=3, label=words)
    return line


def named_with_fit(name, line, law):
    """The name of values with the result of a fit to them, whose line then has no entry of its own in the legend; without a name nothing."""
    if not name:
        return name
    line.set_label(None)
    return f"{name}: {', '.join(words_of_fit(law))}"


def words_of_fit(law):
    """(its value, how well it describes the values)"""
    value = f"{SYMBOLS.get(law.symbol, law.symbol)} = {labels.number(with_error(law.value, law.error))}{' ' * bool(law.unit)}{labels.unit(law.unit)}"
    return value, quality_of_fit(law) + f" (no {FORMS[law.form][0]})" * law.fails


def quality_of_fit(law):
    """Its p value or chi^2 over the degrees of freedom, or why it has none."""
    if np.isfinite(law.p):
        return f"$p$ = {law.p:.2g}"
    if np.isfinite(law.chi2):
        return rf"$\chi^2$/dof = {law.reduced_chi2:.2g}"
    return "one replica: no error" if law.error_from.startswith("no error") else "without errors"


def put_legend_of_fits(axes, laws):
    """A legend above the panel with the results of the fits."""
    ranges = " and ".join(dict.fromkeys(map(labels.range_of, laws)))
    axes.legend(loc="lower left", bbox_to_anchor=(-0.1, 1), title=f"fits from {ranges}", alignment="left", **style.SPACES)


def compared(kind, points, reference):
    """(x, value, error) of the ratio to, or the difference from, the reference at the x that both have; points and reference: (x, value,
    error), as of independent runs."""
    (x, value, error), (x0, value0, error0) = points, reference
    place = np.searchsorted(x0, x * (1 - 1e-9)).clip(max=len(x0) - 1)
    both = np.isclose(x0[place], x, rtol=1e-6, atol=0)
    x, value, error, value0, error0 = x[both], value[both], error[both], value0[place[both]], error0[place[both]]
    if kind == "difference":
        return x, value - value0, np.hypot(error, error0)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(value0 == 0, np.nan, value / value0)
        return x, ratio, np.hypot(error, ratio * error0) / np.abs(value0)


def put_compared_label(axes, kind, of):
    """The label of a ratio or difference, and the line of equal values."""
    axes.set_ylabel(f"{kind} of {labels.label(of) if kind == 'difference' else of.title}")
    axes.axhline(kind == "ratio", color="0.6", linewidth=0.8, zorder=0)


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
    axes.set_xlabel(labels.with_unit(table.titles[table.abscissa], table.units[table.abscissa]))
    axes.set_ylabel(labels.with_unit(table.titles[table.name if name == "value" else name], table.units[name]))


def spread_logarithmically(time):
    positive = time[time > 0]
    return len(positive) > 4 and positive.max() > 20 * positive.min() and (positive > positive.max() / 2).mean() < 0.3


def _spread_positively(mean, error):
    positive = len(mean) > 0 and (mean > np.where(np.isfinite(error), 3 * error, 0)).all()
    return bool(positive and mean.max() > 3 * mean.min())


def _draw_band(axes, x, mean, error, colour, name):
    """A thin line with a band of its errors, if there are any."""
    (line,) = axes.plot(x, mean, color=colour or style.COLOURS[0], linewidth=1, label=name)
    if np.isfinite(error).any():
        axes.fill_between(x, mean - error, mean + error, color=line.get_color(), alpha=0.3, linewidth=0)
    return line


def draw_function(axes, function, scale="auto", colour=None, name=None, replica=None, compare=None, reference=None):
    """A function averaged over samples against r or k, or against |q|, with a band of its standard error; or of one replica; or its "ratio" or
    "difference" (compare) to that of a reference.

    scale  linear, log (both axes), semilog, semilogx, or auto: logarithmic for S(k), and for g6(r), which distinguishes phases by its
           decay. On logarithmic axes values that are not positive are gaps
    """
    both = [one if replica is None else one.of_replica(replica) for one in (function, reference) if one]
    points = [one.curve[1:] for one in both]
    symbol = both[0].curve[0]
    x, mean, error = compared(compare, *points) if compare else points[0]
    if scale == "auto" and (function.name == "g6" or symbol == "k"):
        scale = "semilogx" if compare else "log"
    axes.set_xscale("log" if scale in LOG_X else "linear")
    if scale in LOG_Y:
        axes.set_yscale("log")
        mean = np.where(mean > 0, mean, np.nan)  # a gap
        labels.note_nothing_positive(axes, mean)
    line = _draw_band(axes, x, mean, error, colour, name)
    if function.name in ("g", "S") and not compare:
        axes.axhline(1, color="0.6", linewidth=0.8, zorder=0)
    unit = next(iter(function.units.values()))
    axes.set(xlabel=labels.with_unit(f"${symbol}$", unit), ylabel=labels.label(function))
    if compare:
        put_compared_label(axes, compare, function)
    return line


def draw_pair_distribution(axes, field, row=-1, replica=None, colour=None, name=None):
    """g(r) of a row: the mean over the replicas, with error bars; or that of one replica."""
    values = field.snapshots(row) if replica is None else field.snapshot(row, replica)[None]
    mean = values.mean(axis=0)
    _draw_band(axes, (np.arange(len(mean)) + 0.5) * RING, mean, standard_error(values.T), colour, name)
    axes.axhline(1, color="0.6", linewidth=0.8)
    axes.set(xlabel=f"$r$ ({labels.unit('sigma')})", ylabel=labels.label(field))
    return mean
