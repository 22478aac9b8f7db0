# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""python3 -m tessera_io.plot.sweep FOLDER: what the points of `tessera sweep` gave, against the option that varies."""

import argparse
import os
import sys

import h5py
import numpy as np

from . import labels

MOST_SERIES = 12
TABLE = "table.h5"  # in the folder of a sweep


def texts(values):
    """Texts of an attribute, as str."""
    return [value.decode() if isinstance(value, bytes) else str(value) for value in values]


def read_table(path):
    """The table of a sweep: inputs by name, and (name, unit, value, error) of each quantity, of the finished points."""
    with h5py.File(path, "r") as table:
        done = table["finished"][:] == 1
        inputs = {}
        for name in texts(table.attrs["inputs"]):
            values = table["inputs"][name][:]
            inputs[name] = (np.char.decode(values, "utf-8") if values.dtype.kind == "S" else values)[done]
        # Means over time are what a sweep that has them was made for.
        group = table["averages"] if len(table["averages"]) else table["observables"]
        quantities = []
        for name in texts(group.attrs.get("order", ())):
            unit = group[name]["value"].attrs.get("unit", b"")
            unit = unit.decode() if isinstance(unit, bytes) else str(unit)
            quantities.append((name, unit, group[name]["value"][:][done], group[name]["error"][:][done]))
    return inputs, quantities


def abscissa(inputs):
    """The name of the option to draw against: of those that are numbers, and not seeds, the one with the most values."""
    numbers = [name for name in inputs if inputs[name].dtype.kind == "f" and name != "seed"]
    return max(numbers or list(inputs), key=lambda name: len(set(inputs[name])))


def draw(axes, inputs, quantity, style):
    """One quantity against the option with the most values, a line for each choice of the others."""
    name, unit, value, error = quantity
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
        axes.errorbar(
            place[order],
            value[rows][order],
            yerr=bars if (bars > 0).any() else None,
            color=style.COLOURS[number % len(style.COLOURS)],
            marker=style.MARKERS[number % len(style.MARKERS)],
            elinewidth=1,
            label=words or None,
        )
    if ticks:
        axes.set_xticks(range(len(ticks)), ticks)
    elif (x > 0).all() and len(set(x)) > 2 and x.max() > 20 * x.min():
        axes.set_xscale("log")
    axes.set_xlabel(labels.option(along))
    axes.set_ylabel(labels.label(name, unit))
    if 1 < len(choices) <= MOST_SERIES:
        axes.legend()


def main(words=None):
    parser = argparse.ArgumentParser(prog="python3 -m tessera_io.plot.sweep", description="Draws the table of a sweep.")
    parser.add_argument("folder", help="the folder of a sweep, with its table.h5")
    parser.add_argument("names", nargs="*", metavar="NAME", help="quantities [all but counters and moments]")
    parser.add_argument("--output", metavar="STEM", help="begin of the name of the picture [FOLDER/plot]")
    parser.add_argument("--quiet", action="store_true", help="do not tell the name of the picture")
    options = parser.parse_args(words)
    try:
        from . import pictures, style

        inputs, quantities = read_table(os.path.join(options.folder, TABLE))
        known = [name for name, *_ in quantities]
        for name in options.names:
            if name not in known:
                raise OSError(f"{options.folder}: has no '{name}'; it has {', '.join(known)}")
        chosen = [q for q in quantities if (q[0] in options.names if options.names else q[0] not in labels.COUNTERS)]
        chosen = [q for q in chosen if np.isfinite(q[2]).any()]
        if not chosen:
            raise OSError(f"{options.folder}: has nothing to draw yet")
        style.use()
        fig, axes = pictures.panels(len(chosen))
        for panel, quantity in zip(axes, chosen):
            draw(panel, inputs, quantity, style)
        for path in style.save(fig, options.output or os.path.join(options.folder, "plot"), ("png",)):
            if not options.quiet:
                print(path)
    except (OSError, KeyError) as error:
        print(f"tessera_io.plot.sweep: {error}", file=sys.stderr)
        return 2
    except ImportError as error:
        print(f"tessera_io.plot.sweep: {error}; matplotlib is needed (Debian: python3-matplotlib)", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
