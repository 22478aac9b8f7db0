# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: Tessera contributors
"""Figures at the widths of a journal: a column of 8.6 cm, or the page of 17.8 cm."""

import matplotlib
import numpy as np
from matplotlib.ticker import NullLocator
from tessera_io.plot import figure, style

COLUMN, PAGE = 8.6 / 2.54, 17.8 / 2.54  # inches


def use():
    """Applies the type and the ticks of a column to all figures."""
    style.use(COLUMN)
    ticks = {f"{axis}tick.{key}": value for axis in "xy" for key, value in (("direction", "in"), ("minor.visible", True))}
    matplotlib.rcParams.update(ticks)


def panels(rows=1, columns=1, height=2.4, width=None, **options):
    """A figure, one column or two wide, and its axes; `height` in inches is that of one of the axes."""
    width = width or (COLUMN if columns == 1 else PAGE)
    return figure(rows, columns, size=(width / columns, height), **options)


def draw_curves(panel, curves, numbers=None, linewidth=0.8):
    """{label: (x, values, errors)}, each with its own colour and symbol: those of its number, by default its place."""
    for place, (label, (x, value, error)) in enumerate(curves.items()):
        panel.errorbar(x, value, yerr=error, label=label, linewidth=linewidth, **style_of(numbers[label] if numbers else place))


def style_of(number):
    """Colour and symbol; beyond the colours dashed, with open symbols."""
    dashed = {"linestyle": "--", "markerfacecolor": "none"} if number >= len(style.COLOURS) else {}
    return {"color": style.COLOURS[number % len(style.COLOURS)], "marker": style.MARKERS[number % len(style.MARKERS)], **dashed}


def legend_above(fig, axes, ncols):
    """One legend above all panels, or in the first one before Matplotlib 3.7, of these axes or of several: each label once."""
    known = {}
    for panel in np.atleast_1d(axes).flat:
        for handle, label in zip(*panel.get_legend_handles_labels()):
            known.setdefault(label, handle)
    try:
        return fig.legend(known.values(), known, loc="outside upper center", ncols=ncols)
    except ValueError:
        return np.atleast_1d(axes).flat[0].legend(known.values(), known)


def categories(axis, names):
    """Names instead of numbers at 0, 1, 2, ... of an axis."""
    axis.set_ticks(range(len(names)), names)
    axis.set_minor_locator(NullLocator())
