# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Autocorrelations C(t, s), and their exponents, of all waiting times s in one panel against t / s."""

import re
from dataclasses import dataclass

import matplotlib
import numpy as np

from ..errors import TesseraFileError
from ..series import jackknife
from . import caption, labels, style
from .curves import LOG_X, LOG_Y, draw_points
from .panels import HEIGHT, finish, panels

NAME = re.compile(r"((?:height|slope)_autocorrelation|lambda_eff_(?:height|slope))_([0-9.e+-]+)")
MEAN = "each at the geometric mean of its two times"
WORDS = {  # without blanks in formulas, where captions could be broken
    "height_autocorrelation": "$C_h(t,s)$: autocorrelation of the heights at times $t$ and $s$",
    "slope_autocorrelation": "$C_s(t,s)$: autocorrelation of the slopes at times $t$ and $s$",
    "lambda_eff_height": "exponents from successive measurements of the autocorrelation of the heights at times $t$ and $s$, " + MEAN,
    "lambda_eff_slope": "exponents from successive measurements of the autocorrelation of the slopes at times $t$ and $s$, " + MEAN,
}
BESIDE = 0.8  # inches beside a panel
SLOPE = 0.25  # C_s(s, s), for slopes 0 and 1 of mean 1/2


def grouped(names):
    """[(kind, names)]: names that share a panel, such as `height_autocorrelation` of all waiting times; others have their own
    panel."""
    groups = {}
    for name in names:
        match = NAME.fullmatch(name)
        groups.setdefault(match[1] if match else name, []).append(name)
    return list(groups.items())


def with_all_times(names, run):
    """The names, each once; that of a kind, such as `height_autocorrelation`, becomes those of all waiting times of the file."""
    kinds = dict(grouped(run.description.in_order([*run.observables, *run.history])))
    return list(dict.fromkeys(one for name in names for one in kinds.get(name, [name])))


@dataclass
class Curve:
    """The curve of a run and a waiting time: x = t / s, and C in units of `unit`."""

    run: object
    name: str
    s: float
    x: np.ndarray
    mean: np.ndarray
    error: np.ndarray
    time_unit: str
    unit: float = 1
    colour: object = None


def curve_of(run, name, normalised):
    s = float(NAME.fullmatch(name)[2])
    if name in run.history:
        table = run.history[name]
        return Curve(run, name, s, _ratio(table.times, s), table["value"], table["error"], table.units["time"])
    observable = run.observables[name]
    curve = Curve(run, name, s, _ratio(observable.time, s), observable.mean, observable.error, observable.time_unit)
    if normalised:
        curve.unit, curve.mean, curve.error = divided(run, observable)
    return curve


def _ratio(time, s):
    """t / s; NaN for s = 0."""
    return time / s if s > 0 else np.full(len(time), np.nan)


def divided(run, observable):
    """(C(s, s), C(t, s) / C(s, s), its jackknife error over the replicas)"""
    if observable.name.startswith("slope"):
        return SLOPE, observable.mean / SLOPE, observable.error / SLOPE
    mean, each = observable.mean, observable.value
    roughness = run.observables["roughness"]
    present = roughness.mean[roughness.time == observable.time[0]]
    if not np.isclose(present, mean[0], rtol=1e-9).any():  # C_h(s, s) is W^2 at s
        raise TesseraFileError(f"--normalised: {run.path}: {observable.name} has no row at t = s; measure at the waiting times, too")
    if observable.replicas == 1:
        return mean[0], mean / mean[0], observable.error / mean[0]
    ratio, error = jackknife(lambda means: means[0] / means[0][0], each.T)
    return mean[0], ratio, np.nan_to_num(error)


def draw_autocorrelations(axes, runs, wanted, scale="auto", names_of_runs=(None,), normalised=False):
    """Draws C(t, s), or exponents, of one kind of these runs: ([Curve], sentence of the caption about omitted points).

    On a logarithmic axis, of points that do not exceed their errors upper limits are drawn, the mean or 0 plus two errors; points without
    errors that are not positive are omitted.
    """
    curves = [curve_of(run, name, normalised) for run in runs for name in wanted]
    of_time = wanted[0] in runs[0].observables
    log_x, log_y = scale in ("auto", *LOG_X), scale in LOG_Y or (scale == "auto" and of_time)
    axes.set(xscale="log" if log_x else "linear", yscale="log" if log_y else "linear")
    omitted = drawn = limited = 0
    for number, (curve, curve.colour) in enumerate(zip(curves, style.colours(len(curves)))):
        measured = np.isfinite(curve.mean) & (curve.x > 0)
        shown = measured & (curve.mean > np.where(np.isfinite(curve.error), curve.error, 0)) if log_y else measured
        limit = np.maximum(curve.mean, 0) + 2 * curve.error
        limits = measured & ~shown & (limit > 0)
        omitted, drawn, limited = omitted + (measured & ~shown & ~limits).sum(), drawn + (shown | limits).sum(), limited + limits.sum()
        words = f"$s$ = {labels.number(f'{curve.s:g}')} {labels.unit(curve.time_unit)}"
        words = ", ".join(filter(None, (names_of_runs[number // len(wanted)], words)))
        if shown.any():
            draw_points(axes, curve.x[shown], curve.mean[shown], curve.error[shown], "linear", curve.colour, words)
        if limits.any():
            axes.plot(curve.x[limits], limit[limits], "v", color=curve.colour, markersize=3, markerfacecolor="none")
    if not drawn:
        labels.note_nothing_positive(axes, np.array([]))
    axes.set_xlabel("$t / s$")
    symbol = re.sub(r"s = [^)]*", "s", runs[0].description.title(wanted[0]))
    of = runs[0].observables[wanted[0]].unit if of_time else ""
    if normalised:
        symbol, of = f"{symbol[:-1]} / {symbol[1:].replace('t, s', 's, s')}", ""
    axes.set_ylabel(labels.with_unit(symbol, of))
    put_legend(axes, len(runs))
    notes = ["points that are not positive are left out"] if omitted else []
    notes += ["triangles: upper limits, two errors above the mean or 0, of points that do not exceed their errors"] if limited else []
    notes += ["$s$ = 0 is left out"] if any(curve.s == 0 for curve in curves) else []
    return curves, "; ".join(notes)


def is_above(lines, runs):
    """Whether the legend of so many lines is above the panel: for several runs, whose names are long, and for many lines."""
    return runs > 1 or lines > len(style.COLOURS)


def put_legend(axes, runs):
    """The legend."""
    lines, words = axes.get_legend_handles_labels()
    if lines and is_above(len(lines), runs):
        inches = axes.figure.get_size_inches()[0] / axes.get_subplotspec().get_gridspec().ncols - BESIDE
        width = sum(style.SPACES.values()) + labels.WIDTH * max(len(labels.shown(one)) for one in words)
        columns = int(inches * 72 / matplotlib.rcParams["legend.fontsize"] / width)
        axes.legend(lines, words, loc="lower left", bbox_to_anchor=(0, 1), ncols=max(1, min(columns, 4)), **style.SPACES)
    elif lines:
        axes.legend(lines, words)


def draw_exponents(run, kind, tables, options):
    """Exponents of autocorrelations, of all waiting times in one panel."""
    fig, (panel,) = panels(1, options.width, height=1 if is_above(len(tables), 1) else HEIGHT)
    _, omitted = draw_autocorrelations(panel, [run], tables, options.scale)
    bars = "bars: standard errors over the replicas" if run.replicas > 1 else ""
    yield from finish(fig, f"history_{tables[0] if len(tables) == 1 else kind}", options, caption.of_run(run), [WORDS[kind], omitted, bars])
