# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The pictures of a sweep: results of its points against an option that varies, and snapshots and functions of the points."""

import contextlib
import os
from dataclasses import dataclass, replace
from types import SimpleNamespace

import h5py
import numpy as np

from ..errors import NoSuchName, TesseraFileError
from ..file import open_file
from ..power_law import fit_points
from . import labels

MOST_SERIES = 12
TABLE = "table.h5"  # in the folder of a sweep


@dataclass
class Quantity:
    """A column of the table: [points] values, errors, and which are not known to be stationary."""

    name: str
    unit: str
    value: np.ndarray
    error: np.ndarray
    doubtful: np.ndarray


@dataclass
class Series:
    """Points that differ in one option: its values (or their places in `ticks`, if they are not numbers), and the quantity."""

    choice: str  # of the other options, "q = 0.2"; words: the same, typeset
    words: str
    x: np.ndarray
    value: np.ndarray
    error: np.ndarray
    doubtful: np.ndarray


@dataclass
class Swept:
    """The finished points in the table of a sweep.

    points      their names
    averaged    whether the quantities are averages over time, which the sweep has, or observables
    inputs      {option: [points]} of the options that vary
    quantities  {name: Quantity}
    """

    folder: str
    points: list
    averaged: bool
    inputs: dict
    quantities: dict

    def abscissa(self, wanted=None):
        """The option to draw against: the wanted one, else of those that are numbers, and not seeds, the one with the most values."""
        if wanted:
            if wanted not in self.inputs:
                raise NoSuchName(f"{self.folder}: '{wanted}' does not vary; the options that vary are {', '.join(self.inputs)}")
            return wanted
        numbers = [name for name in self.inputs if self.inputs[name].dtype.kind == "f" and name != "seed"]
        return max(numbers or list(self.inputs), key=lambda name: len(set(self.inputs[name])))

    def series(self, name, along, ticks=None):
        """The Series of a quantity: one for each choice of the options other than `along`."""
        of = self.quantities[name]
        others = [other for other in self.inputs if other != along]
        choices = list(dict.fromkeys(zip(*(self.inputs[other] for other in others)))) if others else [()]
        for choice in choices:
            rows = np.ones(len(of.value), dtype=bool)
            for other, wanted in zip(others, choice):
                rows &= self.inputs[other] == wanted
            x = self.inputs[along][rows]
            x = np.array([ticks.index(word) for word in x]) if ticks else x
            order = np.argsort(x, kind="stable")
            values = [x, of.value[rows], np.where(np.isfinite(of.error[rows]), of.error[rows], 0), of.doubtful[rows]]
            pairs = [(o, f"{c:.6g}" if isinstance(c, float) else c) for o, c in zip(others, choice)]
            words = [", ".join(f"{o} = {c}" for o, c in pairs), ", ".join(labels.parameter(o, c) for o, c in pairs)]
            yield Series(*words, *(value[order] for value in values))

    def inputs_of_points(self):
        """The point's input, method and number of replicas, of each point whose file is there."""
        for point in self.points:
            with contextlib.suppress(TesseraFileError, OSError), self.open(point) as run:
                yield SimpleNamespace(path=run.path, method=run.method, input=run.input, replicas=run.replicas)

    def open(self, point):
        return open_file(os.path.join(self.folder, "points", point + ".h5"))


def texts(values):
    """Texts of an attribute, as str."""
    return [value.decode() if isinstance(value, bytes) else str(value) for value in values]


def read_table(folder):
    """The Swept of a folder."""
    with h5py.File(os.path.join(folder, TABLE), "r") as table:
        done = table["finished"][:] == 1
        points = [name for name, one in zip(texts(table["point"][:]), done) if one]
        averaged = len(table["averages"]) > 0
        swept = Swept(folder, points, averaged, {}, {})
        for name in texts(table.attrs["inputs"]):
            values = table["inputs"][name][:]
            swept.inputs[name] = (np.char.decode(values, "utf-8") if values.dtype.kind == "S" else values)[done]
        group = table["averages" if averaged else "observables"]
        for name in texts(group.attrs.get("order", ())):
            (unit,) = texts([group[name]["value"].attrs.get("unit", b"")])
            doubtful = np.zeros(len(done), dtype=bool)
            if "stationarity" in group[name]:
                doubtful = ~np.isin(group[name]["stationarity"][:], (b"stationary", b""))
            value, error = group[name]["value"][:], group[name]["error"][:]
            swept.quantities[name] = Quantity(name, unit, value[done], error[done], doubtful[done])
    return swept


def draw(axes, sweeps, name, along, scale="auto", fits=(), differences=("",)):
    """A quantity of one or several sweeps against an option, a line for each choice of the other options.

    scale        linear, log (both axes), or auto: logarithmic values of the option if they are spread widely
    fits         ranges (first, last) of power laws to fit to every line
    differences  what the sweeps differ in
    Returns the laws, (folder, choice of the other options, PowerLaw).
    """
    from matplotlib.ticker import MaxNLocator

    from . import style
    from .curves import draw_power_law

    x = np.concatenate([swept.inputs[along] for swept in sweeps])
    value = np.concatenate([swept.quantities[name].value for swept in sweeps])
    ticks = list(dict.fromkeys(x)) if x.dtype.kind != "f" else None
    if ticks and fits:
        raise TesseraFileError(f"--fit: the values of {along} are not numbers; use another option by --against")
    lines = [(swept, words, one) for swept, words in zip(sweeps, differences) for one in swept.series(name, along, ticks)]
    laws = []
    for number, ((swept, difference, one), colour) in enumerate(zip(lines, style.colours(len(lines)))):
        mark = style.MARKERS[number % len(style.MARKERS)]
        words = ", ".join(filter(None, (difference, one.words)))
        for first, last in fits:
            laws.append((swept.folder, one.choice, fit_of(swept, name, along, one, first, last)))
            fitted = draw_power_law(axes, laws[-1][-1], colour if len(lines) > 1 else style.COLOURS[1])
            if words:  # one line of the legend is of both
                words += f": {fitted.get_label()}"
                fitted.set_label(None)
        bars = one.error if (one.error > 0).any() else None
        axes.errorbar(one.x, one.value, yerr=bars, color=colour, marker=mark, elinewidth=1, label=words or None)
        axes.plot(one.x[one.doubtful], one.value[one.doubtful], mark, color=colour, markerfacecolor="white", zorder=3)
    if ticks:
        axes.set_xticks(range(len(ticks)), ticks)
    elif scale == "log" or (scale == "auto" and (x > 0).all() and len(set(x)) > 2 and x.max() > 20 * x.min()):
        axes.set_xscale("log")
    elif (x == np.rint(x)).all():
        axes.xaxis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10]))
    if scale == "log":
        axes.set_yscale("log")
        labels.note_nothing_positive(axes, value if ticks else value[x > 0])
    axes.set_xlabel(labels.option(along))
    axes.set_ylabel(labels.label(name, sweeps[0].quantities[name].unit))
    if 1 < len(lines) <= MOST_SERIES or fits:
        axes.legend(frameon=True, framealpha=0.8, edgecolor="none")
    return laws


def fit_of(swept, name, along, series, first, last):
    """The power law of a series from x = first to last; of the roughness against the size, W^2 ~ L^(2 alpha), the exponent is alpha."""
    rows = (series.x >= first) & (series.x <= last) & np.isfinite(series.value)
    try:
        law = fit_points(series.x[rows], series.value[rows], series.error[rows], name)
        return replace(law, symbol="alpha", exponent=law.slope / 2, error=law.error / 2) if (name, along) == ("roughness", "size") else law
    except ValueError as error:
        raise TesseraFileError(f"--fit: {swept.folder}: {error}, and has {rows.sum()} from {first:g} to {last:g}") from error


def pictures_of(options, files):
    """Draws the sweep in the folder options.file, beside others, and yields the paths."""
    from . import caption, panels, style

    style.use(options.width)
    sweeps = [read_table(folder) for folder in (options.file, *(options.beside or []))]
    for swept in sweeps:
        if not swept.points:
            raise TesseraFileError(f"{swept.folder}: has nothing to draw yet")
    quantities = [name for name in options.names if name in sweeps[0].quantities]
    of_points = [name for name in options.names if name not in quantities]
    snapshots = any(value is not None for value in (options.row, options.time, options.replica))
    if of_points or snapshots:
        yield from pictures_of_points(sweeps, of_points, options, files)
    if (snapshots or of_points) and not quantities:
        return
    chosen = quantities or [name for name in sweeps[0].quantities if not labels.is_counter(name)]
    chosen = [name for name in chosen if np.isfinite(sweeps[0].quantities[name].value).any()]
    if not chosen:
        raise TesseraFileError(f"{options.file}: has nothing to draw yet")
    along = sweeps[0].abscissa(options.against)
    for swept in sweeps[1:]:
        swept.abscissa(along)
        missing = [name for name in chosen if name not in swept.quantities]
        if missing:
            raise NoSuchName(f"{swept.folder}: has no '{missing[0]}'; it has {', '.join(swept.quantities)}")
    runs = [list(swept.inputs_of_points()) for swept in sweeps]
    varied = [name for swept in sweeps for name in swept.inputs]
    differences = [""]
    if len(sweeps) > 1:
        folders = [os.path.basename(os.path.normpath(swept.folder)) for swept in sweeps]
        differences = caption.differences([of_sweep[0] for of_sweep in runs], varied, folders) if all(runs) else folders
    for part, shown in panels.parts(chosen, options.width):
        fig, axes = panels.panels(len(shown), options.width)
        for panel, name in zip(axes, shown):
            fits = [ends for of, *ends in options.fit if of == name]
            scale = "log" if fits and options.scale == "auto" else options.scale
            options.laws += draw(panel, sweeps, name, along, scale, fits, differences)
        if options.caption:
            caption.write(fig, sentences_of(sweeps, sum(runs, []), varied, shown, options, along))
        yield from style.save(fig, options.output + part, options.format, options.dpi)


def pictures_of_points(sweeps, names, options, files):
    """Functions and snapshots of the points, side by side."""
    from . import pictures

    points = [(swept, point) for swept in sweeps for point in swept.points]
    if len(points) > MOST_SERIES:
        raise TesseraFileError(
            f"{options.file}: has {len(points)} points, and at most {MOST_SERIES} fit into a picture; draw single files, --beside others"
        )
    runs = [files.enter_context(swept.open(point)) for swept, point in points]
    for name in names:
        if name not in [*runs[0].functions, *runs[0].fields, *runs[0].particles]:
            known = [*sweeps[0].quantities, *runs[0].functions, *runs[0].fields, *runs[0].particles]
            raise NoSuchName(f"{options.file}: has no '{name}'; it has {', '.join(known)}")
    yield from pictures.draw_beside(runs, options, names)


def sentences_of(sweeps, runs, varied, names, options, along):
    """The caption: common parameters of the points, and the meaning of error bars."""
    from . import caption

    shown = [swept.quantities[name] for swept in sweeps for name in names]
    sentences = [caption.of_several(runs, varied)] if runs else []
    replicas = {run.replicas for run in runs}
    over = "the replicas" if len(replicas) != 1 else f"{runs[0].replicas} replicas" if replicas != {1} else "the samples of a system"
    if all(swept.averaged for swept in sweeps):
        over = "time" if replicas == {1} else "time and replicas"
        starts = {run.input.get("average-from") for run in runs} if "average-from" not in varied else ()
        sentences += [f"means from {'a time chosen by MSER-5' if start == 'auto' else f'time {labels.number(start)}'} on" for start in starts if len(starts) == 1]
    elif not any(run.method == "disks" for run in runs):
        sentences.append("values at the ends of the runs")
    if any((one.error > 0).any() for one in shown):
        sentences.append(f"bars: standard errors of means over {over}")
    else:
        sentences.append("no error bars: a single system")
    lines = sum(1 for swept in sweeps for _ in swept.series(names[0], along))
    if lines > MOST_SERIES:
        sentences.append(f"{lines} lines, from dark to light in the order of the table")
    if any(one.doubtful.any() for one in shown):
        sentences.append("open symbols: not stationary, replicas that differ, or a window too short to judge")
    if options.fit:
        sentences.append("dashed: power laws fitted over the range of the line")
    return sentences
