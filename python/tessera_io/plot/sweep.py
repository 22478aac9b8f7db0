# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""The picture of a sweep: results of its points against the option that varies."""

import contextlib
import os

import h5py
import numpy as np

from ..errors import TesseraFileError
from ..file import open_file
from . import labels

MOST_SERIES = 12
TABLE = "table.h5"  # in the folder of a sweep


def texts(values):
    """Texts of an attribute, as str."""
    return [value.decode() if isinstance(value, bytes) else str(value) for value in values]


def read_table(path):
    """The table of a sweep: inputs by name, and (name, unit, value, error, doubtful) of each quantity, of the finished
    points; doubtful: those not known to be stationary."""
    with h5py.File(path, "r") as table:
        done = table["finished"][:] == 1
        inputs = {}
        for name in texts(table.attrs["inputs"]):
            values = table["inputs"][name][:]
            inputs[name] = (np.char.decode(values, "utf-8") if values.dtype.kind == "S" else values)[done]
        # Averages over time have precedence if the sweep has them.
        group = table["averages"] if len(table["averages"]) else table["observables"]
        quantities = []
        for name in texts(group.attrs.get("order", ())):
            unit = group[name]["value"].attrs.get("unit", b"")
            unit = unit.decode() if isinstance(unit, bytes) else str(unit)
            doubtful = np.zeros(len(done), dtype=bool)
            if "stationarity" in group[name]:
                doubtful = ~np.isin(group[name]["stationarity"][:], (b"stationary", b""))
            quantities.append((name, unit, group[name]["value"][:][done], group[name]["error"][:][done], doubtful[done]))
    return inputs, quantities


def abscissa(inputs):
    """The name of the option to draw against: of those that are numbers, and not seeds, the one with the most values."""
    numbers = [name for name in inputs if inputs[name].dtype.kind == "f" and name != "seed"]
    return max(numbers or list(inputs), key=lambda name: len(set(inputs[name])))


def draw(axes, inputs, quantity, style, scale="auto"):
    """One quantity against the option with the most values, a line for each choice of the others.

    scale  linear, log (both axes), or auto: logarithmic values of the option if they are spread widely
    """
    name, unit, value, error, doubtful = quantity
    along = abscissa(inputs)
    others = [other for other in inputs if other != along]
    choices = list(dict.fromkeys(zip(*(inputs[other] for other in others)))) if others else [()]
    x = inputs[along]
    ticks = list(dict.fromkeys(x)) if x.dtype.kind != "f" else None
    for number, choice in enumerate(choices[:MOST_SERIES]):
        rows = np.ones(len(value), dtype=bool)
        for other, wanted in zip(others, choice):
            rows &= inputs[other] == wanted
        place = np.array([ticks.index(word) for word in x[rows]]) if ticks else x[rows]
        order = np.argsort(place, kind="stable")
        words = ", ".join(labels.parameter(o, f"{c:.6g}" if isinstance(c, float) else c) for o, c in zip(others, choice))
        bars = np.where(np.isfinite(error[rows]), error[rows], 0)[order]
        mark = style.MARKERS[number % len(style.MARKERS)]
        colour = style.COLOURS[number % len(style.COLOURS)]
        axes.errorbar(
            place[order],
            value[rows][order],
            yerr=bars if (bars > 0).any() else None,
            color=colour,
            marker=mark,
            elinewidth=1,
            label=words or None,
        )
        open_ones = doubtful[rows][order]
        axes.plot(place[order][open_ones], value[rows][order][open_ones], mark, color=colour, markerfacecolor="white")
    if ticks:
        axes.set_xticks(range(len(ticks)), ticks)
    elif scale == "log" or (scale == "auto" and (x > 0).all() and len(set(x)) > 2 and x.max() > 20 * x.min()):
        axes.set_xscale("log")
    if scale == "log":
        axes.set_yscale("log")
        labels.note_nothing_positive(axes, value if ticks else value[x > 0])
    axes.set_xlabel(labels.option(along))
    axes.set_ylabel(labels.label(name, unit))
    if 1 < len(choices) <= MOST_SERIES:
        axes.legend()


def pictures_of(options):
    """Draws the table of a sweep, the folder options.file, and yields the paths."""
    from . import caption, pictures, style

    inputs, quantities = read_table(os.path.join(options.file, TABLE))
    known = [name for name, *_ in quantities]
    for name in options.names:
        if name not in known:
            raise OSError(f"{options.file}: has no '{name}'; it has {', '.join(known)}")
    chosen = [q for q in quantities if (q[0] in options.names if options.names else not labels.is_counter(q[0]))]
    chosen = [q for q in chosen if np.isfinite(q[2]).any()]
    if not chosen:
        raise OSError(f"{options.file}: has nothing to draw yet")
    style.use(options.width)
    for part, shown in pictures.parts(chosen, options.width):
        fig, axes = pictures.panels(len(shown), options.width)
        for panel, quantity in zip(axes, shown):
            draw(panel, inputs, quantity, style, options.scale)
        if options.caption:
            caption.write(fig, sentences_of(options.file, inputs, shown))
        yield from style.save(fig, options.output + part, options.format, options.dpi)


def sentences_of(folder, inputs, quantities):
    """The caption: common parameters of the points, and the meaning of error bars."""
    from . import caption

    with h5py.File(os.path.join(folder, TABLE), "r") as table:
        averaged = len(table["averages"]) > 0
        point = texts(table["point"][:])[list(table["finished"][:]).index(1)]
    sentences = []
    with contextlib.suppress(TesseraFileError, OSError), open_file(os.path.join(folder, "points", point + ".h5")) as run:
        sentences.append(caption.of_several([run], inputs))
        over = "time and replicas" if averaged else f"{run.replicas} replicas" if run.replicas > 1 else "the samples of a system"
        if any((error > 0).any() for *_, error, _ in quantities):
            sentences.append(f"bars: standard errors of means over {over}")
        else:
            sentences.append("no error bars: a single system")
    if any(doubtful.any() for *_, doubtful in quantities):
        sentences.append("open symbols: not stationary, or a window too short to judge")
    return sentences
